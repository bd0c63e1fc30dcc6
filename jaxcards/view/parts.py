"""The parts that views of several games share: tricks, hands in order, choices of cards."""

import dataclasses
from collections.abc import Callable, Collection, Iterable, Sequence

from jaxcards.cards.sets import Deck
from jaxcards.view.structure import Choice, Play, Trick, View
from jaxcards.view.text import Text

_OF_MATCHES = {
    "won": "outcome.match_won", "lost": "outcome.match_lost", "level": "outcome.match_level",
}  # fmt: skip
_COLOURS_IN_TURN = "♠♥♣♦"  # so that neighbouring suits of a hand differ in colour


def faces(deck: Deck) -> tuple[str, ...]:
    """Return the face of each card."""
    return tuple(deck.pretty(card) for card in range(deck.num_cards))


def in_order(
    deck: Deck,
    cards: Iterable[int],
    strength: Callable[[int], int] | None = None,
    trumps: Collection[int] = (),
) -> tuple[int, ...]:
    """Return cards as people hold them: trumps first, then suit by suit, the strongest card first.

    Args:
      deck: the pack.
      cards: which cards.
      strength: from a card to what cards of a suit are compared by; the number if None.
      trumps: all trumps of the deal; they stand together whatever suit is printed on them.
    """

    def key(card: int) -> tuple[bool, int, int]:
        trump = card in trumps
        # Trumps stand together, and a card without a suit has no place among the colours.
        suit = 0 if trump or card >= deck.num_suit_cards else _place(deck, card)
        # False sorts before True, so trumps come first; the sign puts the strongest card first.
        return not trump, suit, -(strength(card) if strength else card)

    return tuple(sorted(cards, key=key))


def _place(deck: Deck, card: int) -> int:
    return _COLOURS_IN_TURN.index(deck.symbols[card // deck.ranks_per_suit])


def owners(played_by: Sequence[Iterable[int]]) -> dict[int, int]:
    """Return for each card that has been played the seat that played it."""
    return {card: seat for seat, cards in enumerate(played_by) for card in cards}


def tricks_of(
    plays: Sequence[Play], size: int, winners: Callable[[int], int | None]
) -> tuple[Trick, Trick | None]:
    """Return the trick on the table and the one before.

    Args:
      plays: all cards played, in order.
      size: cards of a trick.
      winners: from the number of a complete trick to the seat that won it.
    """
    complete = len(plays) // size
    last = None
    if complete:
        cards = plays[(complete - 1) * size : complete * size]
        last = Trick(tuple(cards), winners(complete - 1))
    return Trick(tuple(plays[complete * size :])), last


def count_tricks(number: int, winners: Callable[[int], int | None], num_seats: int) -> list[int]:
    """Return the number of tricks that each seat has won."""
    won = [winners(trick) for trick in range(number)]
    return [won.count(seat) for seat in range(num_seats)]


def card_choices(
    hand: Iterable[int], legal: Collection[int], kind: str, key: str, reason: Callable[[int], Text]
) -> tuple[Choice, ...]:
    """Return a choice for each card of a hand, in its order.

    Args:
      hand: the cards.
      legal: the legal actions.
      kind: of the choices.
      key: of their texts.
      reason: from a card that is not legal to the rule that forbids it.
    """
    return tuple(
        Choice(card, Text(key, card=card), kind, card, None if card in legal else reason(card))
        for card in hand
    )


def seat_name(seat: int) -> Text:
    """Return the name of a seat whose player has none."""
    return Text("seat.number", number=seat)


def suit_mode(symbol: str) -> Text:
    """Return the text of a trump suit."""
    return Text("mode.suit", suit=symbol)


def side_results(points: Sequence[int]) -> tuple[Text, ...]:
    """Return the score of both sides of four players, from the points of each player."""
    return tuple(Text("result.score", seats=(n, n + 2), number=points[n]) for n in (0, 1))


def bid_results(bids: Sequence[int], won: Sequence[int], points: Sequence[int]) -> tuple[Text, ...]:
    """Return the bid, the tricks and the score of each seat of a game in which everyone is alone."""
    return tuple(
        Text(
            "result.as_bid" if bid == tricks else "result.not_as_bid",
            **{"seat": seat, "won": tricks, "bid": bid, "points": points[seat]},
        )
        for seat, (bid, tricks) in enumerate(zip(bids, won, strict=True))
    )


def lines(**points: int) -> tuple[Text, ...]:
    """Return the lines of a score that are not 0: `lines(weis=50)`; see `Score.lines`."""
    return tuple(Text(f"line.{name}", points=number) for name, number in points.items() if number)


def outcome(points: Sequence[int], player: int, teams: Sequence[int] | None) -> str:
    """Return "won", "lost" or "level": whether a side has most points, fewer, or as many as all others.

    Args:
      points: of each player.
      player: its number.
      teams: the side of each player; None if all play alone.
    """
    number = range(len(points))
    others = [points[n] for n in number if (teams[n] != teams[player] if teams else n != player)]
    if points[player] < max(others):
        return "lost"
    # Most points shared with some others is a win as well, unless all are equal.
    return "won" if points[player] > min(others) else "level"


def verdict(outcome: str, points: Sequence[int], player: int, teams: Sequence[int] | None) -> Text:
    """Return an outcome in words. Of those who play alone the last has lost; others have a place.

    Args:
      outcome: see `outcome`.
      points: of each player.
      player: its number.
      teams: the side of each player; None if all play alone.
    """
    # Those with at most these points, the player included: all others are ahead.
    behind = [number for number in points if number <= points[player]]
    if outcome == "lost" and teams is None and len(behind) > 1:
        return Text("outcome.place", number=1 + len(points) - len(behind), of=len(points))
    return Text(f"outcome.{outcome}")


def sides(teams: Sequence[int] | None, players: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the seats of each side, side 0 first; one side for each player without `teams`.

    Args:
      teams: the side of each player.
      players: the player of each seat.
    """
    found: dict[int, list[int]] = {}
    for seat, player in enumerate(players):
        found.setdefault(teams[player] if teams else player, []).append(seat)
    return [tuple(found[side]) for side in sorted(found)]


def in_match(
    view: View, totals: Sequence[int], number: int, over: bool, winners: Sequence[bool]
) -> View:
    """Return the view of a deal with what its match adds to it.

    Args:
      view: of the deal.
      totals: of each player; with this deal once it is over.
      number: of the deal, from 1.
      over: whether the match is over.
      winners: whether each player has won it.
    """
    result, outcome, verdict = view.result, view.outcome, view.verdict
    if over:
        won = tuple(seat.seat for seat in view.seats if winners[seat.player])
        result += (Text("result.match_won", seats=won) if won else Text("result.match_drawn"),)
        if view.player is not None:
            outcome = ("won" if winners[view.player] else "lost") if won else "level"
            verdict = Text(_OF_MATCHES[outcome])
    facts = (Text("fact.deal", number=number), *view.facts)
    view = view.with_totals(totals)
    return dataclasses.replace(view, facts=facts, result=result, outcome=outcome, verdict=verdict)
