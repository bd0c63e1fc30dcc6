"""Frozen seats: who sits there plays as ever, and nothing is learned from it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.self_play import Frozen, play_metrics, self_play
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.testing.deals import quick_jit

GAME = jaxcards.make("rikiki", num_players=3, schedule=(3,))
POLICY = NetworkAgent(GAME, (8,))
OTHER = NetworkAgent(GAME, (16,), greedy=True)
DEALS = 64


@pytest.fixture(scope="module")
def params():
    return tuple(agent.init(jax.random.key(i), GAME) for i, agent in enumerate((POLICY, OTHER)))


@pytest.fixture(scope="module")
def keys():
    words = jax.random.key_data(jax.random.split(jax.random.key(5), DEALS)).astype(jnp.uint32)
    return words[:, 0], words[:, 1]


@pytest.fixture(scope="module")
def seats():
    """Return every set of frozen seats, from none to all."""
    return (np.arange(DEALS)[:, None] >> np.arange(3)) & 1 == 1


@quick_jit
def played(params, keys, seats):
    return self_play(GAME, POLICY.network, params[0], keys, frozen=Frozen(OTHER, params[1], seats))


@pytest.mark.slow
def test_the_share_of_the_commonest_call_is_counted_over_all_devices(params, keys, seats):
    both = experience, _ = played(params, keys, seats)
    halves = jax.tree.map(
        lambda x: jnp.stack(jnp.split(x, 2, axis=1 if x.shape[1] == DEALS else 0)), both
    )
    metrics = jax.vmap(lambda half: play_metrics(GAME, [half], 2), axis_name=sharding.AXIS)(halves)
    actions = np.asarray(experience.action)[np.asarray(experience.decides)]
    calls = np.bincount(actions)[GAME.deck.num_cards :]
    assert 2 < np.count_nonzero(calls)
    np.testing.assert_allclose(metrics["commonest_call"], calls.max() / calls.sum(), rtol=1e-6)


@pytest.mark.slow
def test_frozen_seats_play_as_their_agent_does(params, keys, seats):
    """Every deal is replayed, and the agent is asked again."""
    experience, returns = played(params, keys, seats)

    @quick_jit
    @jax.vmap
    def ask(state):
        observation, legal = GAME.observe(state, state.current_player), GAME.legal_actions(state)
        action = OTHER.act(params[1], observation, legal, jax.random.key(0))
        return Encoding(GAME).action(observation, action), legal.count() > 1

    @quick_jit
    @jax.vmap
    def step(state, action):
        observation = GAME.observe(state, state.current_player)
        return GAME.step(state, Encoding(GAME).action(observation, action))

    states = jax.vmap(lambda *key: GAME.init(jnp.stack(key)))(*keys)
    seen = []
    for time in range(GAME.max_steps):
        player = np.asarray(states.current_player)
        sits = np.take_along_axis(seats, player[:, None], 1)[:, 0]
        asked, choice = map(np.asarray, ask(states))
        action = np.asarray(experience.action[time])
        assert (action[sits] == asked[sits]).all()
        assert (np.asarray(experience.decides[time]) == (choice & ~sits)).all()
        seen.append(action != asked)
        states = step(states, experience.action[time])
    assert np.array(seen).any()  # the policy itself plays otherwise
    np.testing.assert_array_equal(jax.vmap(GAME.returns)(states), returns)


@pytest.mark.slow
def test_no_frozen_seat_is_self_play(params, keys, seats):
    plain = quick_jit(lambda params, keys: self_play(GAME, POLICY.network, params, keys))
    both = plain(params[0], keys), played(params, keys, np.zeros_like(seats))
    for x, y in zip(*map(jax.tree.leaves, both), strict=True):
        np.testing.assert_array_equal(x, y)
