"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import replace

import pytest
from support.marks import by_cost

from games.agreement import agreement
from games.jass.playout import PLAYOUTS
from games.jass.reference import OBENABE, weis_of_hand
from games.jass.variants import RARE, VARIANTS, rules_of
from games.playout import clustered_decks

DEALS = 256

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=8
)


@pytest.mark.slow
def test_deals_are_varied():
    """The comparison covers pushes, all modes, Weis of either team, Stöck, early ends."""
    deals, record = PLAYOUTS.random_record("short_match")
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


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", HARD)
def test_hard_deals(name):
    """Deals of long suits and of equal ranks: under-ruffs, lone jacks, Weis that share cards."""
    deals = replace(PLAYOUTS.deals(name, DEALS, seed=5), decks=clustered_decks(DEALS, 9, (2.0,)))
    record = PLAYOUTS.play(name, deals, seed=9)
    PLAYOUTS.check(name, deals, record)
    shared = 0
    for i in range(DEALS):
        for seat in range(4):
            deal = deals.reference(name, i)
            weis = weis_of_hand(rules_of("schieber_1000"), OBENABE, deal.dealt[seat])
            shared += sum(len(w.cards) for w in weis) > len({c for w in weis for c in w.cards})
    assert shared > 10
