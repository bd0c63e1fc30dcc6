"""The compiled game against the plain-Python reference, at every decision of random deals."""

import pytest
from support.marks import by_cost

from games.euchre.playout import (
    BATCH,
    check_deals,
    game_of,
    play,
    random_deals,
    random_record,
)
from games.euchre.variants import RARE, VARIANTS, rules_of


@pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
def test_every_moment(name):
    check_deals(name, *random_record(name))


@pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
def test_rules_are_those_of_the_page(name):
    assert vars(game_of(name).rules) == vars(rules_of(name))


@pytest.mark.slow
def test_deals_are_varied():
    """The comparison covers every phase, both rounds, playing alone or not, all results."""
    phases, seen = set(), set()
    for name in VARIANTS:
        deals, record = random_record(name)
        for i in range(0, BATCH, 2):
            deal = deals.reference(name, i)
            for action in record["action"][i].tolist():
                phases.add(deal.phase)
                if not deal.terminated:
                    deal.step(action)
            taken = sum(w in deal.makers() for w in deal.winners)
            seen.add((deal.picked_up, deal.alone, deal.lone_defender is not None, taken))
    assert len(phases) == 9
    assert {taken for *_, taken in seen} == set(range(6))
    assert {case[:3] for case in seen} >= {
        (up, alone, lone) for up in (False, True) for alone in (False, True) for lone in (False, True)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
def test_every_moment_of_many_deals(name):
    """Compare eight times the deals of `test_every_moment`, with other seeds."""
    for seed in range(100, 108):
        deals = random_deals(name, BATCH, seed)
        check_deals(name, deals, play(name, deals, seed=seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 148))
def test_any_combination_of_rules(seed):
    name = f"random {seed}"
    deals = random_deals(name, BATCH, seed)
    check_deals(name, deals, play(name, deals, seed=seed))
