"""A card as SVG, and the sheet of symbols that cards share. All shapes are drawn here."""

from jaxcards.pictures import words
from jaxcards.pictures.packs import FRENCH, RED, Pack
from jaxcards.view.structure import rank_of, suit_of

WIDTH, HEIGHT = 70.0, 100.0  # of a card before it is scaled

# A crown, a coronet with pearls, and a cap with a feather, in a box of 100 by 60.
_HEADS = {
    "K": "M8 56L2 14L28 34L50 4L72 34L98 14L92 56Z",
    "Q": "M12 56L4 20Q20 44 30 18Q40 44 50 10Q60 44 70 18Q80 44 96 20L88 56Z",
    "J": "M10 56Q10 26 44 24Q60 2 96 4Q92 22 74 30Q88 38 88 56Z",
}
_PEARLS = {"Q": ((4, 16), (30, 13), (50, 5), (70, 13), (96, 16)), "K": ((50, 44),), "J": ((30, 44),)}

# Where pips stand, in shares of the field: x to the right, y down.
_LEFT, _MIDDLE, _RIGHT = 0.0, 0.5, 1.0
_PIPS = {
    "2": ((_MIDDLE, 0), (_MIDDLE, 1)),
    "3": ((_MIDDLE, 0), (_MIDDLE, 0.5), (_MIDDLE, 1)),
    "4": tuple((x, y) for x in (_LEFT, _RIGHT) for y in (0, 1)),
}
_PIPS["5"] = (*_PIPS["4"], (_MIDDLE, 0.5))
_PIPS["6"] = tuple((x, y) for x in (_LEFT, _RIGHT) for y in (0, 0.5, 1))
_PIPS["7"] = (*_PIPS["6"], (_MIDDLE, 0.25))
_PIPS["8"] = (*_PIPS["7"], (_MIDDLE, 0.75))
_PIPS["9"] = (*((x, y / 3) for x in (_LEFT, _RIGHT) for y in range(4)), (_MIDDLE, 0.5))
_PIPS["10"] = (*_PIPS["9"][:-1], (_MIDDLE, 1 / 6), (_MIDDLE, 5 / 6))


def sheet(id: str, pack: Pack = FRENCH) -> str:
    """Return the symbols that cards and words use, and the back of a card; `id` begins their ids."""
    symbols = "".join(
        f'<symbol id="{id}-{name}" viewBox="0 0 100 100">{drawing}</symbol>'
        for name, drawing in pack.suits.items()
    )
    back = (
        f'<symbol id="{id}-back" viewBox="0 0 {WIDTH:g} {HEIGHT:g}">'
        f'<rect x=".75" y=".75" width="{WIDTH - 1.5:g}" height="{HEIGHT - 1.5:g}" rx="7" '
        'fill="#f6f3ea" stroke="#20293a" stroke-opacity=".55" stroke-width="1.5"/>'
        f'<rect x="5" y="5" width="{WIDTH - 10:g}" height="{HEIGHT - 10:g}" rx="4" '
        f'fill="url(#{id}-weave)" stroke="#1d3f72" stroke-width="1.5"/></symbol>'
        f'<pattern id="{id}-weave" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<rect width="10" height="10" fill="#2d5a9e"/>'
        '<path d="M0 5L5 0L10 5L5 10Z" fill="#3f73bd"/><circle cx="5" cy="5" r="1.3" fill="#dfe9f7"/>'
        "</pattern>"
    )
    return symbols + back


def card(
    face: str | None,
    x: float,
    y: float,
    scale: float = 1.0,
    *,
    id: str,
    number: int | None = None,
    dimmed: bool = False,
    angle: float = 0.0,
    pack: Pack = FRENCH,
) -> str:
    """Return a card.

    Args:
      face: its text, as in `View.faces`; None for a card face down.
      x: its left edge.
      y: its upper edge.
      scale: of its width 70 and height 100.
      id: prefix of the ids of the sheet.
      number: the card's number, which pages read from the attribute `data-card`.
      dimmed: whether it may not be chosen.
      angle: degrees, clockwise around its middle.
      pack: the printed design.
    """
    turn = f" rotate({angle:g} {WIDTH / 2:g} {HEIGHT / 2:g})" if angle else ""
    place = f'transform="translate({x:.1f} {y:.1f}) scale({scale:g}){turn}"'
    if face is None:
        return (
            f'<g {place} role="img" aria-label="a card face down"><use href="#{id}-back" '
            f'width="{WIDTH:g}" height="{HEIGHT:g}"/></g>'
        )
    data = "" if number is None else f' data-card="{number}"'
    veil = ""
    if dimmed:
        veil = f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="7" fill="#18202c" fill-opacity=".42"/>'
    return (
        f'<g {place}{data} role="img" aria-label="{words.spoken(face)}">'
        f'<rect x=".75" y=".75" width="{WIDTH - 1.5:g}" height="{HEIGHT - 1.5:g}" rx="7" '
        'fill="#fffdf7" stroke="#20293a" stroke-opacity=".55" stroke-width="1.5"/>'
        f"{_front(face, id, pack)}{veil}</g>"
    )


def _front(face: str, id: str, pack: Pack) -> str:
    symbol, rank = suit_of(face), rank_of(face)
    if not symbol:
        return _joker(rank)
    colour = pack.colours[words.SUIT_NAMES[symbol]]
    corner = _corner(symbol, pack.letters.get(rank, rank), colour, id)
    turned = f'<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{corner}</g>'
    if rank in _HEADS:
        return corner + turned + _head(symbol, rank, colour, id, pack)
    return corner + turned + _pips(symbol, pack.letters.get(rank, rank), colour, id)


def _corner(symbol: str, letter: str, colour: str, id: str) -> str:
    size = 19 if len(letter) == 1 else 16
    squeeze = ' textLength="17" lengthAdjust="spacingAndGlyphs"' if len(letter) > 1 else ""
    return (
        f'<text x="12.5" y="20" text-anchor="middle" font-family="{words.FONT}" font-size="{size}" '
        f'font-weight="700" fill="{colour}"{squeeze}>{letter}</text>'
        + words.suit(symbol, 6, 23, 13, id=id, fill=colour)
    )


def _pips(symbol: str, letter: str, colour: str, id: str) -> str:
    if letter == "B":
        return _banner(symbol, colour, id)
    if letter not in _PIPS:  # an ace
        return words.suit(symbol, 19, 34, 32, id=id, fill=colour)
    size = 12.5
    found = []
    for right, down in _PIPS[letter]:
        # The field of pips is 17 by 62 pixels, in the middle of the card.
        x, y = 26.5 + 17 * right - size / 2, 19 + 62 * down - size / 2
        found.append(words.suit(symbol, x, y, size, id=id, fill=colour, turned=down > 0.5))
    return "".join(found)


def _banner(symbol: str, colour: str, id: str) -> str:
    """Return a flag on its pole, with the suit on it."""
    return (
        '<path d="M24 14V90" stroke="#5a3d1c" stroke-width="3" stroke-linecap="round"/>'
        '<circle cx="24" cy="12" r="3" fill="#e0a92e"/>'
        f'<path d="M25.5 17H50L44 31L50 45L44 59L50 70H25.5Z" fill="#fbf3dd" stroke="{colour}" '
        'stroke-width="1.5" stroke-linejoin="round"/>'
        + words.suit(symbol, 27, 20, 17, id=id, fill=colour)
        + words.suit(symbol, 27, 46, 17, id=id, fill=colour)
    )


def _head(symbol: str, rank: str, colour: str, id: str, pack: Pack) -> str:
    """Return a court card: the head-dress above its letter, in a frame, and the suit."""
    if pack.courts:
        name = f"court-{words.SUIT_NAMES[symbol]}-{rank}"
        return f'<use href="#{name}" x="19" y="11" width="32" height="78"/>'
    gold = "#e0a92e"
    pearls = "".join(f'<circle cx="{x}" cy="{y}" r="6" fill="#fff7df"/>' for x, y in _PEARLS[rank])
    tint = "#fbe9e4" if colour == RED else "#e6ebf4"
    above = pack.over and rank == "Q"  # an Ober
    head, letter, suit = (35, 78, 15) if above else (17, 55, 62)
    return (
        f'<rect x="22" y="13" width="26" height="74" rx="3" fill="{tint}" '
        f'stroke="{colour}" stroke-opacity=".45"/>'
        f'<g transform="translate(24 {head}) scale(.22)"><path d="{_HEADS[rank]}" fill="{gold}" '
        f'stroke="{colour}" stroke-width="5" stroke-linejoin="round"/>{pearls}</g>'
        f'<text x="35" y="{letter}" text-anchor="middle" font-family="Georgia, DejaVu Serif, serif" '
        f'font-size="26" font-weight="700" fill="{colour}">{pack.letters.get(rank, rank)}</text>'
        + words.suit(symbol, 26, suit, 18, id=id, fill=colour)
    )


def _joker(rank: str) -> str:
    star = "M50 4L62 38L97 38L69 59L79 93L50 73L21 93L31 59L3 38L38 38Z"
    letters = "".join(
        f'<text x="10" y="{18 + 12 * i}" text-anchor="middle" font-family="{words.FONT}" '
        f'font-size="11" font-weight="700" fill="#5a2c8f">{letter}</text>'
        for i, letter in enumerate("JOKER" if rank == "JK" else rank)
    )
    return (
        f'{letters}<g transform="translate(22 32) scale(.36)"><path d="{star}" fill="#8a4fd0" '
        'stroke="#5a2c8f" stroke-width="4" stroke-linejoin="round"/></g>'
    )
