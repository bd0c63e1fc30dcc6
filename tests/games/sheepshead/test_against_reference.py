"""The compiled game against the plain-Python reference, at every decision of random deals."""

import dataclasses
from collections import Counter

import numpy as np
import pytest
from support.marks import by_cost

from games.sheepshead.playout import (
    BATCH,
    play,
    random_deals,
    random_record,
    reference_seen,
    seen_by,
)
from games.sheepshead.reference import rank
from games.sheepshead.variants import COMBINATIONS, DEFAULTS, PRESETS, RARE, VALUES, VARIANTS, rules_of
from jaxcards.games.sheepshead.rules import PRESETS as ENGINE_PRESETS
from jaxcards.games.sheepshead.rules import SheepsheadRules


@pytest.mark.parametrize("variant", by_cost(VARIANTS, RARE))
def test_every_moment(variant):
    deals, record = random_record(variant)
    for i in range(BATCH):
        check_deal(variant, deals, record, i)


def check_deal(variant, deals, record, i):
    """Legal set, player, progress, chips, and what every seat sees."""
    deal = deals.reference(variant, i)
    for t in range(record["action"].shape[1]):
        where = f"deal {i}, decision {t}: {describe(deals, record, i, t)}"
        over = bool(record["terminated"][i, t])
        assert over == deal.terminated, where
        assert record["progress"][i, t].tolist() == deal.progress(), where
        # Every seat's view costs more than all else: at each moment one, after each deal all.
        for player in range(deal.n) if over else [(i + t) % deal.n]:
            assert seen_by(record, i, t, player) == reference_seen(deal, player), where
        if over:
            break
        assert int(record["player"][i, t]) == deal.current_player, where
        assert np.flatnonzero(record["mask"][i, t]).tolist() == sorted(deal.legal()), where
        deal.step(int(record["action"][i, t]))
    assert deal.terminated
    assert record["chips"][i, -1].tolist() == deal.chips()
    assert record["returns"][i, -1].tolist() == deal.chips()
    assert record["tricks"][i, -1].tolist() == deal.tricks_won()


def describe(deals, record, i, t) -> str:
    """The deal as a report needs it."""
    actions = record["action"][i, :t].tolist()
    return f"deck {deals.decks[i].tolist()}, dealer {deals.dealers[i]}, actions {actions}"


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
    """What the comparison rests on: calls of every kind, unknowns, cracks, every result."""
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
    """Eight times as many deals as `test_every_moment`, others than there."""
    deals = random_deals(variant, 8 * BATCH, seed=100)
    record = play(variant, deals, seed=101)
    for i in range(8 * BATCH):
        check_deal(variant, deals, record, i)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_random_rules(number):
    """Any combination of rules."""
    variant = f"random {number}"
    deals = random_deals(variant, 2 * BATCH, seed=number)
    record = play(variant, deals, seed=number)
    for i in range(2 * BATCH):
        check_deal(variant, deals, record, i)
