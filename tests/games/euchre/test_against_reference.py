"""The compiled game against the plain-Python reference, at every decision of random deals."""

import pytest

from games.agreement import agreement
from games.euchre.playout import BATCH, PLAYOUTS
from games.euchre.variants import RARE, VARIANTS, rules_of

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=8
)


@pytest.mark.slow
def test_deals_are_varied():
    """The comparison covers every phase, both rounds, playing alone or not, all results."""
    phases, seen = set(), set()
    for name in VARIANTS:
        deals, record = PLAYOUTS.random_record(name)
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
@pytest.mark.parametrize("seed", range(100, 148))
def test_any_combination_of_rules(seed):
    PLAYOUTS.check(f"random {seed}", *PLAYOUTS.played(f"random {seed}", BATCH, seed))
