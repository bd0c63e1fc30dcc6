"""The compiled game against the plain-Python reference, at every decision of random deals."""

import dataclasses
from collections import Counter

import pytest
from support.marks import by_cost

from games.sheepshead.playout import (
    BATCH,
    check_deals,
    play,
    random_deals,
    random_record,
)
from games.sheepshead.reference import rank
from games.sheepshead.variants import COMBINATIONS, DEFAULTS, PRESETS, RARE, VALUES, VARIANTS, rules_of
from jaxcards.games.sheepshead.rules import PRESETS as ENGINE_PRESETS
from jaxcards.games.sheepshead.rules import SheepsheadRules


@pytest.mark.parametrize("variant", by_cost(VARIANTS, RARE))
def test_every_moment(variant):
    check_deals(variant, *random_record(variant))


def test_rules_are_those_of_the_page():
    assert {f.name: f.default for f in dataclasses.fields(SheepsheadRules)} == DEFAULTS
    assert list(ENGINE_PRESETS) == list(PRESETS)
    for name, changes in PRESETS.items():
        assert dataclasses.asdict(ENGINE_PRESETS[name]) == DEFAULTS | changes, name


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
        deals, record = random_record(variant)
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
@pytest.mark.parametrize("variant", by_cost(VARIANTS, RARE))
def test_every_moment_of_many_deals(variant):
    """Compare eight times the deals of `test_every_moment`, with other seeds."""
    deals = random_deals(variant, 8 * BATCH, seed=100)
    check_deals(variant, deals, play(variant, deals, seed=101))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_random_rules(number):
    """Any combination of rules."""
    variant = f"random {number}"
    deals = random_deals(variant, 2 * BATCH, seed=number)
    check_deals(variant, deals, play(variant, deals, seed=number))
