"""The compiled game against the rule functions of jass-kit and pyschieber.

Both peers depart from the Swiss rules in one corner each. The departures are written down here as
predictions; a peer must answer exactly as predicted, at every decision.
"""

from collections import Counter
from functools import cache
from importlib.util import find_spec

import numpy as np
import pytest

from games.jass.peers import peer
from games.jass.playout import play, random_deals
from games.jass.reference import strength, suit

DEALS = 5632  # of 36 plays each: 202,752 decisions
MODULES = {"jass-kit": "jass", "pyschieber": "pyschieber"}

pytestmark = pytest.mark.differential
peers = pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.skipif(
                find_spec(module) is None, reason=f"the package {name} is not installed"
            ),
        )
        for name, module in MODULES.items()
    ],
)


@cache
def decisions() -> list[tuple[int, list[int], list[int], list[int]]]:
    """(mode, table, hand, legal cards of the compiled game) of every play of random deals."""
    found = []
    for deck, dealer, mode, actions, masks in _deals():
        hands = {(dealer + 1 + k) % 4: set(deck[9 * k : 9 * k + 9]) for k in range(4)}
        by_seat = {c: seat for seat, hand in hands.items() for c in hand}
        for t, card in enumerate(actions):
            seat = by_seat[card]
            legal = np.flatnonzero(masks[t]).tolist()
            found.append((mode, actions[t - t % 4 : t], sorted(hands[seat]), legal))
            hands[seat].remove(card)
    return found


@cache
def tricks() -> list[tuple[int, list[int], bool, int, int | None]]:
    """(mode, trick, last, points, winner) by the compiled game; it names no winner at the end."""
    found = []
    for (deck, dealer, mode, actions, _), (players, progress) in zip(
        _deals(), _outcomes(), strict=True
    ):
        by_seat = {c: (dealer + 1 + k // 9) % 4 for k, c in enumerate(deck)}
        for start in range(0, 36, 4):
            trick, last = actions[start : start + 4], start == 32
            points = int((progress[start + 4] - progress[start])[:2].sum())
            leader = by_seat[trick[0]]
            winner = None if last else (int(players[start + 4]) - leader) % 4
            found.append((mode, trick, last, points, winner))
    return found


@cache
def _record():
    deals = random_deals("tournament", DEALS, seed=11)
    record = play("tournament", deals, seed=12)
    # The choice takes one action or two; what follows is always 36 cards.
    calls = (record["action"][:, :2] >= 36).sum(axis=1)
    return deals, record, calls


def _deals():
    deals, record, calls = _record()
    for i in range(DEALS):
        actions = record["action"][i].tolist()
        mode = actions[calls[i] - 1] - 36
        plays = slice(calls[i], calls[i] + 36)
        deck, dealer = deals.decks[i].tolist(), int(deals.dealers[i])
        yield deck, dealer, mode, actions[plays], record["mask"][i, plays, :36]


def _outcomes():
    _, record, calls = _record()
    for i in range(DEALS):
        after = slice(calls[i], calls[i] + 37)
        yield record["player"][i, after], record["progress"][i, after]


def ruffs(mode: int, table: list[int]) -> list[int]:
    """The trumps on a plain lead."""
    if mode >= 4 or not table or suit(table[0]) == mode:
        return []
    return [c for c in table if suit(c) == mode]


def departure(name: str, mode: int, table: list[int], hand: list[int]) -> tuple[str | None, set]:
    """The class of difference that a decision belongs to, and the cards in dispute.

    jass-kit compares with the lower of two ruffs, and takes for the lower the one that is so by
    plain rank (of jack and queen the jack), so that a trump between them passes. pyschieber makes
    a hand of trumps only ruff higher if it can.
    """
    on_table = ruffs(mode, table)
    trumps = [c for c in hand if suit(c) == mode]
    if not on_table:
        return None, set()
    highest = max(strength(c, mode) for c in on_table)
    disputed = set()
    if name == "jass-kit" and len(on_table) == 2 and len(trumps) < len(hand):
        kind = "under-ruff after two ruffs"
        beaten = strength(min(on_table), mode)
        disputed = {c for c in trumps if beaten < strength(c, mode) < highest}
    elif name == "pyschieber" and len(trumps) == len(hand):
        kind = "over-ruff forced"
        lower = {c for c in trumps if strength(c, mode) < highest}
        disputed = lower if len(lower) < len(trumps) else set()
    return (kind, disputed) if disputed else (None, set())


def predicted(name: str, mode: int, table: list[int], hand: list[int], legal: list[int]):
    """What the peer should answer where the compiled game says `legal`."""
    _, disputed = departure(name, mode, table, hand)
    return sorted(set(legal) ^ disputed)


@peers
def test_legal_cards(name):
    kinds = Counter()
    assert len(decisions()) >= 200_000
    for mode, table, hand, legal in decisions():
        answer = peer(name).legal(mode, table, hand)
        want = predicted(name, mode, table, hand, legal)
        kind, _ = departure(name, mode, table, hand)
        assert answer == want, (mode, table, hand, legal, answer)
        assert (kind is None) == (answer == legal), (mode, table, hand, legal, answer)
        kinds[kind] += 1
    expected = {"jass-kit": "under-ruff after two ruffs", "pyschieber": "over-ruff forced"}[name]
    assert set(kinds) == {None, expected}, kinds


@peers
def test_winners_and_points(name):
    assert len(tricks()) == 9 * DEALS
    for mode, trick, last, points, winner in tricks():
        assert peer(name).points(mode, trick, last) == points, (mode, trick)
        if winner is not None:
            assert peer(name).winner(mode, trick) == winner, (mode, trick)
