"""One seat in Gymnasium: its checker, and a batch of tables beside single ones."""

import jax
import numpy as np
import pytest
from support import quick

from jaxcards.errors import UserError

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from jaxcards.interop.gymnasium import to_env, to_vector_env  # noqa: E402
from jaxcards.interop.seat import OneSeat  # noqa: E402

TABLES = 6  # of all batches, so that they share what is compiled


def test_their_checker(game):
    """Warnings are errors, so that it has nothing to say."""
    check_env(to_env(game), skip_render_check=True)


def test_an_episode(small):
    env = to_env(small, seat=1, render_mode="ansi")
    features, info = env.reset(seed=4)
    rewards, done = [], False
    while not done:
        assert env.observation_space.contains(features) and features.dtype == np.int8
        assert (env.action_masks() == info["action_mask"]).all() and "seat 1" in env.render()
        action = int(np.flatnonzero(info["action_mask"])[0])
        features, reward, done, truncated, info = env.step(action)
        rewards.append(reward)
        assert not truncated and not info["illegal"]
    assert len(rewards) == 4, "a bid and three cards"
    assert rewards[-1] == float(small.returns(env._state.deal)[1]) and not any(rewards[:-1])
    again = to_env(small, seat=1)
    assert (again.reset(seed=4)[0] == env.reset(seed=4)[0]).all()
    assert (again.reset(seed=5)[0] != env.reset(seed=4)[0]).any()


def test_an_illegal_action_is_replaced(small):
    env = to_env(small)
    _, info = env.reset(seed=0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    assert env.step(illegal)[4]["illegal"]


def test_pictures(small):
    env = to_env(small, render_mode="svg")
    assert env.render() is None
    env.reset(seed=0)
    assert env.render().startswith("<svg")


@pytest.mark.slow
def test_tables_side_by_side_are_the_table(small):
    """Every table of the batch is `OneSeat` with the same luck; another deal follows a finished one."""
    number, steps = TABLES, 9
    envs = to_vector_env(small, number)
    features, infos = envs.reset(seed=2)
    table = OneSeat(small, axis="tables")
    step = quick.jit(jax.vmap(table.step, in_axes=(None, 0, 0), axis_name="tables"))
    states = envs._state.now
    ended = 0
    for _ in range(steps):
        assert envs.observation_space.contains(features) and features.dtype == np.int8
        actions = np.array([np.flatnonzero(row)[-1] for row in infos["action_mask"]])
        # The batch takes over the states: keep copies for the comparison.
        before = jax.tree.map(np.array, states)
        features, rewards, done, truncated, infos = envs.step(actions)
        expected = step(((),), before, actions)
        assert (done == expected.done).all() and (rewards == expected.reward).all()
        assert not truncated.any()
        seen = np.where(done[:, None], infos.get("final_obs", features), features)
        assert (seen == np.asarray(expected.turn.features)).all()
        assert done.any() == ("final_obs" in infos)
        states = envs._state.now
        assert not np.asarray(states.deal.terminated).any()
        ended += int(done.sum())
    assert ended == 2 * number, "a deal has four decisions of the learner"
    again = to_vector_env(small, number)
    assert (again.reset(seed=2)[0] == envs.reset(seed=2)[0]).all()


@pytest.mark.slow
def test_their_wrapper_counts_episodes(small):
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(to_vector_env(small, TABLES))
    envs.reset(seed=0)
    for _ in range(4):
        *_, infos = envs.step(np.zeros(TABLES, np.int64))
    assert infos["episode"]["l"].tolist() == [4] * TABLES


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda game: to_env(game, seat=3), "seat must be None or 0 to 2"),
        (lambda game: to_env(game, render_mode="human"), "render_mode must be None or one of"),
        (lambda game: to_env(game).step(0), "call reset"),
        (lambda game: to_vector_env(game, 0), "num_envs must be at least 1"),
        (lambda game: to_vector_env(game, 2).step([0, 0]), "call reset"),
        (lambda game: to_vector_env(game, 2).reset(seed=[1, 2]), "is one number"),
    ],
)
def test_bad_input(small, call, words):
    with pytest.raises(UserError, match=words):
        call(small)


@pytest.mark.slow
def test_actions_that_do_not_exist(small):
    env, envs = to_env(small), to_vector_env(small, TABLES)
    env.reset(seed=0), envs.reset(seed=0)
    with pytest.raises(UserError, match=f"an int from 0 to {small.num_actions - 1}, not"):
        env.step(small.num_actions)
    with pytest.raises(UserError, match="the action must be an int from 0 to .*, not 1.5"):
        env.step(1.5)
    with pytest.raises(UserError, match="actions must be integers, not float64"):
        envs.step(np.full(TABLES, 1.5))
    with pytest.raises(UserError, match=rf"{TABLES} actions are needed, not \[3\]"):
        envs.step([0, 0, 0])
