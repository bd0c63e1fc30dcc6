"""A view in a terminal: the table with its trick, hands, scores, and the choices with their keys.

Needs the extra `play`: rich, which knows what a terminal can show. All of it is plain lines, 80 columns
wide, that read well without colour and through a pipe.
"""

import math
from collections.abc import Sequence

from rich.text import Text

from jaxcards.play.answers import Keys
from jaxcards.play.canvas import Canvas, coloured
from jaxcards.play.hints import Hint
from jaxcards.view.structure import Choice, Score, Seat, Trick, View, signed

WIDTH = 78
_NAME = 22  # letters of a name
_MANY = 12  # choices, from which on they stand in rows by their first words


def screen(view: View, keys: Keys) -> list[Text]:
    """Returns everything that a player needs for its next choice."""
    return [*header(view), *table(view), *below(view), *hand(view, keys), *choices(view, keys)]


# ---- Above the table ----------------------------------------------------------------------------


def header(view: View) -> list[Text]:
    """Returns game, facts, trumps and score."""
    facts = [f"{name}: {value}" for name, value in view.facts]
    title = Text(view.game, "bold")
    for fact in facts:
        title.append("  ·  ")
        title.append_text(coloured(fact))
    lines = [Text(""), *wrapped(title)]
    named = view.trump.removesuffix(" trumps")
    lines.append(coloured(f"Trumps: {named}" if named else "No trumps named yet"))
    if len(view.scores) < len(view.seats):
        lines += [_side(view, score) for score in view.scores]
    elif any(score.total for score in view.scores):
        totals = [f"{view.seats[s.seats[0]].name} {s.total}" for s in view.scores]
        lines += wrapped(Text("Totals: " + ", ".join(totals)))
    return lines


def _side(view: View, score: Score) -> Text:
    names = " + ".join(view.seats[seat].name for seat in score.seats)
    unit = view.unit.removesuffix("s") if score.points == 1 else view.unit
    parts = [] if score.points is None else [f"{score.points} {unit}"]
    if score.total is not None:
        parts.append(f"{score.total} in the match")
    return Text(f"{names}: {', '.join(parts)}")


def wrapped(text: Text) -> list[Text]:
    """Returns a text in lines that fit, broken at blanks."""
    lines, left = [], text
    while len(left.plain) > WIDTH:
        cut = left.plain.rfind(" ", 0, WIDTH + 1)
        cut = cut if cut > 0 else WIDTH
        lines.append(left[:cut])
        left = left[cut + 1 :]
    return [*lines, left]


# ---- The table ----------------------------------------------------------------------------------


def table(view: View) -> list[Text]:
    """Returns the seats around the trick, the player who looks below."""
    many = len(view.seats) > 4
    up, rows = (6, 15) if many else (5, 13)
    canvas = Canvas(WIDTH, rows)
    middle, row = WIDTH / 2, up
    trick, style = view.trick, ""
    if not trick.plays and view.last_trick is not None:
        trick, style = view.last_trick, "dim"
    for seat in view.seats:
        right, down = _direction(view, seat.seat)
        column = middle + 29 * right
        for number, line in enumerate(_label(view, seat)):
            canvas.write(column, row + up * down + number, line)
    for seat in view.seats:
        right, down = _direction(view, seat.seat)
        canvas.write(
            middle + 13 * right, row + 0.45 * up * down, _card_of(view, trick, seat.seat, style)
        )
    if not view.trick.plays:
        canvas.write(middle, row, _middle(view))
    return canvas.lines()


def _direction(view: View, seat: int) -> tuple[float, float]:
    """Returns where a seat is, to the right and down; clockwise from below."""
    number = len(view.seats)
    angle = math.pi / 2 + 2 * math.pi * ((seat - (view.me or 0)) % number) / number
    return math.cos(angle), math.sin(angle)


def _label(view: View, seat: Seat) -> list[Text]:
    """Returns name and standing of a seat in two lines."""
    acting = seat.seat == view.to_act
    name = seat.name if len(seat.name) <= _NAME else seat.name[: _NAME - 1] + "…"
    mark = "> " if acting else ""
    dealer = " (dealer)" if seat.seat == view.dealer else ""
    first = Text(f"{mark}{name}{dealer}", "bold yellow" if acting else "bold")
    first.stylize("bold yellow" if acting else "bold")
    said = [*seat.roles, *([seat.bid] if seat.bid else [])] or list(seat.calls[-1:])
    tricks = f"{seat.tricks} trick{'' if seat.tricks == 1 else 's'}"
    own = [score for score in view.scores if score.seats == (seat.seat,)]
    if own and own[0].points is not None and view.unit != "tricks":
        tricks += f", {own[0].points} points"
    return [first, coloured(", ".join([*said, tricks])[:36])]


def _card_of(view: View, trick: Trick, seat: int, style: str) -> Text:
    for play in trick.plays:
        if play.seat == seat:
            face = "face down" if play.card is None else view.faces[play.card]
            led = "*" if seat == trick.leader else " "
            card = Text(f"{led}[", style)
            card.append_text(coloured(face, style))
            return card.append("] ", style or None)
    return Text("")


def _middle(view: View) -> Text:
    """Returns what lies in the middle while no trick does."""
    if view.last_trick is not None and view.last_trick.winner is not None:
        return Text(f"{view.seats[view.last_trick.winner].name} won", "dim")
    piles = []
    for pile in view.piles:
        known = [view.faces[card] for card in pile.cards if card is not None]
        piles.append(f"{pile.name}: {' '.join(known) or f'{len(pile.cards)} cards'}")
    return coloured("   ".join(piles))


def below(view: View) -> list[Text]:
    """Returns melds, and what else lies on the table during the play."""
    lines = []
    for seat in view.seats:
        if seat.melds:
            melds = ", ".join(f"{meld.text} ({meld.points})" for meld in seat.melds)
            whose = "you have" if seat.seat == view.me else f"{seat.name} has"
            lines += wrapped(coloured(f"{whose} {melds}"))
        if seat.aside:
            lines.append(coloured(f"laid aside: {' '.join(view.faces[c] for c in seat.aside)}"))
    if view.trick.plays or view.last_trick is not None:
        for pile in view.piles:
            known = [view.faces[card] for card in pile.cards if card is not None]
            if known:
                lines += wrapped(coloured(f"{pile.name}: {' '.join(known)}"))
    if view.trick.plays:
        lines.append(Text("* led", "dim"))
    if view.player is None:
        for seat in view.seats:
            if seat.hand:
                lines.append(coloured(f"{seat.name}: {' '.join(view.faces[c] for c in seat.hand)}"))
    return lines


# ---- The hand and the choices -------------------------------------------------------------------


def hand(view: View, keys: Keys) -> list[Text]:
    """Returns the cards of the player who looks, and below each the key that chooses it."""
    seats = [seat for seat in view.seats if seat.player == view.player and seat.hand]
    lines: list[Text] = []
    if view.me is not None and view.seats[view.me].hand is None:
        lines.append(Text("You may not look at your hand yet.", "bold"))
    for seat in seats:
        assert seat.hand is not None
        whose = "Your hand  " if seat.seat == view.me else f"{seat.name}  "
        top, bottom = Text(whose, "bold"), Text(" " * len(whose))
        for card in seat.hand:
            key = keys.of_card(card)
            forbidden = any(c.card == card and c.forbidden for c in view.choices)
            face = view.faces[card]
            wide = max(len(face), len(key)) + 2
            top.append_text(coloured(face, "dim" if forbidden else ""))
            top.append(" " * (wide - len(face)))
            bottom.append(f"{'-' if forbidden else key:<{wide}}", "dim" if forbidden else "cyan")
        lines += [top] + ([bottom] if bottom.plain.strip() else [])
    reasons = dict.fromkeys(c.forbidden for c in view.choices if c.forbidden and c.card is not None)
    in_hand = {card for seat in seats for card in seat.hand or ()}
    if all(c.card in in_hand for c in view.choices if c.card is not None):
        lines += [coloured(f"  - {reason}", "dim") for reason in reasons]
    return lines


def choices(view: View, keys: Keys) -> list[Text]:
    """Returns the choices that are no cards of a hand, with their keys, kind by kind."""
    in_hand = {card for seat in view.seats if seat.player == view.player for card in seat.hand or ()}
    others = [c for c in view.choices if c.card is None or c.card not in in_hand]
    if keys.numbers is not None and others:
        first, last = keys.numbers
        named = others[0].text.rpartition(" ")[0]
        lines = [Text(f"  {first} to {last}  {named} so many", "cyan")]
        return lines + [_refused(choice) for choice in others if choice.forbidden]
    legal = [choice for choice in others if not choice.forbidden]
    rows = _levels(legal, keys) if len(legal) > _MANY else _cells(legal, keys)
    return rows + [_refused(choice) for choice in others if choice.forbidden]


def _cells(legal: Sequence[Choice], keys: Keys) -> list[Text]:
    """Returns choices in columns, as many as fit beside each other."""
    if not legal:
        return []
    wide = max(len(choice.text) for choice in legal) + 7
    number = max(WIDTH // wide, 1)
    rows = []
    for first in range(0, len(legal), number):
        row = Text()
        for choice in legal[first : first + number]:
            row.append(f"{keys.of_action(choice.action):>4} ", "cyan")
            row.append_text(coloured(choice.text))
            row.append(" " * (wide - 5 - len(choice.text)))
        row.rstrip()
        rows.append(row)
    return rows


def _levels(legal: Sequence[Choice], keys: Keys) -> list[Text]:
    """Returns many choices, those that begin alike in one row: "bid 100   4 ♦   5 ♥"."""
    groups: dict[str, list[tuple[Choice, str]]] = {}
    for choice in legal:
        words = choice.text.split(" ")
        head, tail = " ".join(words[:2]), " ".join(words[2:])
        groups.setdefault(head if tail else "", []).append((choice, tail or choice.text))
    rows: list[Text] = []
    for head, members in groups.items():
        if not head:
            rows += _cells([choice for choice, _ in members], keys)
            continue
        row = Text(f"    {head:<12}")
        for choice, tail in members:
            row.append(f"{keys.of_action(choice.action):>4} ", "cyan")
            row.append_text(coloured(tail))
        rows += wrapped(row)
    return rows


def _refused(choice: Choice) -> Text:
    return coloured(f"   - {choice.text}: {choice.forbidden}", "dim")


# ---- Hints and ends -----------------------------------------------------------------------------


def hint(view: View, found: Hint, keys: Keys, unit: str) -> list[Text]:
    """Returns what each choice is worth, the best first, and the reason."""
    texts = {choice.action: choice.text for choice in view.choices}
    shown = found.worths[:12]
    wide = max([len(texts.get(worth.action, "")) for worth in shown] + [6])
    head = f"  {'':<3} {'choice':<{wide}}  policy   {unit}"
    lines = [Text(head, "bold")]
    for worth in shown:
        row = Text().append(f"  {keys.of_action(worth.action):<3} ", "cyan")
        text = texts.get(worth.action, str(worth.action))
        row.append_text(coloured(text))
        row.append(" " * (wide - len(text)))
        row.append(f"  {100 * worth.policy:4.0f} %")
        if worth.value is not None and worth.error is not None:
            row.append(f"   {worth.value:+7.2f} ± {worth.error:.2f}")
        lines.append(row)
    if len(found.worths) > len(shown):
        lines.append(Text(f"  and {len(found.worths) - len(shown)} more", "dim"))
    best = texts.get(found.worths[0].action, "")
    lines += wrapped(coloured(f"Hint: {best}, as {found.reason}."))
    return lines


def ending(view: View) -> list[Text]:
    """Returns how a deal has ended, and how the match stands."""
    lines = [Text("")] + [line for text in view.result for line in wrapped(coloured(text, "bold"))]
    for score in view.scores:
        if score.total is not None and score.result is not None:
            names = " + ".join(view.seats[seat].name for seat in score.seats)
            lines.append(Text(f"{names}: {signed(score.result)}, total {score.total + score.result}"))
    return lines


def plain_letters(text: str) -> str:
    """Returns a text for terminals that know ASCII alone: suits are letters."""
    pairs: Sequence[tuple[str, str]] = (
        ("♣", "c"), ("♦", "d"), ("♥", "h"), ("♠", "s"), ("…", "..."), ("·", "-"), ("±", "+-"),
        ("–", "-"), ("ö", "oe"), ("’", "'"),
    )  # fmt: skip
    for symbol, letters in pairs:
        text = text.replace(symbol, letters)
    return text.encode("ascii", "replace").decode()
