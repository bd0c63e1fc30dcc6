"""The compiled game against the rule functions of jass-kit and pyschieber.

Whole deals are compared with the simulator of jass-kit: who declares, who wins each trick, the score.

Both peers depart from the Swiss rules in one corner each. The departures are written down here as
predictions; a peer must answer exactly as predicted, at every decision.
"""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from games.jass.peers import MODULES, peer, peer_param
from games.jass.playout import Deals, play, random_deals
from games.jass.reference import CHOOSE, PUSH, strength, suit

DEALS = 5632  # of 36 plays each: 202,752 decisions
WHOLE_DEALS = 512
ONE_SUIT_DEALS = 48  # every dealer with every mode, chosen by forehand or after a push

peers = pytest.mark.parametrize("name", [peer_param(name) for name in MODULES])


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
def tricks() -> list[tuple[int, list[int], bool, int, int]]:
    """(mode, trick, last, points, place of the winner) by the compiled game."""
    found = []
    for (deck, dealer, mode, actions, _), (winners, progress) in zip(
        _deals(), _outcomes(), strict=True
    ):
        by_seat = {c: (dealer + 1 + k // 9) % 4 for k, c in enumerate(deck)}
        for number, start in enumerate(range(0, 36, 4)):
            trick, last = actions[start : start + 4], number == 8
            points = int((progress[start + 4] - progress[start])[:2].sum())
            winner = (int(winners[number]) - by_seat[trick[0]]) % 4
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
        yield record["winners"][i, -1], record["progress"][i, calls[i] : calls[i] + 37]


def ruffs(mode: int, table: list[int]) -> list[int]:
    """Return the trumps on a plain lead."""
    if mode >= 4 or not table or suit(table[0]) == mode:
        return []
    return [c for c in table if suit(c) == mode]


def departure(name: str, mode: int, table: list[int], hand: list[int]) -> tuple[str | None, set]:
    """Return the class of difference of a decision, and the cards in dispute.

    jass-kit compares with the lower of two ruffs, and determines the lower one by plain rank (jack
    below queen), so that it allows a trump between them. pyschieber makes a hand with only trumps ruff
    higher if it can.
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
    """Return the expected answer of the peer if the compiled game says `legal`."""
    _, disputed = departure(name, mode, table, hand)
    return sorted(set(legal) ^ disputed)


@pytest.mark.slow
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


@pytest.mark.slow
@peers
def test_winners_and_points(name):
    assert len(tricks()) == 9 * DEALS
    for mode, trick, last, points, winner in tricks():
        assert peer(name).points(mode, trick, last) == points, (mode, trick)
        assert peer(name).winner(mode, trick) == winner, (mode, trick)


def openings() -> list[list[int]]:
    """Return the calls of each deal: the six modes in turn, chosen by forehand or after a push."""
    return [[PUSH] * (i // 6 % 2) + [CHOOSE + i % 6] for i in range(WHOLE_DEALS)]


def whole_deals() -> Deals:
    """Return random deals; in the last 48 each seat holds one suit, so one side takes all tricks."""
    deals = random_deals("tournament", WHOLE_DEALS, seed=13)
    rng = np.random.default_rng(14)
    for i in range(WHOLE_DEALS - ONE_SUIT_DEALS, WHOLE_DEALS):
        deals.decks[i] = (9 * rng.permutation(4)[:, None] + np.arange(9)).ravel()
        deals.dealers[i] = i // 12 % 4
    return deals


@pytest.mark.parametrize("name", [peer_param("jass-kit")])
def test_whole_deals_have_the_same_outcome(name):
    deals, calls = whole_deals(), openings()
    record = play("tournament", deals, calls, seed=15)
    matches = Counter()
    for i, opening in enumerate(calls):
        first_card = len(opening)
        actions = record["action"][i, : first_card + 36].tolist()
        assert actions[:first_card] == opening
        assert record["terminated"][i].tolist().index(True) == len(actions)
        found = peer(name).play(deals.deck(i), int(deals.dealers[i]), actions)
        progress = record["progress"][i, first_card : first_card + 37 : 4, :2]
        winners, score = record["winners"][i, -1].tolist(), record["points"][i, -1].tolist()
        assert found.refused == [], i
        assert found.declarer == record["player"][i, first_card - 1], i
        assert found.winners == winners, i
        assert found.trick_points == np.diff(progress.sum(axis=1)).tolist(), i
        assert found.score * 2 == score, i
        sides = {seat % 2 for seat in winners}
        if len(sides) == 1:
            assert sorted(found.score) == [0, 157], i
            matches["declarer" if found.declarer % 2 in sides else "opponents"] += 1
    assert matches.total() >= ONE_SUIT_DEALS
    assert set(matches) == {"declarer", "opponents"}
