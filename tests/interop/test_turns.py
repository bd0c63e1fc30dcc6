"""The inputs of a learner, and the way back of its actions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.interop import turns
from jaxcards.interop.extras import require

EUCHRE = jaxcards.make("euchre")


@pytest.fixture(scope="module")
def moments():
    """Decisions of random deals of Euchre, in which the trump suit is called the first one."""

    def play(key):
        state = EUCHRE.init(key)

        def once(state, step):
            action = EUCHRE.legal_actions(state).sample(key, step)
            return EUCHRE.step(state, action), state

        return jax.lax.scan(once, state, jnp.arange(EUCHRE.max_steps))[1]

    states = quick.jit(jax.vmap(play))(jax.random.split(jax.random.key(0), 8))
    flat = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), states)
    going = np.flatnonzero(~np.asarray(flat.terminated))
    return jax.tree.map(lambda leaf: leaf[going], flat)


@pytest.mark.slow_after(1)
def test_actions_have_the_names_of_the_features(moments):
    def look(state):
        seen = turns.turn(EUCHRE, state)
        actions = jnp.arange(EUCHRE.num_actions)
        back = jax.vmap(lambda action: turns.game_action(EUCHRE, state, action))(actions)
        return seen, back, EUCHRE.legal_action_mask(state)

    seen, back, mask = jax.device_get(quick.jit(jax.vmap(look))(moments))
    assert (np.take_along_axis(mask, back, 1) == seen.mask).all()
    assert (back != np.arange(EUCHRE.num_actions)).any(), "no suit is called another one"
    observed = jax.vmap(lambda s: EUCHRE.features(EUCHRE.observe(s, s.current_player)))
    assert (quick.jit(observed)(moments) == seen.features).all()


@pytest.mark.slow
def test_a_network_chooses_the_same_behind_a_door(moments):
    """Features and mask, a network of them, and its action translated: the choice of `NetworkAgent`."""
    agent = NetworkAgent(EUCHRE, (8,), greedy=True)
    params = agent.init(jax.random.key(1), EUCHRE)

    def choose(state):
        observation = EUCHRE.observe(state, state.current_player)
        own = agent.act(params, observation, EUCHRE.legal_actions(state), jax.random.key(0))
        seen = turns.turn(EUCHRE, state)
        logits = agent.network.apply(params, EUCHRE.feature_words(observation))
        named = jnp.where(seen.mask, logits, -jnp.inf).argmax()
        return own, turns.game_action(EUCHRE, state, named)

    own, behind = quick.jit(jax.vmap(choose))(moments)
    assert (own == behind).all()


@pytest.mark.parametrize("action", [-3, 0, 5, 7, 31, 32, 1000])
def test_an_illegal_action_becomes_a_legal_one(action):
    legal = ActionSet.of(EUCHRE.action_layout, [5, 7, 31])
    found = int(turns.legal_one(legal, jnp.int32(action)))
    assert found in (5, 7, 31) and (found == action or action not in (5, 7, 31))


def test_all_legal_actions_can_stand_in():
    legal = ActionSet.of(EUCHRE.action_layout, [5, 7, 31])
    found = {int(turns.legal_one(legal, jnp.int32(action))) for action in range(12)}
    assert found == {5, 7, 31}


def test_a_door_is_for_games():
    with pytest.raises(
        UserError, match=r"a game is needed, such as jaxcards.make\('jass'\), not 'jass'"
    ):
        turns.check_game("jass")


def test_a_missing_package_is_named():
    with pytest.raises(
        UserError, match=r"jaxcards.interop.pgx needs pgx: pip install .*\[pgx\]"
    ):
        require("no_such_package.core", "pgx", "pgx")
