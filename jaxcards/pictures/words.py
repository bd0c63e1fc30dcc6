"""Lines of text in pictures. Suits are drawn as shapes, independent of fonts."""

from xml.sax.saxutils import escape

from jaxcards.view.structure import SUITS

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
SUIT_NAMES = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}

_NARROW, _WIDE = set("ijltfrI.,:;'|!()[]/ "), set("mwMWOQGD%@—")


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the approximate width of a line of text, in pixels."""
    units = 0.0
    for letter in text:
        if letter in SUITS:
            units += 1.0
        else:
            wide = 0.36 if letter in _NARROW else 0.86 if letter in _WIDE else 0.61
            units += wide * (1.1 if bold else 1.0)
    return units * size


def fitted(text: str, size: float, room: float) -> str:
    """Return a text, cut to the available width."""
    if width(text, size) <= room:
        return text
    while text and width(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def line(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    id: str,
    fill: str = "#fff",
    anchor: str = "start",
    bold: bool = False,
    red: str = "#ff8d8d",
) -> str:
    """Return a line of text.

    Args:
      x: where it starts, is centred, or ends, as `anchor` says.
      y: its base line.
      text: the text; suits in it are drawn.
      size: of the font, in pixels.
      id: prefix of the ids of the sheet of symbols.
      fill: colour of the letters, and of black suits.
      anchor: "start", "middle" or "end".
      bold: heavier letters.
      red: colour of red suits.
    """
    weight = ' font-weight="700"' if bold else ""
    font = f'font-family="{FONT}" font-size="{size:g}"{weight} fill="{fill}"'
    if not any(suit in text for suit in SUITS):
        return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {font}>{escape(text)}</text>'
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    left = x - shift * width(text, size, bold=bold)
    parts = [f'<g role="img" aria-label="{escape(spoken(text))}">']
    for run in _runs(text):
        wide = width(run, size, bold=bold)
        if run in SUITS:
            colour = red if run in "♥♦" else fill
            parts.append(
                suit(run, left + 0.06 * size, y - 0.78 * size, 0.88 * size, id=id, fill=colour)
            )
        elif run.strip():
            # The width is given explicitly, so that the suits follow the words in any font.
            space = len(run) - len(run.lstrip())
            start, words = left + width(run[:space], size, bold=bold), run.strip()
            parts.append(
                f'<text x="{start:.1f}" y="{y:g}" textLength="{width(words, size, bold=bold):.1f}" '
                f'lengthAdjust="spacingAndGlyphs" {font}>{escape(words)}</text>'
            )
        left += wide
    return "".join([*parts, "</g>"])


def suit(
    symbol: str, x: float, y: float, size: float, *, id: str, fill: str, turned: bool = False
) -> str:
    """Return a suit of the sheet of symbols in a square; upside down if turned."""
    middle = f' transform="rotate(180 {x + size / 2:.1f} {y + size / 2:.1f})"' if turned else ""
    return (
        f'<use href="#{id}-{SUIT_NAMES[symbol]}" x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" '
        f'height="{size:.1f}" fill="{fill}"{middle}/>'
    )


def spoken(text: str) -> str:
    """Return a text whose suits are words, for screen readers: "♥10" -> "hearts 10"."""
    for symbol, name in SUIT_NAMES.items():
        text = text.replace(symbol, f"{name} ")
    return " ".join(text.split()).replace(" ,", ",").replace(" .", ".")


def _runs(text: str) -> list[str]:
    runs: list[str] = []
    for letter in text:
        if runs and letter not in SUITS and runs[-1] not in SUITS:
            runs[-1] += letter
        else:
            runs.append(letter)
    return runs
