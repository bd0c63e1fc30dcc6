"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import fields

import numpy as np
import pytest
from support.marks import by_cost

from games.playout import check_after_the_end
from games.skat.playout import (
    BATCH,
    check_deals,
    game_of,
    play,
    random_deals,
    random_record,
    scripts,
)
from games.skat.reference import VALUES
from games.skat.variants import RARE, VARIANTS, rules_of
from jaxcards.games.skat import calls

every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))


def test_values_of_all_games():
    assert list(calls.VALUES) == VALUES and len(VALUES) == 63
    assert VALUES[:10] == [18, 20, 22, 23, 24, 27, 30, 33, 35, 36] and VALUES[-3:] == [216, 240, 264]


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


def test_random_deals_are_won_lost_overbid_and_thrown_in():
    record = random_record("isko")[1]
    points = record["points"][:, -1].sum(axis=1)
    assert (points > 0).any() and (points == 0).any() and (points < -200).any()
    assert (random_record("ramsch")[1]["points"][:, -1] == 0).sum() > BATCH


@pytest.mark.slow
@every_variant
def test_every_moment_of_many_deals(name):
    """Compare 100,000 decisions, in deals with other seeds."""
    decisions, seed = 0, 100
    while decisions < 100_000:
        deals = random_deals(BATCH, seed)
        record = play(name, deals, scripts(rules_of(name), BATCH, seed), seed=seed)
        check_deals(name, deals, record)
        decisions, seed = decisions + int((~record["terminated"]).sum()), seed + 1
    assert np.unique(record["points"][:, -1]).size > 20
