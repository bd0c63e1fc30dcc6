"""The interface of a learner to the host loop, and PPO behind it."""

from collections.abc import Callable
from typing import Any, Protocol

import jax
import numpy as np

from jaxcards import xla
from jaxcards.agents.ppo.learner import PPO

Step = Callable[[Any, float], tuple[Any, dict[str, float]]]
"""(state, updates of the whole run) -> (state, metrics); waits for the device."""


class Learner(Protocol):
    """A learner as the host sees it."""

    def init(self) -> Any:
        """Returns the state before the first update."""
        ...

    def shapes(self) -> Any:
        """Returns the shapes of a state, without computing one."""
        ...

    def place(self, state: Any) -> Any:
        """Puts a state from a checkpoint onto the devices."""
        ...

    def policy(self, state: Any) -> Any:
        """Returns the parameters of the policy."""
        ...

    def compile(self, state: Any, num_updates: int) -> Step:
        """Returns a function that does some updates; it donates the state that it is given."""
        ...


class PPOLearner:
    """PPO for the host loop.

    Args:
      ppo: the learner.
    """

    def __init__(self, ppo: PPO) -> None:
        self.ppo = ppo

    @property
    def options(self) -> dict[str, Any]:
        """Options of the compiler for the step: one device has all cores, several share them."""
        return xla.compiler_options(split=self.ppo.num_devices == 1)

    def init(self) -> Any:
        # Over the host, like a state from a checkpoint: both are the same to the compiler.
        return self.place(jax.device_get(self.ppo.fresh()))

    def shapes(self) -> Any:
        return jax.eval_shape(self.ppo.fresh)

    def place(self, state: Any) -> Any:
        return self.ppo.place(jax.tree.map(np.asarray, state))

    def policy(self, state: Any) -> Any:
        return state.params["policy"]

    def compile(self, state: Any, num_updates: int) -> Step:
        lowered = PPO.train.lower(self.ppo, state, num_updates, np.float32(1))
        train = lowered.compile(self.options)

        def step(state: Any, schedule: float) -> tuple[Any, dict[str, float]]:
            state, metrics = train(state, np.float32(schedule))
            return state, {name: float(value) for name, value in jax.device_get(metrics).items()}

        return step
