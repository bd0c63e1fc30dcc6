"""Objects of the adapters can be pickled, and continue like the originals, also in other processes."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.environments import episode, episode_of, first_legal

from jaxcards.interop import seat


def again(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.slow
def test_gymnasium(small):
    pytest.importorskip("gymnasium")
    from jaxcards.interop.gymnasium import to_env

    env = again(to_env(small))  # before the first deal
    env.reset(seed=3)
    other = again(env)
    assert episode(other) == episode(env)
    # The random numbers of the following deals are in the pickle, too.
    np.testing.assert_array_equal(other.reset()[0], env.reset()[0])


@pytest.mark.slow
def test_gymnasium_in_batches(small):
    pytest.importorskip("gymnasium")
    from jaxcards.interop.gymnasium import to_vector_env

    env = again(to_vector_env(small, 3))
    _, infos = env.reset(seed=3)
    other = again(env)
    for _ in range(4):
        actions = [first_legal(mask) for mask in infos["action_mask"]]
        features, rewards, *_, infos = env.step(actions)
        others = other.step(actions)
        np.testing.assert_array_equal(others[0], features)
        np.testing.assert_array_equal(others[1], rewards)


@pytest.mark.slow
def test_pettingzoo(small):
    pytest.importorskip("pettingzoo")
    from jaxcards.interop.pettingzoo import to_aec

    def play(env):
        found = []
        while env.agents and not all(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            found.append((env.agent_selection, mask.tolist()))
            env.step(first_legal(mask))
        return found, env.rewards

    env = again(to_aec(small))
    env.reset(seed=3)
    other = again(env)
    found = play(env)
    assert found == play(other) and len(found[0]) == small.max_steps


@pytest.mark.slow
def test_pgx(small):
    pytest.importorskip("pgx")
    from jaxcards.interop.pgx import to_pgx

    env = to_pgx(small, -2.0)
    other = again(env)
    assert type(other) is type(env) and other._illegal_action_penalty == -2.0
    state = env.init(jax.random.key(3))
    later = again(state)
    assert type(later) is type(state) and later.env_id == state.env_id
    action = jnp.int32(first_legal(state.legal_action_mask))
    one, two = env.step(state, action), other.step(later, action)
    for x, y in zip(jax.tree.leaves(one), jax.tree.leaves(two), strict=True):
        np.testing.assert_array_equal(x, y)


def test_gymnax(small):
    pytest.importorskip("gymnax")
    from jaxcards.interop.gymnax import to_gymnax

    env, params = to_gymnax(small)
    _, state = env.reset(jax.random.key(3), params)
    assert again(env) == env and hash(again(env)) == hash(env)
    for x, y in zip(jax.tree.leaves(again(state)), jax.tree.leaves(state), strict=True):
        np.testing.assert_array_equal(x, y)


def test_jaxmarl(small):
    pytest.importorskip("jaxmarl")
    from jaxcards.interop.jaxmarl import to_jaxmarl

    env = to_jaxmarl(small, scale=2.0)
    assert again(env) == env and again(env).agents == env.agents


def test_the_table_behind_them(small):
    table, params = seat.opposed(small, None, (), None)
    assert again(table) == table and again(params) == params


def openspiel_game():
    pyspiel = pytest.importorskip("pyspiel")
    import jaxcards.interop.openspiel  # noqa: F401

    rules = {"rules": "num_players:3 schedule:3"}
    return pyspiel.load_game("jaxcards_rikiki", rules)


def test_openspiel():
    game = openspiel_game()
    other = again(game)
    assert type(other) is type(game) and str(other) == str(game)
    state = game.new_initial_state()
    for moment in range(game.max_chance_nodes_in_history() + 4):
        if moment % 20 == 0 or moment > 52:
            later = again(state)
            assert later.history() == state.history() and str(later) == str(state)
            assert later.legal_actions() == state.legal_actions()
        state.apply_action(state.legal_actions()[0])


def test_openspiel_keeps_the_cards_of_a_resampled_state():
    state = openspiel_game().new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    draws = iter(np.random.default_rng(0).random(2))
    other = state.resample_from_infostate(0, lambda: next(draws))
    assert str(other) != str(state)
    assert str(again(other)) == str(other) and str(copy.deepcopy(other)) == str(other)


@pytest.mark.slow
def test_a_process_that_is_spawned_plays_on(small):
    pytest.importorskip("gymnasium")
    from jaxcards.interop.gymnasium import to_env

    env = to_env(small)
    env.reset(seed=3)
    # Unlike a `Pool`, this ends with an error if the process cannot start.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(episode_of, pickle.dumps(env)).result(120)
    assert found == episode(env)


@pytest.mark.slow
def test_async_vector_env_plays_like_a_single_one(small):
    gymnasium = pytest.importorskip("gymnasium")
    from jaxcards.interop.gymnasium import to_env

    env = to_env(small)
    vector = gymnasium.vector.AsyncVectorEnv([lambda: env] * 2, context="spawn")
    try:
        features, infos = vector.reset(seed=[3, 3])
        alone, info = env.reset(seed=3)
        np.testing.assert_array_equal(features, [alone, alone])
        action = first_legal(info["action_mask"])
        features, rewards, *_ = vector.step([action, action])
        np.testing.assert_array_equal(features[0], env.step(action)[0])
        assert rewards[0] == rewards[1]
    finally:
        vector.close()
