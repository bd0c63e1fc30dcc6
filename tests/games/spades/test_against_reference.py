"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import fields

import numpy as np
import pytest
from support.marks import by_cost

from games.playout import check_after_the_end
from games.spades.playout import (
    BATCH,
    check_deals,
    game_of,
    low_bids,
    play,
    random_deals,
    random_record,
)
from games.spades.variants import RARE, VARIANTS, rules_of

every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))


@every_variant
def test_every_moment(name):
    check_deals(name, *random_record(name))


@every_variant
def test_rules_are_those_of_the_page(name):
    rules, want = game_of(name).rules, vars(rules_of(name))
    assert {field.name: getattr(rules, field.name) for field in fields(rules)} == want


@every_variant
def test_after_the_end(name):
    check_after_the_end(random_record(name)[1])


def test_random_deals_have_made_and_failed_nils_and_blind_nils():
    points = random_record("standard")[1]["points"][:, -1]
    assert (points > 100).any() and (points < -100).any()
    points = random_record("blind_nil")[1]["points"][:, -1]
    assert (points < -200).any()


@pytest.mark.slow
@every_variant
def test_every_moment_of_many_deals(name):
    """Compare 16 times the deals of `test_every_moment`, with other seeds."""
    rules = rules_of(name)
    for seed in range(100, 116):
        deals = random_deals(rules, BATCH, seed)
        record = play(name, deals, low_bids(rules, BATCH, seed), seed=seed)
        check_deals(name, deals, record)
        assert np.unique(record["points"][:, -1]).size > 20
