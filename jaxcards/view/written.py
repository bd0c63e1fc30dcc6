"""A whole deal as text: what the view with open hands shows, and every trick."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jaxcards.view.builder import ViewBuilder
from jaxcards.view.structure import Seat, View, label


def written(view: View, tables: Sequence[ViewBuilder], points: Any) -> str:
    """Return a deal as text for people.

    Args:
      view: with all hands open.
      tables: of all players; the order of play is read from the one who knows most.
      points: int[num_players], which count once the deal is over.
    """
    table = min(tables, key=lambda table: sum(play.card is None for play in table.plays))
    if view.to_act is None:
        last = f"points by player: {', '.join(map(str, points.tolist()))}"
    else:
        last = f"{view.name(view.to_act)} is to act: {view.say(view.phase)}"
    return "\n".join([*_lines(view, table), last])


def _lines(view: View, table: ViewBuilder) -> Iterator[str]:
    facts = [f"{view.say(label(fact))}: {view.say(fact)}" for fact in view.facts]
    if view.trump is not None:
        facts.insert(0, f"trumps: {view.trump_suit or view.say(view.trump)}")
    yield "; ".join([f"dealer: {view.name(table.dealer)}", *facts])
    for seat in view.seats:
        yield from _seat(view, table, seat)
    yield from (f"{view.say(pile.name)}: {_cards(view, pile.cards)}" for pile in view.piles)
    yield from _tricks(view, table)
    yield from map(view.say, view.result)


def _seat(view: View, table: ViewBuilder, seat: Seat) -> Iterator[str]:
    """Yield the cards that a seat has to play, those that are left, and its calls and melds."""
    held, played = seat.hand or (), [card for card in table.played[seat.seat] if card is not None]
    roles = f" ({', '.join(map(view.say, seat.roles))})" if seat.roles else ""
    yield f"{view.name(seat.seat)}{roles}: {_cards(view, table.ordered([*held, *played]))}"
    if held and played:
        yield f"  still has {_cards(view, held)}"
    if seat.aside:
        yield f"  laid aside {_cards(view, seat.aside)}"
    if said := [*seat.calls, *([seat.bid] if seat.bid else [])]:
        yield f"  {', '.join(map(view.say, said))}"
    yield from (f"  {view.say(meld.text)}: {meld.points} points" for meld in seat.melds)


def _tricks(view: View, table: ViewBuilder) -> Iterator[str]:
    """Yield a line for each trick: its number, its leader, its cards, and who has won it."""
    plays, size = table.plays, table.trick_size
    for number, start in enumerate(range(0, len(plays), size)):
        trick = plays[start : start + size]
        won = f", won by {view.name(table.winner(number))}" if len(trick) == size else ""
        cards = _cards(view, [play.card for play in trick])
        yield f"trick {number + 1}: {view.name(trick[0].seat)} leads  {cards}{won}"


def _cards(view: View, cards: Iterable[int | None]) -> str:
    return " ".join("(face down)" if card is None else view.faces[card] for card in cards)
