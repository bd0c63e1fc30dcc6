"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import fields, replace

import numpy as np
import pytest
from support.marks import by_cost

from games.hearts.playout import BATCH, check_deals, game_of, play, random_deals, random_record
from games.hearts.variants import RARE, VARIANTS, rules_of
from games.playout import check_after_the_end

every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))


@every_variant
def test_every_moment(name):
    check_deals(name, *random_record(name))


@every_variant
def test_rules_are_those_of_the_page(name):
    rules, want = game_of(name).rules, vars(rules_of(name))
    assert {field.name: getattr(rules, field.name) for field in fields(rules)} == want


@pytest.mark.parametrize("name", by_cost(["options", "lax", "three"], {"lax"}))
def test_hard_deals(name):
    """Deals of long suits: leads of hearts alone, moons, and penalties in the first trick."""
    deals = random_deals(rules_of(name), BATCH, seed=5)
    rng = np.random.default_rng(5)
    keys = [4 * rng.permutation(4)[np.arange(52) // 13] + rng.normal(0, 2, 52) for _ in range(BATCH)]
    deals = replace(deals, decks=np.argsort(np.array(keys), axis=1).astype(np.int32))
    record = play(name, deals, seed=9)
    check_deals(name, deals, record)
    assert (record["progress"][:, -1] == 26).any(axis=1).sum() > 3


@every_variant
def test_after_the_end(name):
    check_after_the_end(random_record(name)[1])


@pytest.mark.slow
@every_variant
def test_every_moment_of_many_deals(name):
    """Compare 16 times the deals of `test_every_moment`, with other seeds."""
    for seed in range(100, 116):
        deals = random_deals(rules_of(name), BATCH, seed)
        check_deals(name, deals, play(name, deals, seed=seed))
