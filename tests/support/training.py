"""Learners in tests: their states on the host, and their updates compiled fast."""

import functools

import jax
import numpy as np

from jaxcards.agents.learners.ppo.learner import PPO, TrainState
from jaxcards.testing.deals import quick_jit


def host(state: TrainState) -> TrainState:
    return jax.device_get(state)


def same(a: TrainState, b: TrainState, **tolerance: float) -> None:
    for x, y in zip(jax.tree.leaves(host(a)), jax.tree.leaves(host(b)), strict=True):
        np.testing.assert_allclose(x, y, **tolerance)


@functools.cache
def trainer(learner: PPO, num_updates: int):
    """`learner.train` with a number of updates: a function of a state and the schedule."""
    return quick_jit(lambda state, schedule: learner.train(state, num_updates, schedule))
