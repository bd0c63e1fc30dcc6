"""A view in a terminal: the table with its trick, hands, scores, and the choices with their keys.

Needs the extra `play`: rich, which detects the abilities of a terminal. The output is plain lines, 80
columns wide, which are readable without colour and through a pipe.
"""

import math
from collections.abc import Sequence

from rich.text import Text

from jaxcards.play.answers import Keys
from jaxcards.play.canvas import Canvas, coloured
from jaxcards.play.hints import Hint
from jaxcards.view.structure import Choice, Meld, Score, Seat, Trick, View, label, signed
from jaxcards.view.text import Text as Words

WIDTH = 78
_NAME = 22  # letters of a name
_MANY = 12  # from this number of choices on, group them by their first words


def screen(view: View, keys: Keys) -> list[Text]:
    """Return the information that a player needs for its next choice."""
    return [*header(view), *table(view), *below(view), *hand(view, keys), *choices(view, keys)]


# ---- Above the table ----------------------------------------------------------------------------


def header(view: View) -> list[Text]:
    """Return game, facts, trumps and score."""
    facts = [f"{view.say(label(fact))}: {view.say(fact)}" for fact in view.facts]
    title = Text(view.game, "bold")
    for fact in facts:
        title.append("  ·  ")
        title.append_text(coloured(fact))
    lines = [Text(""), *wrapped(title)]
    if view.trump is not None:
        lines.append(coloured(_trumps(view, view.trump)))
    # Sides with a common score get a line each; players have their scores at their seats.
    if len(view.scores) < len(view.seats):
        lines += [_side(view, score) for score in view.scores]
    elif any(score.total for score in view.scores):
        totals = [f"{view.name(score.seats[0])} {score.total}" for score in view.scores]
        lines += wrapped(Text("Totals: " + ", ".join(totals)))
    return lines


def _trumps(view: View, trump: Words) -> str:
    """Return the line about trumps."""
    said = view.say(trump)
    if trump.key == "mode.fixed":
        return said
    return f"Trumps: {view.trump_suit if trump.key == 'mode.suit' else said}"


def _side(view: View, score: Score) -> Text:
    names = " + ".join(map(view.name, score.seats))
    parts = [] if score.points is None else [counted(view, view.unit, score.points)]
    if score.total is not None:
        parts.append(f"{score.total} in all")
    return Text(f"{names}: {', '.join(parts)}")


def counted(view: View, unit: str, number: int) -> str:
    """Return a number of tricks or points with its unit."""
    return view.say(Words(f"count.{unit}", number=number))


def asked(view: View) -> str:
    """Return the requested decision, as the middle of a line."""
    phase = view.say(view.phase)
    return phase[:1].lower() + phase[1:]


def wrapped(text: Text) -> list[Text]:
    """Return a text in lines that fit, broken at blanks."""
    lines, left = [], text
    while len(left.plain) > WIDTH:
        cut = left.plain.rfind(" ", 0, WIDTH + 1)
        # A word that is longer than a line is cut, and has no blank to leave out.
        end, start = (cut, cut + 1) if cut > 0 else (WIDTH, WIDTH)
        lines.append(left[:end])
        left = left[start:]
    return [*lines, left]


# ---- The table ----------------------------------------------------------------------------------


def table(view: View) -> list[Text]:
    """Return the seats around the trick, with the observing player below."""
    many = len(view.seats) > 4
    # up: rows from the middle of the table to the names above and below it.
    up, rows = (6, 15) if many else (5, 13)
    canvas = Canvas(WIDTH, rows)
    middle, row = WIDTH / 2, up
    trick, style = view.trick, ""
    # Between tricks the last one stays in sight, dimmed.
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
    """Return the position of a seat, to the right and down; clockwise from below."""
    number = len(view.seats)
    # Rows grow downwards, so that a growing angle turns clockwise.
    angle = math.pi / 2 + 2 * math.pi * ((seat - (view.me or 0)) % number) / number
    return math.cos(angle), math.sin(angle)


def _label(view: View, seat: Seat) -> list[Text]:
    """Return name and score of a seat in two lines."""
    acting = seat.seat == view.to_act
    name = view.say(seat.name)
    name = name if len(name) <= _NAME else name[: _NAME - 1] + "…"
    mark = "> " if acting else ""
    dealer = " (dealer)" if seat.seat == view.dealer else ""
    first = Text(f"{mark}{name}{dealer}", "bold yellow" if acting else "bold")
    # The canvas reads the spans of a text, and the style of a whole text is not a span.
    first.stylize("bold yellow" if acting else "bold")
    said = [*seat.roles, *([seat.bid] if seat.bid else [])] or list(seat.calls[-1:])
    counts = [counted(view, "tricks", seat.tricks)]
    own = [score for score in view.scores if score.seats == (seat.seat,)]
    if own and own[0].points is not None and view.unit != "tricks":
        counts.append(counted(view, "points", own[0].points))
    return [first, coloured(", ".join([*map(view.say, said), *counts])[:36])]


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
    """Return the last winner or the piles, between tricks."""
    if view.last_trick is not None and view.last_trick.winner is not None:
        return Text(f"{view.name(view.last_trick.winner)} won", "dim")
    piles = []
    for pile in view.piles:
        known = [view.faces[card] for card in pile.cards if card is not None]
        piles.append(f"{view.say(pile.name)}: {' '.join(known) or f'{len(pile.cards)} cards'}")
    return coloured("   ".join(piles))


def below(view: View) -> list[Text]:
    """Return melds, and other cards on the table during the play."""
    lines = []
    for seat in view.seats:
        if seat.melds:
            lines += wrapped(coloured(_melds(view, seat.seat, seat.melds)))
        if seat.aside:
            key = "aside.pass" if view.phase.key == "ask.pass" else "aside"
            lines.append(coloured(view.say(Words(key, cards=seat.aside))))
    if view.trick.plays or view.last_trick is not None:
        for pile in view.piles:
            known = [view.faces[card] for card in pile.cards if card is not None]
            if known:
                lines += wrapped(coloured(f"{view.say(pile.name)}: {' '.join(known)}"))
    if view.trick.plays:
        lines.append(Text("* led", "dim"))
    for seat in view.seats:
        if seat.hand and seat not in hands_of(view):
            cards = " ".join(view.faces[card] for card in seat.hand)
            lines.append(coloured(f"{view.say(seat.name)}: {cards}"))
    return lines


def _melds(view: View, seat: int, melds: Sequence[Meld]) -> str:
    whose = "you have" if seat == view.me else f"{view.name(seat)} has"
    return f"{whose} {', '.join(f'{view.say(meld.text)} ({meld.points})' for meld in melds)}"


# ---- The hand and the choices -------------------------------------------------------------------


def hands_of(view: View) -> list[Seat]:
    """Return the seats whose cards the player chooses from: its own, and the dummy if it is to act."""
    acting = view.to_act if view.choices and view.player is not None else None
    return [s for s in view.seats if s.hand and (s.player == view.player or s.seat == acting)]


def hand(view: View, keys: Keys) -> list[Text]:
    """Return the cards of the observing player, and below each the key that chooses it."""
    seats = hands_of(view)
    lines: list[Text] = []
    if view.me is not None and view.seats[view.me].hand is None:
        lines.append(Text("You may not look at your hand yet.", "bold"))
    for seat in seats:
        assert seat.hand is not None
        whose = "Your hand  " if seat.seat == view.me else f"{view.say(seat.name)}  "
        top, bottom = Text(whose, "bold"), Text(" " * len(whose))
        for card in seat.hand:
            key = keys.of_card(card)
            forbidden = any(c.card == card and c.forbidden for c in view.choices)
            face = view.faces[card]
            # The key stands below its card, so that both lines have the same columns.
            wide = max(len(face), len(key)) + 2
            if len(top.plain) + wide > WIDTH:
                lines += [top] + ([bottom] if bottom.plain.strip() else [])
                top, bottom = Text(" " * len(whose)), Text(" " * len(whose))
            top.append_text(coloured(face, "dim" if forbidden else ""))
            top.append(" " * (wide - len(face)))
            bottom.append(f"{'-' if forbidden else key:<{wide}}", "dim" if forbidden else "cyan")
        lines += [top] + ([bottom] if bottom.plain.strip() else [])
    # A dictionary names each reason once, and keeps their order.
    reasons = dict.fromkeys(c.forbidden for c in view.choices if c.forbidden and c.card is not None)
    in_hand = {card for seat in seats for card in seat.hand or ()}
    if all(c.card in in_hand for c in view.choices if c.card is not None):
        lines += [coloured(f"  - {view.say(reason)}", "dim") for reason in reasons]
    return lines


def choices(view: View, keys: Keys) -> list[Text]:
    """Return the choices other than cards of a hand, with their keys, kind by kind."""
    in_hand = {card for seat in hands_of(view) for card in seat.hand or ()}
    others = [c for c in view.choices if c.card is None or c.card not in in_hand]
    refused = [_refused(view, choice) for choice in others if choice.forbidden]
    if keys.numbers is not None and others:
        first, last = keys.numbers
        return [Text(f"  {first} to {last}  {asked(view)}", "cyan"), *refused]
    legal = [choice for choice in others if not choice.forbidden]
    return (_levels if len(legal) > _MANY else _cells)(view, legal, keys) + refused


def _cells(view: View, legal: Sequence[Choice], keys: Keys) -> list[Text]:
    """Return choices in columns that fill the width."""
    if not legal:
        return []
    texts = {choice.action: view.say(choice.text) for choice in legal}
    wide = max(map(len, texts.values())) + 7
    number = max(WIDTH // wide, 1)
    rows = []
    for first in range(0, len(legal), number):
        row = Text()
        for choice in legal[first : first + number]:
            row.append(f"{keys.of_action(choice.action):>4} ", "cyan")
            row.append_text(coloured(texts[choice.action]))
            row.append(" " * (wide - 5 - len(texts[choice.action])))
        row.rstrip()
        rows.append(row)
    return rows


def _levels(view: View, legal: Sequence[Choice], keys: Keys) -> list[Text]:
    """Return many choices, bids of a level in one row: "bid 100   4 ♦   5 ♥"."""
    levels: dict[str, list[Choice]] = {}
    others = []
    for choice in legal:
        level = choice.text.args.get("level")
        if level is None:
            others.append(choice)
        else:
            name = view.say(level) if isinstance(level, Words) else str(level)
            levels.setdefault(name, []).append(choice)
    rows: list[Text] = []
    for name, members in levels.items():
        row = Text(f"    {f'bid {name}':<12}")
        for choice in members:
            row.append(f"{keys.of_action(choice.action):>4} ", "cyan")
            row.append_text(coloured(view.say(choice.text.args["mode"])))
        rows += wrapped(row)
    return rows + _cells(view, others, keys)


def _refused(view: View, choice: Choice) -> Text:
    assert choice.forbidden is not None
    return coloured(f"   - {view.say(choice.text)}: {view.say(choice.forbidden)}", "dim")


# ---- Hints and ends -----------------------------------------------------------------------------


def hint(view: View, found: Hint, keys: Keys) -> list[Text]:
    """Return the value of each choice, the best first, and the reason."""
    texts = {choice.action: view.say(choice.text) for choice in view.choices}
    shown = found.worths[:12]
    wide = max([len(texts.get(worth.action, "")) for worth in shown] + [6])
    unit = view.say(Words(f"unit.{view.deal_unit}"))
    head = f"  {'':<3} {'choice':<{wide}}  probability  expected {unit}"
    lines = [Text(head, "bold")]
    for worth in shown:
        row = Text().append(f"  {keys.of_action(worth.action):<3} ", "cyan")
        text = texts.get(worth.action, str(worth.action))
        row.append_text(coloured(text))
        row.append(" " * (wide - len(text)))
        row.append(f"  {100 * worth.policy:9.0f} %")
        if worth.value is not None and worth.error is not None:
            sign = "" if view.deal_unit == "penalty_points" else "+"
            row.append(f"  {view.in_unit(worth.value):{sign}8.2f} ± {worth.error:.2f}")
        lines.append(row)
    if len(found.worths) > len(shown):
        lines.append(Text(f"  and {len(found.worths) - len(shown)} more", "dim"))
    best = texts.get(found.worths[0].action, "")
    lines += wrapped(coloured(f"Hint: {best}, as {view.say(found.said(view))}."))
    return lines


def ending(view: View) -> list[Text]:
    """Return the result of a deal, and the totals of the match."""
    lines = [Text(""), *([Text(view.say(view.verdict), "bold")] if view.verdict else [])]
    for text in view.result:
        lines += wrapped(coloured(view.say(text), "bold"))
    for score in view.scores:
        if score.total is not None and score.result is not None:
            names = " + ".join(map(view.name, score.seats))
            lines.append(Text(f"{names}: {signed(score.result)}, total {score.total}"))
            sources = [f"{view.say(line)} {_amount(line)}" for line in score.lines]
            lines += wrapped(Text("  " + ", ".join(sources), "dim")) if sources else []
    return lines


def _amount(line: Words) -> str:
    return str(line.args["points"]) if "points" in line.args else f"x {line.args['number']}"


def plain_letters(text: str) -> str:
    """Return a text for ASCII terminals: suits are letters."""
    pairs: Sequence[tuple[str, str]] = (
        ("♣", "c"), ("♦", "d"), ("♥", "h"), ("♠", "s"), ("…", "..."), ("·", "-"), ("±", "+-"),
        ("–", "-"), ("ö", "oe"), ("’", "'"),
    )  # fmt: skip
    for symbol, letters in pairs:
        text = text.replace(symbol, letters)
    return text.encode("ascii", "replace").decode()
