"""Rules that make no sense are refused, with the reason; matches go through the directions."""

import jax
import numpy as np
import pytest

import jaxcards
from games.rows import refused
from jaxcards import Match, testing
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.games.hearts.rules import HeartsRules

WRONG = [
    ({"num_players": 2}, "num_players must be from 3 to 6"),
    ({"num_players": 3}, "a place to the left of 3 players is at most 2, not 3"),
    ({"directions": ()}, "1 to 16 deals, not 0"),
    ({"directions": (4,)}, "a place to the left of 4 players is at most 3, not 4"),
    ({"directions": (6,)}, "directions must be from 0 to 5"),
    ({"jack": 10}, "jack must be from -26 to 0"),
    ({"moon": "sun"}, "unknown moon .sun. .allowed: add, subtract, none"),
    ({"target": 0}, "target must be from 1 to 1000"),
]


test_wrong_rules_are_refused = refused("hearts", HeartsRules, WRONG)


def test_a_wrong_round_is_refused():
    with pytest.raises(UserError, match="round must be an int from 0 to 3"):
        jaxcards.make("hearts").init(jax.random.key(0), round=4)


@pytest.mark.slow
def test_it_passes_the_quick_checks():
    """The slow tests put every preset through all checks. This one passes cards; its pack is short."""
    game = jaxcards.make("hearts/five")
    deals = testing.deals.play_deals(game)
    testing.check_past_is_legal(game, deals)
    testing.check_history(game, deals)
    testing.check_deals_are_uniform(game, num_deals=1000)


@pytest.mark.slow
def test_a_match_goes_through_the_directions():
    match = Match(jaxcards.make("hearts", target=60))

    def play(key):
        return jaxcards.rollout(match, RandomAgent(), (), key).state

    keys = jax.random.split(jax.random.key(0), 32)
    final = jax.tree.map(np.asarray, testing.deals.quick_jit(jax.vmap(play))(keys))
    assert final.over.all()
    deals = final.num_deals
    assert np.array_equal(final.deal.public.round, deals - 1)
    directions = np.array(match.game.rules.directions)
    assert np.array_equal(final.deal.public.direction, directions[(deals - 1) % 4])
    assert (final.totals.max(axis=1) >= 60).all()
    best = final.totals.min(axis=1, keepdims=True)
    assert np.array_equal(final.winners, final.totals == best)
