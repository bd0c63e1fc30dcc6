"""The mean of a policy under all names of the suits: what it is, and who plays by it."""

import dataclasses
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agents.networks import saved
from jaxcards.agents.networks.network import NetworkAgent, PlanesNetwork, forward
from jaxcards.agents.networks.symmetry import mean_log_probabilities, renamed, symmetries
from jaxcards.agents.search.analysis import play_out
from jaxcards.errors import UserError
from jaxcards.testing.deals import play_deals

GAME = jaxcards.make("rikiki", num_players=3, schedule=(4,))
ONCE = NetworkAgent(GAME, (8,), greedy=True)
MEAN = dataclasses.replace(ONCE, symmetric=True)
FEATURES, ACTIONS = GAME.num_features, GAME.num_actions


@pytest.fixture(scope="module")
def params():
    return ONCE.init(jax.random.key(1), GAME)


@pytest.fixture(scope="module")
def seen():
    """Observations and legal actions at decisions of random deals."""

    def look(state):
        return GAME.observe(state, state.current_player), GAME.legal_actions(state)

    return quick.jit(jax.vmap(look))(play_deals(GAME, 16).some(48, over=False))


def answers(features):
    """Return a policy that prefers no two actions equally, and changes with every feature."""
    weights = jax.random.normal(jax.random.key(2), (FEATURES, ACTIONS))
    return features @ weights


def test_suits_may_change_their_names():
    """The renamed position gets the renamed policy, whatever the network says."""
    rng = np.random.default_rng(3)
    features = jnp.asarray(rng.integers(2, size=FEATURES), jnp.float32)
    mask = rng.random(ACTIONS) < 0.5
    mean = quick.jit(lambda features, mask: mean_log_probabilities(GAME, answers, features, mask))
    policy, found = mean(features, jnp.asarray(mask)), symmetries(GAME)
    assert np.isclose(jnp.exp(policy).sum(), 1) and (np.asarray(policy)[~mask] < -1e9).all()
    for inputs, actions in zip(found.inputs, found.actions, strict=True):
        renamed = np.zeros(ACTIONS, bool)
        renamed[actions] = mask
        other = np.asarray(mean(features[inputs], jnp.asarray(renamed)))
        np.testing.assert_allclose(other[actions], policy, rtol=1e-4, atol=1e-4)


def test_a_renamed_network_answers_as_the_network_does_about_the_renamed_position(params):
    rng = np.random.default_rng(5)
    features = jnp.asarray(rng.integers(2, size=(7, FEATURES)), jnp.float32)
    network, found = PlanesNetwork(FEATURES, (8,), ACTIONS), symmetries(GAME)
    other = quick.jit(lambda number: forward(network, renamed(GAME, params, number), features))
    for number, (inputs, actions) in enumerate(zip(found.inputs, found.actions, strict=True)):
        expected = forward(network, params, features[:, inputs])[:, actions]
        np.testing.assert_allclose(other(number), expected, rtol=1e-4, atol=1e-6)
    assert number > 1 and not np.allclose(expected, forward(network, params, features), atol=1e-3)


def test_calls_are_means_of_those_permutations_alone_that_hold_for_them():
    game = jaxcards.make("jass/schieber_2500")  # spades and clubs count twice
    found = symmetries(game)
    assert len(found.calls) == 6 and found.calls.sum() == 2 and found.calls[0]
    weights = jax.random.normal(jax.random.key(2), (game.num_features, game.num_actions))
    features = jax.random.bernoulli(jax.random.key(4), 0.5, (game.num_features,)).astype(jnp.float32)
    call = game.string_to_action("choose h")
    mask = np.zeros(game.num_actions, bool)
    mask[[call, call + 1, call + 2]] = True
    policy = mean_log_probabilities(game, lambda x: x @ weights, features, jnp.asarray(mask))
    logits = np.stack([
        (features[inputs] @ weights)[actions]
        for inputs, actions, holds in zip(*found, strict=True) if holds
    ])  # fmt: skip
    each = jax.nn.log_softmax(np.where(mask, logits, -np.inf), axis=-1)[:, mask]
    expected = jax.nn.log_softmax(np.maximum(each, -20).mean(0))
    np.testing.assert_allclose(np.asarray(policy)[mask], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.slow
def test_an_agent_plays_legal_actions_by_the_mean(params, seen):
    @quick.jit
    @jax.vmap
    def look(observation, legal):
        policy = MEAN.log_probabilities(params, observation, legal)
        action = MEAN.act(params, observation, legal, jax.random.key(0))
        once = ONCE.log_probabilities(params, observation, legal)
        return policy, action, legal.mask(), once

    policy, action, legal, once = jax.tree.map(np.asarray, look(*seen))
    assert (policy.argmax(-1) == action).all() and legal[np.arange(len(action)), action].all()
    assert not np.allclose(policy, once) and MEAN.fast_policy == ONCE


@pytest.mark.slow
def test_worlds_are_played_out_by_one_answer(params, seen):
    """A search uses the fast policy, because the mean would cost six times as much."""
    observation, legal = jax.tree.map(lambda leaf: leaf[0], seen)
    play = quick.jit(
        lambda agent, key: play_out(
            GAME, agent, params, observation, jax.vmap(legal.nth)(jnp.arange(2)), key, worlds=4
        ),
        static_argnums=0,
    )
    by_mean, by_one = (play(agent, jax.random.key(5)) for agent in (MEAN, ONCE))
    assert (by_mean == by_one).all()


def test_a_file_says_so(tmp_path, params):
    info = saved.PlayerInfo(GAME.id, FEATURES, ACTIONS, (8,), "float32", symmetric=True)
    assert "symmetric" not in dataclasses.replace(info, symmetric=False).to_json()
    path = tmp_path / "player.msgpack"
    saved.write_network(path, info, params)
    agent, _ = saved.for_game(Path("player"), GAME, *saved.read_network(path))
    assert agent == MEAN


def test_planes_have_no_other_names():
    with pytest.raises(UserError, match="this player sees planes") as error:
        NetworkAgent(jaxcards.make("belote/bela"), (8,), inputs="planes", symmetric=True)
    assert "\n" not in str(error.value)
