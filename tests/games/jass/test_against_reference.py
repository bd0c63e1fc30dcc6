"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import replace

import pytest
from support.marks import by_cost

from games.jass.playout import (
    check_deals,
    game_of,
    play,
    random_deals,
    random_record,
)
from games.jass.reference import OBENABE, weis_of_hand
from games.jass.variants import RARE, VARIANTS, rules_of
from games.playout import clustered_decks

DEALS = 256


@pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
def test_every_moment(name):
    check_deals(name, *random_record(name), rows=range(DEALS))


@pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
def test_rules_are_those_of_the_page(name):
    rules, want = game_of(name).rules, vars(rules_of(name))
    assert {field: getattr(rules, field) for field in want} == want


@pytest.mark.slow
def test_deals_are_varied():
    """The comparison covers pushes, all modes, Weis of either team, Stöck, early ends."""
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


HARD = by_cost(
    ["schieber_1000", "old_weis", "noshare_slalom", "short_match"], ["old_weis", "noshare_slalom"]
)


@pytest.mark.parametrize("name", HARD)
def test_hard_deals(name):
    """Deals of long suits and of equal ranks: under-ruffs, lone jacks, Weis that share cards."""
    deals = replace(random_deals(name, DEALS, seed=5), decks=clustered_decks(DEALS, 9, (2.0,)))
    record = play(name, deals, seed=9)
    check_deals(name, deals, record)
    shared = 0
    for i in range(DEALS):
        for seat in range(4):
            deal = deals.reference(name, i)
            weis = weis_of_hand(rules_of("schieber_1000"), OBENABE, deal.dealt[seat])
            shared += sum(len(w.cards) for w in weis) > len({c for w in weis for c in w.cards})
    assert shared > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
def test_every_moment_of_many_deals(name):
    """Compare eight times the deals of `test_every_moment`, with other seeds."""
    for seed in range(100, 108):
        deals = random_deals(name, DEALS, seed)
        check_deals(name, deals, play(name, deals, seed=seed))
