"""A policy with a rollout policy: each answers where it is asked, from parameters of both."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards import registry
from jaxcards.agent import RandomAgent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.search import Belief, Policies, SearchAgent, WithRolloutPolicy
from jaxcards.agents.search.belief import log_weights
from jaxcards.agents.search.playing import play_on
from jaxcards.errors import UserError
from jaxcards.testing.deals import play_deals

GAME = jaxcards.make("rikiki", num_players=3, schedule=(4,))
POLICY = NetworkAgent(GAME, (8,), greedy=True, symmetric=True)
ROLLOUT = NetworkAgent(GAME, (5, 3), symmetric=True)
BOTH = WithRolloutPolicy.around(POLICY, ROLLOUT)
ONCE = dataclasses.replace(ROLLOUT, symmetric=False)
WORLDS = 8


@pytest.fixture(scope="module")
def params():
    """Those of networks that have opinions."""
    small = BOTH.init(jax.random.key(1), GAME)
    assert isinstance(small, Policies)
    return jax.tree.map(lambda leaf: 8 * leaf, small)


@pytest.fixture(scope="module")
def states():
    return play_deals(GAME, 16).some(24, over=False)


@pytest.mark.slow
def test_it_plays_as_the_policy_does(params, states):
    def look(agent, params):
        def one(state):
            seen, legal = GAME.observe(state, state.current_player), GAME.legal_actions(state)
            return agent.act(params, seen, legal, jax.random.key(0)), agent.log_probabilities(
                params, seen, legal
            )

        return quick.jit(jax.vmap(one))(states)

    ours, policy, rollout = look(BOTH, params), look(POLICY, params.policy), look(ONCE, params.rollout)
    assert (ours[0] == policy[0]).all() and (ours[1] == policy[1]).all()
    assert not np.allclose(policy[1], rollout[1])
    assert (look(BOTH.fast_policy, params)[1] == rollout[1]).all()


@pytest.mark.slow
def test_the_rollout_policy_plays_worlds_on(params):
    worlds = jax.vmap(GAME.init)(jax.random.split(jax.random.key(4), WORLDS))
    bids = [GAME.string_to_action(name) for name in ("bid 0", "bid 1")]
    action, key = jnp.asarray(bids, jnp.int32), jax.random.key(5)
    play = quick.jit(
        lambda agent, params: play_on(GAME, agent, params, worlds, action, key), static_argnums=0
    )
    ours, rollout = play(BOTH, params), play(ONCE, params.rollout)
    assert (ours == rollout).all() and (ours != play(POLICY, params.policy)).any()


@pytest.mark.slow
def test_a_belief_asks_the_rollout_policy(params, states):
    state = jax.tree.map(lambda leaf: leaf[3], states)
    draw = quick.jit(lambda key: GAME.determinize(key, state, state.current_player))
    worlds = jax.tree.map(
        lambda *leaves: jnp.stack(leaves), *map(draw, jax.random.split(jax.random.key(6), 4))
    )
    weigh = quick.jit(
        lambda agent, params: log_weights(GAME, agent, params, worlds, state.current_player, Belief()),
        static_argnums=0,
    )
    ours, rollout = weigh(BOTH, params), weigh(ONCE, params.rollout)
    assert (ours == rollout).all() and (ours != weigh(POLICY, params.policy)).any()


@pytest.mark.slow
def test_a_search_of_both_is_a_search(params, states):
    agent = SearchAgent(GAME, BOTH, worlds=4, candidates=3)

    def one(state):
        seen, legal = GAME.observe(state, state.current_player), GAME.legal_actions(state)
        found = agent.analyse(params, seen, legal, jax.random.key(7))
        return legal.mask()[agent.choice(found, legal)], found.action[0] == BOTH.act(
            params, seen, legal, jax.random.key(0)
        )

    legal, first = quick.jit(jax.vmap(one))(jax.tree.map(lambda leaf: leaf[:6], states))
    assert legal.all() and first.all()


@pytest.mark.slow
@pytest.mark.parametrize("id", by_cost(registry.GAMES, {*registry.GAMES} - {"spades"}))
def test_every_game_is_searched_with_a_rollout_policy_and_a_belief(id):
    """Untrained networks do; calls and passed cards are searched as well."""
    game = jaxcards.make(id)
    both = WithRolloutPolicy.around(NetworkAgent(game, (8,)), NetworkAgent(game, (5,)))
    agent = SearchAgent(game, both, worlds=2, candidates=2, belief=Belief(draws=2), calls=True)
    params = jax.tree.map(lambda leaf: 8 * leaf, agent.init(jax.random.key(1), game))

    def one(state):
        seen, legal = game.observe(state, state.current_player), game.legal_actions(state)
        found = agent.analyse(params, seen, legal, jax.random.key(7))
        return legal.mask()[agent.choice(found, legal)], found.value, found.legal

    states = play_deals(game, 16).some(24, over=False)
    legal, value, mask = map(np.asarray, quick.jit(jax.vmap(one))(states))
    assert legal.all() and np.isfinite(value).all()
    assert (value[:, 0] != value[:, 1])[mask[:, 1]].any()


def test_what_cannot_be_one_is_refused():
    other = NetworkAgent(jaxcards.make("rikiki", num_players=4, schedule=(4,)), (5,))
    with pytest.raises(UserError, match="needs a rollout policy of the same rules") as error:
        WithRolloutPolicy.around(POLICY, other)
    assert "\n" not in str(error.value)
    for pair in ((BOTH, ROLLOUT), (POLICY, RandomAgent())):
        with pytest.raises(UserError, match="both policies must be a NetworkAgent, not a"):
            WithRolloutPolicy.around(*pair)
