"""A table as one SVG document, from a view: without scripts, fonts or files from elsewhere."""

import hashlib
from collections.abc import Iterator
from xml.sax.saxutils import escape

from jaxcards.pictures import cards, layout, packs, words
from jaxcards.pictures.layout import HEADER, HEIGHT, ONE_HAND, OPEN, PLATE, WIDTH, Place
from jaxcards.view.structure import Pile, Score, Seat, Trick, View, label, signed
from jaxcards.view.text import Text

_GOLD = "#ffd766"
_SOFT = "#cfe0d6"
_PAPER = "#fffdf7"
_MOST_CHIPS = 14


class Svg(str):
    """An SVG document: a text that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def draw(view: View) -> Svg:
    """Return a picture of a table, 960 by 690 pixels, whose parts have names for screen readers.

    Ids begin with a checksum of the view, so that a page may have many pictures. A card of the
    observing player has its number in the attribute `data-card`.
    """
    return Svg(_Picture(view).document())


class _Picture:
    """A view, and the positions of its seats."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.id = "t" + hashlib.sha1(repr(view).encode()).hexdigest()[:8]
        self.layout = OPEN if view.me is None else ONE_HAND
        self.centre = self.layout.centre
        self.places = self.layout.places(len(view.seats), view.me or 0)

    def document(self) -> str:
        title = f"{self.view.game}: {self.view.say(self.view.phase)}"
        body = "\n".join(part for part in self.parts() if part)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" role="img" '
            f'aria-labelledby="{self.id}-title {self.id}-desc" style="max-width:100%;height:auto">'
            f'<title id="{self.id}-title">{escape(title)}</title>'
            f'<desc id="{self.id}-desc">{escape(words.spoken(describe(self.view)))}</desc>'
            f"<defs>{cards.sheet(self.id)}{self.colours()}</defs>\n{body}\n</svg>\n"
        )

    def colours(self) -> str:
        """Return the felt of the table, darker where the reader asks for dark colours."""
        return (
            f'<radialGradient id="{self.id}-felt" cx="50%" cy="42%" r="75%">'
            '<stop offset="0" stop-color="#2f7d57"/><stop offset=".65" stop-color="#1f6144"/>'
            '<stop offset="1" stop-color="#12402c"/></radialGradient>'
            f"<style>@media (prefers-color-scheme: dark) {{ #{self.id}-shade {{ fill-opacity: .28 }} }}"
            "</style>"
        )

    def parts(self) -> Iterator[str]:
        view = self.view
        yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="18" fill="url(#{self.id}-felt)"/>'
        yield (
            f'<rect id="{self.id}-shade" width="{WIDTH}" height="{HEIGHT}" rx="18" fill="#000" '
            'fill-opacity="0"/>'
        )
        yield (
            f'<ellipse cx="{self.centre[0]:g}" cy="{self.centre[1]:g}" rx="252" ry="126" fill="none" '
            'stroke="#fff" stroke-opacity=".13" stroke-width="2"/>'
        )
        yield self.header()
        yield from self.piles()
        for seat, place in zip(view.seats, self.places, strict=True):
            yield self.seat(seat, place)
        yield self.trick()
        yield self.chips()
        yield self.banner()

    def text(self, x: float, y: float, text: str, size: float, **more: str | bool) -> str:
        return words.line(x, y, text, size, id=self.id, **more)  # type: ignore[arg-type]

    # ---- Around the table -----------------------------------------------------------------------

    def header(self) -> str:
        """Return the line at the top: the game, trumps, other facts, and the score."""
        view = self.view
        parts = [
            f'<path d="M0 18A18 18 0 0 1 18 0H{WIDTH - 18}A18 18 0 0 1 {WIDTH} 18V{HEADER}H0Z" '
            'fill="#0b241a" fill-opacity=".72"/>',
            self.text(22, 24, view.game, 15, bold=True),
        ]
        named = view.say(view.trump) if view.trump else ""
        trump, left = trumps(view), 22
        if view.trump_suit:
            trump, left = named.removeprefix(view.trump_suit).strip(" ,"), 54
            parts.append(f'<rect x="22" y="30" width="24" height="24" rx="5" fill="{_PAPER}"/>')
            colour = packs.RED if view.trump_suit in "♥♦" else packs.BLACK
            parts.append(words.suit(view.trump_suit, 25, 33, 18, id=self.id, fill=colour))
        parts.append(self.text(left, 47, words.fitted(trump, 14, 300), 14, fill=_GOLD, bold=True))
        facts = [f"{view.say(label(fact))}: {view.say(fact)}" for fact in view.facts]
        for row, fact in enumerate(facts[:3]):
            parts.append(
                self.text(480, 18 + 16 * row, words.fitted(fact, 12, 330), 12, anchor="middle")
            )
        shared = [score for score in view.scores if len(view.scores) < len(view.seats)]
        for row, score in enumerate(shared[:3]):
            y = (28 if len(shared) < 3 else 20) + 18 * row
            line = words.fitted(self.score(score), 13, 330)
            parts.append(self.text(938, y, line, 13, anchor="end"))
        return "".join(parts)

    def score(self, score: Score) -> str:
        """Return the score of a side in words."""
        names = " + ".join(map(self.view.name, score.seats))
        return f"{names}: {self.counted(score)}"

    def counted(self, score: Score) -> str:
        unit = "pts" if self.view.unit != "tricks" else "tricks"
        parts = [] if score.points is None else [f"{score.points} {unit}"]
        if score.result is not None:
            parts = [signed(score.result)]
        if score.total is not None and any(other.total for other in self.view.scores):
            parts.append(f"total {score.total}")
        return ", ".join(parts)

    def banner(self) -> str:
        """Return the current player and the kind of decision, or how the deal has ended."""
        view = self.view
        lines = list(map(view.say, view.result))
        if not view.over:
            assert view.to_act is not None
            actor = view.seats[view.to_act]
            mine = view.player is not None and actor.player == view.player
            who = "Your turn" if mine else f"{view.say(actor.name)} is to act"
            phase = view.say(view.phase)
            lines = [f"{who}: {phase[:1].lower()}{phase[1:]}"]
        if not lines:
            return ""
        y = self.layout.banner
        if view.over:
            y = self.centre[1] + 14 - 10 * len(lines)
        wide = min(max(words.width(line, 15, bold=True) for line in lines) + 40, 760)
        high = 12 + 20 * len(lines)
        box = (
            f'<rect x="{self.centre[0] - wide / 2:.1f}" y="{y - 20:.1f}" width="{wide:.1f}" '
            f'height="{high}" rx="{min(high / 2, 16):g}" fill="#0b241a" fill-opacity=".82"/>'
        )
        texts = [
            self.text(
                self.centre[0], y + 20 * row, words.fitted(line, 14.6, 700), 15,
                anchor="middle", fill=_GOLD, bold=True,
            )
            for row, line in enumerate(lines)
        ]  # fmt: skip
        return f'<g id="{self.id}-turn">{box}{"".join(texts)}</g>'

    # ---- Seats ----------------------------------------------------------------------------------

    def seat(self, seat: Seat, place: Place) -> str:
        """Return a seat: its plate, its calls and melds, and its cards."""
        view = self.view
        acting = seat.seat == view.to_act
        wide, high = PLATE
        left, top = place.x - wide / 2, place.y - high / 2
        stroke = f'stroke="{_GOLD}" stroke-width="3"' if acting else 'stroke="#fff" stroke-opacity=".2"'
        own = view.me == seat.seat
        parts = [f'<g id="{self.id}-seat-{seat.seat}">']
        parts.append(self.hand(seat, place, own))
        parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:g}" height="{high:g}" rx="12" '
            f'fill="#0b241a" fill-opacity=".86" {stroke}/>'
        )
        name = words.fitted(view.say(seat.name), 14, wide - (46 if view.dealer == seat.seat else 24))
        parts.append(self.text(left + 12, top + 19, name, 14, bold=True))
        if view.dealer == seat.seat:
            parts.append(self.dealer(left + wide - 18, top + 15))
        for row, line in enumerate(self.plate_lines(seat)):
            shade = _GOLD if row == 0 and seat.roles else _SOFT
            parts.append(
                self.text(
                    left + 12, top + 35 + 15 * row, words.fitted(line, 11, wide - 20), 11, fill=shade
                )
            )
        parts.append(self.melds(seat, place, own))
        return "".join([*parts, "</g>"])

    def plate_lines(self, seat: Seat) -> list[str]:
        """Return the two lines below a name: roles and calls, tricks and points."""
        said = [*seat.roles, *([seat.bid] if seat.bid else [])]
        calls = () if seat.roles else seat.calls[-1:]
        first = " · ".join(map(self.view.say, [*said, *calls]))
        tricks = self.view.say(Text("count.tricks", number=seat.tricks))
        mine = [score for score in self.view.scores if score.seats == (seat.seat,)]
        if mine and len(self.view.scores) == len(self.view.seats):
            counted = self.counted(mine[0])
            tricks = counted if self.view.unit == "tricks" else f"{tricks}, {counted}"
        return [first, tricks]

    def dealer(self, x: float, y: float) -> str:
        return (
            f'<g role="img" aria-label="dealer"><circle cx="{x:.1f}" cy="{y:.1f}" r="9.5" fill="#fff"/>'
            f'<text x="{x:.1f}" y="{y + 4.4:.1f}" text-anchor="middle" font-family="{words.FONT}" '
            'font-size="12" font-weight="700" fill="#0b241a">D</text></g>'
        )

    def hand(self, seat: Seat, place: Place, own: bool) -> str:
        """Return the cards of a seat: large ones at the lower edge for the observing player."""
        number = seat.num_cards if seat.hand is None else len(seat.hand)
        if own and seat.hand is not None:
            return self.own_hand(seat.hand)
        known = seat.hand is not None
        scale = 0.58 if known else 0.36
        start, step = layout.spread(number, cards.WIDTH * scale, 220.0)
        if not known:
            step = min(step, 13.0)
            start = -(step * max(number - 1, 0) + cards.WIDTH * scale) / 2
        wide = step * max(number - 1, 0) + cards.WIDTH * scale
        # Backs stick out above the plate; open cards lie below it.
        y = place.y - PLATE[1] / 2 - cards.HEIGHT * scale * 0.62
        if known:
            y = place.y + PLATE[1] / 2 + 4
        x = min(max(place.x + start, 6.0), WIDTH - 6 - wide)
        return "".join(
            cards.card(
                self.view.faces[seat.hand[i]] if seat.hand is not None else None,
                x + step * i, y, scale, id=self.id,
                number=seat.hand[i] if seat.hand is not None else None,
            )
            for i in range(number)
        )  # fmt: skip

    def own_hand(self, hand: tuple[int, ...]) -> str:
        scale = 1.62 if len(hand) <= 9 else 1.45
        start, step = layout.spread(len(hand), cards.WIDTH * scale, WIDTH - 60)
        reasons = {c.card: c.forbidden for c in self.view.choices if c.card is not None}
        return "".join(
            cards.card(
                self.view.faces[card], WIDTH / 2 + start + step * i, 516, scale, id=self.id,
                number=card, dimmed=bool(reasons.get(card)),
            )
            for i, card in enumerate(hand)
        )  # fmt: skip

    def melds(self, seat: Seat, place: Place, own: bool) -> str:
        """Return the announced or open melds of a seat, with their points."""
        if not seat.melds:
            return ""
        text = "; ".join(f"{self.view.say(meld.text)}: {meld.points}" for meld in seat.melds[:3])
        text = words.fitted(text, 11, 300 if own else PLATE[0] + 40)
        if own:
            return self.text(place.x + PLATE[0] / 2 + 12, place.y + 4, text, 12, fill=_GOLD)
        below = 15.0 if seat.hand is None else 78.0
        y = min(place.y + PLATE[1] / 2 + below, HEIGHT - 4)
        return self.text(place.x, y, text, 11, anchor="middle", fill=_GOLD)

    # ---- In the middle --------------------------------------------------------------------------

    def trick(self) -> str:
        """Return the trick; between tricks the last one, in the background."""
        view = self.view
        if view.trick.plays:
            return self.cards_of(view.trick, "trick", 1.0)
        if view.last_trick is None or view.over:
            return ""
        drawn = self.cards_of(view.last_trick, "last-trick", 0.5)
        winner = view.last_trick.winner
        if winner is None:
            return drawn
        won = f"{view.name(winner)} won this trick"
        return drawn + self.text(
            self.centre[0], self.centre[1] + 5, won, 13, anchor="middle", bold=True
        )

    def cards_of(self, trick: Trick, name: str, opacity: float) -> str:
        scale = 0.9 if len(self.view.seats) <= 5 else 0.8
        parts = [f'<g id="{self.id}-{name}" opacity="{opacity:g}">']
        for play in trick.plays:
            place = self.places[play.seat]
            if play.seat == trick.leader:
                below = place.card[1] + cards.HEIGHT * scale / 2 + 12
                parts.append(self.text(place.card[0], below, "led", 10, anchor="middle", fill=_SOFT))
            x = place.card[0] - cards.WIDTH * scale / 2
            y = place.card[1] - cards.HEIGHT * scale / 2
            face = None if play.card is None else self.view.faces[play.card]
            parts.append(cards.card(face, x, y, scale, id=self.id, number=play.card, angle=place.angle))
        return "".join([*parts, "</g>"])

    def piles(self) -> Iterator[str]:
        """Yield the cards beside the trick; they lie in the middle before the first card."""
        middle = not self.view.trick.plays and self.view.last_trick is None and not self.view.over
        left = 18.0
        wide = [self.pile_width(pile, middle) for pile in self.view.piles]
        if middle:
            left = self.centre[0] - (sum(wide) + 24 * (len(wide) - 1)) / 2
        for pile, width in zip(self.view.piles, wide, strict=True):
            yield self.pile(pile, left, middle)
            left += width + (24 if middle else 14)

    def pile_step(self, pile: Pile, middle: bool) -> tuple[float, float]:
        scale = 0.8 if middle else 0.5
        if len(pile.cards) > 8:
            scale = 0.42
        step = cards.WIDTH * scale * (0.5 if len(pile.cards) <= 8 else 0.3)
        return scale, step

    def pile_width(self, pile: Pile, middle: bool) -> float:
        scale, step = self.pile_step(pile, middle)
        wide = cards.WIDTH * scale + step * (len(pile.cards) - 1)
        return max(wide, words.width(self.view.say(pile.name), 11))

    def pile(self, pile: Pile, left: float, middle: bool) -> str:
        scale, step = self.pile_step(pile, middle)
        top = self.centre[1] - 62 if middle else HEADER + 12
        found = [
            cards.card(
                None if card is None else self.view.faces[card], left + step * i, top, scale, id=self.id
            )
            for i, card in enumerate(pile.cards)
        ]
        name = self.view.say(pile.name)
        below = self.text(left, top + cards.HEIGHT * scale + 14, name, 11, fill=_SOFT)
        return f"<g>{''.join(found)}{below}</g>"

    def chips(self) -> str:
        """Return the choices other than cards of a hand, with forbidden ones greyed out."""
        held = {card for seat in self.view.seats for card in seat.hand or ()}
        calls = [choice for choice in self.view.choices if choice.card not in held]
        if not calls:
            return ""
        shown = calls[:_MOST_CHIPS]
        more = len(calls) - len(shown)
        rows: list[list[tuple[str, bool]]] = [[]]
        room = 470.0
        used = 0.0
        chips = [(self.view.say(choice.text), choice.forbidden is not None) for choice in shown]
        for text, forbidden in [*chips, *([(f"{more} more", True)] if more else [])]:
            wide = words.width(text, 12) + 26
            if used + wide > room and rows[-1]:
                rows.append([])
                used = 0.0
            rows[-1].append((text, forbidden))
            used += wide
        top = self.centre[1] + 46 if self.view.piles else self.centre[1] - 13 * len(rows)
        return "".join(self.chip_row(row, top + 28 * i) for i, row in enumerate(rows))

    def chip_row(self, row: list[tuple[str, bool]], y: float) -> str:
        wide = [words.width(text, 12) + 18 for text, _ in row]
        left = self.centre[0] - (sum(wide) + 8 * (len(row) - 1)) / 2
        parts = []
        for (text, forbidden), width in zip(row, wide, strict=True):
            fill, ink, shade = (
                ("#fffdf7", "#14231c", "1") if not forbidden else ("#8fa79b",) * 2 + (".35",)
            )
            parts.append(
                f'<rect x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="23" rx="11.5" '
                f'fill="{fill}" fill-opacity="{shade}"/>'
            )
            middle = left + width / 2
            parts.append(self.text(middle, y + 16, text, 12, fill=ink, anchor="middle", red=packs.RED))
            left += width + 8
        return "".join(parts)


def trumps(view: View) -> str:
    """Describe the trumps, with a label if the words alone do not say it."""
    trump = view.trump or Text("")
    label = "trumps: " if trump.key in ("trump.none", "mode.sheepshead") else ""
    return label + view.say(trump)


def describe(view: View) -> str:
    """Return a view in a few sentences, for screen readers."""
    parts = []
    if view.trump:
        fixed = view.trump.key == "mode.suit"
        said = view.say(Text("mode.fixed", **view.trump.args)) if fixed else trumps(view)
        sentence = words.spoken(said)
        parts.append(f"{sentence[:1].upper()}{sentence[1:]}.")
    if view.dealer is not None:
        parts.append(f"{view.name(view.dealer)} has dealt.")
    for seat in view.seats:
        roles = f" ({', '.join(map(view.say, seat.roles))})" if seat.roles else ""
        held = f"{seat.num_cards} cards"
        if seat.hand:
            held = " ".join(view.faces[card] for card in seat.hand)
        parts.append(f"{view.say(seat.name)}{roles} holds {held}.")
    for play in view.trick.plays:
        card = "a card face down" if play.card is None else view.faces[play.card]
        parts.append(f"{view.name(play.seat)} played {card}.")
    if view.to_act is not None:
        parts.append(f"{view.name(view.to_act)} is to act.")
    return " ".join([*parts, *map(view.say, view.result)])
