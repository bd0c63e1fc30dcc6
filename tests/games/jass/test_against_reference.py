"""The compiled game against the plain-Python reference, at every decision of random deals."""

import numpy as np
import pytest

from games.jass.playout import engine_view, game_of, random_record, reference_view
from games.jass.reference import suit
from games.jass.variants import VARIANTS, rules_of

DEALS = 256


@pytest.mark.parametrize("name", VARIANTS)
def test_every_moment(name):
    """Legal set, player, progress, announced and shown Weis, the 72 integers, points, winner."""
    deals, record = random_record(name)
    for i in range(DEALS):
        deal = deals.reference(name, i)
        for t in range(record["action"].shape[1]):
            want, got = reference_view(deal), engine_view(record, i, t)
            if not rules_of(name).finish == "immediate" and not deal.terminated:
                got["match_winner"] = None  # known to the engine before it is decided
            assert got == want, f"deal {i}, decision {t}: {describe(deals, record, i, t)}"
            if not deal.terminated:
                deal.step(int(record["action"][i, t]))


@pytest.mark.parametrize("name", VARIANTS)
def test_rules_are_the_contracts(name):
    rules, want = game_of(name).rules, vars(rules_of(name))
    assert {field: getattr(rules, field) for field in want} == want


def test_deals_are_varied():
    """What the comparison rests on: pushes, all modes, Weis of either team, Stöck, early ends."""
    deals, record = random_record("short_match")
    seen = {"pushed": 0, "early": 0, "late": 0}
    modes, weis_teams, stock = set(), set(), set()
    for i in range(DEALS):
        deal = deals.reference("short_match", i)
        while not deal.terminated:
            deal.step(
                int(record["action"][i, len(deal.played) + (deal.mode is not None) + deal.pushed])
            )
        seen["pushed"] += deal.pushed
        seen["early" if len(deal.tricks) < 9 else "late"] += 1
        modes.add(deal.mode)
        weis_teams.add(deal.weis_team)
        stock.add(tuple(deal.stock_points))
    assert modes == set(range(8))
    assert weis_teams == {None, 0, 1}
    assert stock == {(0, 0), (20, 0), (0, 20)}
    assert min(seen.values()) > 0


def describe(deals, record, i, t) -> str:
    """The deal as a report needs it."""
    actions = record["action"][i, :t].tolist()
    return (
        f"deck {deals.decks[i].tolist()}, dealer {deals.dealers[i]}, totals "
        f"{deals.totals[i].tolist()}, mode {deals.modes[i]}, actions {actions}"
    )


def test_hard_deals():
    """Deals of long suits, in which under-ruffs, lone jacks and rich Weis are common."""
    from games.jass.playout import Deals, play

    name, n = "schieber_1000", DEALS
    rng = np.random.default_rng(5)
    decks = []
    for _ in range(n):  # cards of a suit tend to stay together
        order = rng.permutation(4)
        key = [4 * order[suit(c)] + rng.normal(0, 4) for c in range(36)]
        decks.append(np.argsort(key))
    deals = Deals(
        np.array(decks, np.int32),
        rng.integers(0, 4, n, dtype=np.int32),
        np.zeros((n, 2), np.int32),
        np.zeros(n, np.int32),
    )
    record = play(name, deals, seed=9)
    for i in range(n):
        deal, t = deals.reference(name, i), 0
        while not deal.terminated:
            got = engine_view(record, i, t)
            want = reference_view(deal)
            got["match_winner"] = None
            assert got == want, describe(deals, record, i, t)
            deal.step(int(record["action"][i, t]))
            t += 1
        assert engine_view(record, i, t)["points"] == deal.points()
