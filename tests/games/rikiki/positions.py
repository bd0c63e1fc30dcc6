"""Whole deals that lead to a given position: what the compiled game needs of an example.

Bids and cards on the way there need not be legal: `step` takes legality for granted.
"""

from types import SimpleNamespace

from games.rikiki.reference import BID


def deck_of(hands: dict[int, list[int]], n: int, k: int, turnup: int | None) -> list[int]:
    """Return a deck in which seats hold the given cards, filled up with others; `turnup` comes next."""
    given = [c for hand in hands.values() for c in hand]
    assert len(set(given)) == len(given) and turnup not in given
    free = [c for c in range(52) if c not in given and c != turnup]
    deck = []
    for seat in range(n):
        hand = list(hands.get(seat, []))
        while len(hand) < k:
            hand.append(free.pop())
        deck += hand
    return deck + ([] if turnup is None else [turnup]) + free


def bidding(rules, k: int, bids: list[int]) -> SimpleNamespace:
    """Return the deal of k cards, and its first bids; seat 0 bids first."""
    return SimpleNamespace(
        deck=list(range(52)),
        dealer=rules.num_players - 1,
        round=rules.schedule.index(k),
        actions=[BID + b for b in bids],
    )


def trick(rules, table: list[int], hand: list[int], turnup: int | None) -> SimpleNamespace:
    """Return the deal in which seat 0 leads `table` in the first trick, and `hand` is to play on it."""
    n, k = rules.num_players, max(len(hand), 2)
    hands = {seat: [c] for seat, c in enumerate(table)}
    if hand:
        hands[len(table)] = hand
    dealer = n - rules.lead_offset
    return SimpleNamespace(
        deck=deck_of(hands, n, k, turnup),
        dealer=dealer,
        round=rules.schedule.index(k),
        actions=[BID] * n + table,
    )
