"""The compiled game against the plain-Python reference, at every decision of random deals."""

from dataclasses import replace

import pytest
from support.marks import by_cost

from games.agreement import agreement
from games.hearts.playout import PLAYOUTS
from games.hearts.variants import RARE, VARIANTS, rules_of
from games.playout import long_suits

test_every_moment, test_rules_are_those_of_the_page, test_after_the_end, test_many_deals = agreement(
    PLAYOUTS, rules_of, VARIANTS, RARE, many=16
)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", by_cost(["options", "lax", "three"], {"lax"}))
def test_hard_deals(name):
    """Deals of long suits: leads of hearts alone, moons, and penalties in the first trick."""
    deals = replace(PLAYOUTS.deals(name, 128, seed=5), decks=long_suits(128))
    record = PLAYOUTS.play(name, deals, seed=9)
    PLAYOUTS.check(name, deals, record)
    assert (record["progress"][:, -1] == 26).any(axis=1).sum() > 3
