"""Rules that make no sense are refused, with the reason; every preset passes quick checks."""

import jax
import numpy as np
import pytest

import jaxcards
from games.rows import refused
from jaxcards import Match, testing
from jaxcards.agent import RandomAgent
from jaxcards.games.spades.rules import SpadesRules

WRONG = [
    ({"num_players": 2}, "num_players must be from 3 to 4"),
    ({"num_players": 3}, "num_players must be 4 with partners"),
    ({"partners": False, "joint_limit": True}, "need partners"),
    ({"partners": False, "bidding": "suicide"}, "need partners"),
    ({"bidding": "whiz", "blind_nil": 200}, "blind_nil needs bidding='free'"),
    ({"bidding": "mirror"}, "unknown bidding .mirror. .allowed: free, suicide, whiz"),
    ({"nil": 55}, "must be multiples of 10"),
    ({"blind_nil": 5}, "must be multiples of 10"),
    ({"bag_penalty": 5}, "must be multiples of 10"),
    ({"floor": 0}, "floor must be from -1000 to -10"),
]


test_wrong_rules_are_refused = refused("spades", SpadesRules, WRONG)


@pytest.mark.slow
def test_it_passes_the_quick_checks():
    """The slow tests put every preset through all checks; this one has every kind of bid."""
    game = jaxcards.make("spades/blind_nil")
    deals = testing.deals.play_deals(game)
    testing.check_past_is_legal(game, deals)
    testing.check_history(game, deals)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("preset", ["blind_nil", "solo"])
def test_matches_carry_totals_and_end(preset):
    match = Match(jaxcards.make(f"spades/{preset}", max_deals=12))

    def play(key):
        return jaxcards.rollout(match, RandomAgent(), (), key).state

    keys = jax.random.split(jax.random.key(0), 32)
    final = jax.tree.map(np.asarray, testing.deals.quick_jit(jax.vmap(play))(keys))
    assert final.over.all()
    ended = (final.totals.max(axis=1) >= 500) | (final.totals.min(axis=1) <= -200)
    assert (ended | (final.num_deals == 12)).all() and ended.any()
    assert np.array_equal(final.winners, final.totals == final.totals.max(axis=1, keepdims=True))
