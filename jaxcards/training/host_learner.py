"""The interface between a learner and the host loop, and a compiled learner behind it."""

from collections.abc import Callable
from typing import Any, Protocol

import jax
import numpy as np

from jaxcards import xla
from jaxcards.agents.learners.base import Learner

Step = Callable[[Any, float], tuple[Any, dict[str, float]]]
"""(state, updates of the whole run) -> (state, metrics); waits for the device."""


class HostLearner(Protocol):
    """A learner as seen by the host."""

    def init(self) -> Any:
        """Return the state before the first update."""
        ...

    def shapes(self) -> Any:
        """Return the shapes of a state, without computing one."""
        ...

    def place(self, state: Any) -> Any:
        """Put a state from a checkpoint onto the devices."""
        ...

    def parameters(self, state: Any) -> Any:
        """Return the parameters of the player."""
        ...

    def compile(self, state: Any, num_updates: int) -> Step:
        """Return a function that does some updates; it donates the given state."""
        ...


class CompiledLearner:
    """Any learner for the host loop.

    Args:
      learner: the learner.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    @property
    def options(self) -> dict[str, Any]:
        """Compiler options for the step: one device has all cores, several share them."""
        return xla.compiler_options(split=self.learner.num_devices == 1)

    def init(self) -> Any:
        # Via the host, like a state from a checkpoint: both are then the same to the compiler.
        return self.place(jax.device_get(self.learner.fresh()))

    def shapes(self) -> Any:
        return jax.eval_shape(self.learner.fresh)

    def place(self, state: Any) -> Any:
        return self.learner.place(jax.tree.map(np.asarray, state))

    def parameters(self, state: Any) -> Any:
        return self.learner.parameters(state)

    def compile(self, state: Any, num_updates: int) -> Step:
        program: Any = type(self.learner)
        lowered = program.train.lower(self.learner, state, num_updates, np.float32(1))
        compiled = lowered.compile(self.options)

        def step(state: Any, schedule: float) -> tuple[Any, dict[str, float]]:
            state, metrics = compiled(state, np.float32(schedule))
            return state, {name: float(value) for name, value in jax.device_get(metrics).items()}

        return step
