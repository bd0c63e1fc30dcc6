"""The compiled game against the plain-Python reference, at every decision of random deals."""

from collections import Counter

import pytest

from games.agreement import agreement
from games.sheepshead.playout import BATCH, PLAYOUTS
from games.sheepshead.reference import rank
from games.sheepshead.variants import COMBINATIONS, RARE, VALUES, VARIANTS, rules_of

test_every_moment, test_rules_are_those_of_the_page, _, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=8
)


def test_every_value_of_every_rule_is_played():
    played = {field: {getattr(rules_of(v), field) for v in VARIANTS} for field in VALUES}
    assert played == {field: set(values) for field, values in VALUES.items()}
    assert set(COMBINATIONS) < set(VARIANTS)


@pytest.mark.slow
def test_deals_are_varied():
    """The comparison covers calls of every kind, unknowns, cracks, every result."""
    kinds, results = Counter(), Counter()
    variants = ("deepsheep", "standard", "deepsheep_crack", "deepsheep_doubler", "six_called", "six_jd")
    for variant in variants:
        deals, record = PLAYOUTS.random_record(variant)
        for i in range(BATCH):
            deal = deals.reference(variant, i)
            for action in record["action"][i]:
                if not deal.terminated:
                    deal.step(int(action))
            kinds["leaster" if deal.is_leaster() else "void" if not deal.record else "picked"] += 1
            kinds["alone"] += deal.announced_alone
            kinds["unknown"] += deal.unknown is not None
            kinds["called below an ace"] += deal.called is not None and rank(deal.called) != "A"
            kinds["cracked"] += deal.cracker is not None
            kinds["recracked"] += deal.recracked
            if deal.picker is not None:
                results[deal.magnitude()] += 1
    assert min(kinds.values()) >= 2 and len(kinds) == 8, kinds
    assert set(results) == {-3, -2, -1, 1, 2, 3}, results


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_random_rules(number):
    """Any combination of rules."""
    variant = f"random {number}"
    PLAYOUTS.check(variant, *PLAYOUTS.played(variant, 2 * BATCH, seed=number))
