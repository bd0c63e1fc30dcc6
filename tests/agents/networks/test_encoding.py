"""Inputs of a network: features or planes, with matching names of actions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.networks.planes import planes
from jaxcards.errors import UserError
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import play_deals, quick_jit

GAME = jaxcards.make("belote/bela")
ENCODING = Encoding(GAME, "planes")


@pytest.fixture(scope="module")
def seen():
    """Of some positions: planes as they are given, as the game has them, and the names of a card."""

    @quick_jit
    @jax.vmap
    def look(state):
        observation = GAME.observe(state, state.current_player)
        names = [encoding.action(observation, jnp.int32(0)) for encoding in (ENCODING, Encoding(GAME))]
        return ENCODING.encode(observation), planes(observation), *names

    return jax.device_get(look(play_deals(GAME, 8).some(32, over=False)))


def test_planes_are_the_fields_of_the_game_one_after_the_other(seen):
    given, found, _, _ = seen
    assert given.shape == (32, ENCODING.num_inputs) == (32, 392) and given.dtype == np.float32
    assert (given[:, :384].reshape(32, 4, 3, 32) == found.cards).all()
    assert (given[:, 384:388] == found.trump).all() and (given[:, 388:] == found.bidder).all()
    assert found.trump.any() and found.bidder.any()


def test_actions_keep_their_names_with_planes_alone(seen):
    """Features put the trump suit first, so that cards of the first suit have other names there."""
    _, _, own, named = seen
    assert (own == 0).all() and (named != 0).any()


@pytest.mark.slow
def test_an_agent_of_planes_plays_what_is_legal_and_uses_them():
    agent = NetworkAgent(GAME, (16,), inputs="planes")
    params = agent.init(jax.random.key(1), GAME)
    assert jax.tree.leaves(params)[1].shape == (392, 16)

    @quick_jit
    @jax.vmap
    def play(key):
        _, played = recorded_rollout(GAME, agent, params, key)
        return jax.vmap(lambda legal, action: legal.contains(action))(played.legal, played.action)

    assert np.asarray(play(jax.random.split(jax.random.key(6), 32))).all()


def test_a_game_without_planes():
    with pytest.raises(UserError, match="jass has no planes: only its features") as error:
        _ = Encoding(jaxcards.make("jass"), "planes").num_inputs
    assert "\n" not in str(error.value)


def test_a_game_without_such_inputs_says_so():
    game = jaxcards.make("jass")
    row = Encoding(game, "integers").encode(game.observe(game.init(jax.random.key(0)), 0))
    assert row.shape == (72,) and row.dtype == jnp.int32
    with pytest.raises(UserError, match="jass has no planes: only its features"):
        _ = Encoding(game, "planes").num_inputs
