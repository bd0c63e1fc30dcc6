"""Whole deals that lead to a given position: what the compiled game needs of an example.

The cards played on the way there are held by those who play them, but need not be legal: `step`
takes legality for granted, and a position does not depend on how it was reached.
"""

import random
from types import SimpleNamespace

from games.jass.reference import (
    CHOOSE,
    PREDICT,
    SLALOM_TOP,
    mode_of_trick,
    strength,
    suit,
    trick_winner,
    weis_of_hand,
)

DEALER, LEADER = 3, 0


def choose_action(mode: int) -> int:
    """Section 7.2: the action that chooses a mode."""
    return CHOOSE + mode if mode < SLALOM_TOP else 43 + mode - SLALOM_TOP


def opening(rules, mode: int) -> list[int]:
    """Actions before the first card: the forehand chooses, or everybody predicts nothing."""
    return [PREDICT] * 4 if rules.game == "differenzler" else [choose_action(mode)]


def mode_arguments(rules, mode: int) -> dict:
    """Return the arguments of `init_from_deck` besides deck and dealer."""
    return {"mode": mode} if rules.game == "differenzler" else {}


def reach(rules, mode: int, number: int, table: list[int], hand: list[int]) -> SimpleNamespace:
    """Deal in which seat 0 leads `table` in trick `number` and `hand` is to move.

    Seat 0 wins every trick before. Returns deck, dealer, actions, arguments.
    """
    free = [c for c in range(36) if c not in table and c not in hand]
    seats: list[list[int]] = [[] for _ in range(4)]
    for k, c in enumerate(table):
        seats[k].append(c)
    if len(table) < 4:
        seats[len(table)] += hand
    actions = opening(rules, mode)
    for before in range(1, number):
        trick = _won_trick(mode, before, free, rules.guschti)
        for k, c in enumerate(trick):
            seats[k].append(c)
            free.remove(c)
        actions += trick
    for seat in seats:
        while len(seat) < 9:
            seat.append(free.pop())
    return SimpleNamespace(
        deck=sum(seats, []),
        dealer=DEALER,
        actions=actions + table,
        arguments=mode_arguments(rules, mode),
    )


def _won_trick(mode: int, number: int, free: list[int], guschti: bool) -> list[int]:
    """Return four free cards in which the first wins: the strongest, and the weakest below it."""
    now = mode_of_trick(mode, number, guschti)
    order = sorted(free, key=lambda c: (strength(c, now) + 9 * (suit(c) == now), c))
    trick = [order.pop()]
    for c in order:
        if len(trick) < 4 and trick_winner(mode, [trick[0], c], number, guschti) == 0:
            trick.append(c)
    assert len(trick) == 4
    return trick


def fill(rules, mode: int, partial: dict[int, list[int]], leader: int) -> SimpleNamespace:
    """Deal whose seats hold the given cards and no Weis but what those cards make alone."""
    rng = random.Random(len(str(partial)) + leader)
    held = [c for cards in partial.values() for c in cards]
    want = [_weis(rules, mode, partial.get(seat, [])) for seat in range(4)]
    for _ in range(200_000):
        free = [c for c in range(36) if c not in held]
        rng.shuffle(free)
        seats = [list(partial.get(seat, [])) for seat in range(4)]
        for seat in seats:
            while len(seat) < 9:
                seat.append(free.pop())
        if all(_weis(rules, mode, seats[p]) == want[p] for p in range(4)):
            deck = sum((seats[(leader + k) % 4] for k in range(4)), [])
            return SimpleNamespace(
                deck=deck, dealer=(leader + 3) % 4, actions=opening(rules, mode), arguments={}
            )
    raise AssertionError("no such deal found")


def _weis(rules, mode: int, hand: list[int]) -> set:
    return set(weis_of_hand(rules, mode, hand))
