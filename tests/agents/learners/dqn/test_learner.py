"""Deep Q-learning: the goal of a turn, devices, and that it learns."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.dqn.config import DQNConfig
from jaxcards.agents.learners.dqn.learner import DQN
from jaxcards.agents.learners.dqn.replay import Turns
from jaxcards.agents.networks.network import forward
from jaxcards.errors import UserError
from jaxcards.rollouts import rollout
from jaxcards.testing.deals import quick_jit

GAME = jaxcards.make("rikiki", num_players=3, schedule=(4,))
CONFIG = DQNConfig(
    seed=2, deals_per_update=32, replay=2048, batch=64, gradient_steps=4, hidden=(32,), turns=2
)
SCHEDULE = jnp.float32(50)


@functools.cache
def trainer(devices: int, num_updates: int):
    learner = DQN(GAME, CONFIG, devices)
    return quick_jit(lambda state: learner.train(state, num_updates, SCHEDULE))


@functools.cache
def begin():
    return jax.device_get(DQN(GAME, CONFIG).fresh())


@pytest.mark.slow
def test_two_devices_learn_what_one_learns():
    one, metrics = trainer(1, 1)(DQN(GAME, CONFIG, 1).place(begin()))
    two, _ = trainer(2, 1)(DQN(GAME, CONFIG, 2).place(begin()))
    for x, y in zip(jax.tree.leaves(one), jax.tree.leaves(two), strict=True):
        np.testing.assert_allclose(x, y, atol=2e-5)
    assert float(metrics["decisions"]) == 32 * (3 + 12)
    assert all(np.isfinite(float(value)) for value in metrics.values())
    assert int(one.replay.written) == float(metrics["choices"])


@pytest.mark.slow
def test_two_calls_equal_one():
    """Updates do not depend on the number of updates in a call, as checkpoints assume."""
    place = DQN(GAME, CONFIG).place
    whole, _ = trainer(1, 2)(place(begin()))
    half, _ = trainer(1, 1)(place(begin()))
    half, _ = trainer(1, 1)(place(jax.device_get(half)))
    for x, y in zip(jax.tree.leaves(whole), jax.tree.leaves(half), strict=True):
        np.testing.assert_array_equal(x, y)


def test_the_goal_is_that_of_double_q():
    """The network likes an action of the later turn; the target says what that is worth."""
    learner = DQN(GAME, CONFIG)
    agent = learner.player
    params, target = (agent.init(jax.random.key(n), GAME) for n in (0, 1))
    params, target = (jax.tree.map(lambda x: x + 0.1, tree) for tree in (params, target))
    rng = np.random.default_rng(0)
    words = -(-GAME.num_features // 32)
    features, later = rng.integers(1 << 31, size=(2, 6, words), dtype=np.uint32)
    legal = np.zeros((6, len(GAME.action_layout.offsets)), np.uint32)
    legal[:, 0] = 0b1011
    action = np.array([0, 3, 1, 2, 0, 1], np.int32)
    goes_on = np.array([True, True, False, True, False, True])
    gain = rng.normal(size=6).astype(np.float32)
    turns = Turns(*map(jnp.asarray, (features, action, gain, later, legal, goes_on)))
    _, (error, value) = learner._loss(params, target, turns, jnp.ones(6))
    q, worth = forward(agent.network, params, later), forward(agent.network, target, later)
    now = forward(agent.network, params, features)
    for row in range(6):
        liked = max((0, 1, 3), key=lambda a, row=row: q[row, a])
        goal = gain[row] + (worth[row, liked] if goes_on[row] else 0)
        np.testing.assert_allclose(error[row], goal - now[row, action[row]], atol=1e-5)
        np.testing.assert_allclose(value[row], now[row, action[row]], atol=1e-6)


@pytest.mark.slow
def test_it_learns():
    """The player clearly beats random play after 40 updates of a second or two."""
    more = {"deals_per_update": 64, "replay": 8192, "batch": 256, "gradient_steps": 16}
    learner = DQN(GAME, dataclasses.replace(CONFIG, hidden=(64,), turns=8, priority=0.0, **more))
    agents = [learner.player, RandomAgent()]

    @quick_jit
    def points(params, keys):
        def deal(key):
            first = rollout(GAME, agents, [params, ()], key, seats=[0, 1, 1]).returns
            return first[0] - first[1:].mean()

        return jax.vmap(deal)(keys).mean()

    keys = jax.random.split(jax.random.key(9), 1024)
    train = quick_jit(lambda state: learner.train(state, 20, SCHEDULE))
    state = learner.place(learner.fresh())
    assert float(points(learner.parameters(state), keys)) < 1  # about 0.3
    for _ in range(2):
        state, _ = train(state)
    assert float(points(learner.parameters(state), keys)) > 1.5  # about 1.9


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(UserError, match="replay .32. must be at least batch .64."):
        DQNConfig(replay=32, batch=64)
    with pytest.raises(UserError, match="2 devices cannot share a batch of 65 turns"):
        DQN(GAME, DQNConfig(batch=65), 2)


@pytest.mark.slow
def test_turns_with_large_errors_are_replayed_more_often():
    after, _ = trainer(1, 1)(DQN(GAME, CONFIG).place(begin()))
    priority = np.asarray(after.replay.priority)
    written = int(after.replay.written)
    assert (priority[:written] > 0).all() and (priority[written:] == 0).all()
    assert len(np.unique(priority[:written])) > written / 4  # those that were drawn have their own
