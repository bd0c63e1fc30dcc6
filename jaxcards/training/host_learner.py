"""The interface between a learner and the host loop, and a compiled learner behind it."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import jax
import numpy as np

from jaxcards import xla
from jaxcards.agents.learners.base import Learner
from jaxcards.agents.learners.config import LearnerConfig

Step = Callable[[Any, float], tuple[Any, dict[str, float]]]
"""(state, updates of the whole run) -> (state, metrics); waits for the device. With several runs, a
metric is a list."""


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
        """Return the parameters of the player, from a state of one run."""
        ...

    def each(self, tree: Any) -> list[Any]:
        """Return the states, or the metrics, of the runs that train together."""
        ...

    def compile(self, state: Any, num_updates: int) -> Step:
        """Return a function that does some updates; it donates the given state."""
        ...


class CompiledLearner:
    """Any learner for the host loop.

    Args:
      learner: the learner.
    """

    num_runs = 1

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self._seed: Any = np.uint32(learner.config.seed)
        self._settings: dict[str, Any] = {}

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

    def each(self, tree: Any) -> list[Any]:
        return [tree]

    def compile(self, state: Any, num_updates: int) -> Step:
        program: Any = type(self.learner)
        own = self._seed, self._settings
        # The method is compiled from its class, with the learner as a static argument.
        lowered = program.train.lower(self.learner, state, num_updates, np.float32(1), *own)
        compiled = lowered.compile(self.options)

        def step(state: Any, schedule: float) -> tuple[Any, dict[str, float]]:
            state, metrics = compiled(state, np.float32(schedule), *own)
            return state, {name: value.tolist() for name, value in jax.device_get(metrics).items()}

        return step


class RunsLearner(CompiledLearner):
    """Several runs of a learner, which train together in one compiled step.

    Leaves of its state have the leading axis [num_runs].

    Args:
      learner: with the settings that the runs share.
      configs: of the runs. They may differ in `seed`, and in the settings of `config.numbers`.
    """

    def __init__(self, learner: Learner, configs: Sequence[LearnerConfig]) -> None:
        super().__init__(learner)
        self.num_runs, self._configs = len(configs), configs
        self._seed = np.asarray([config.seed for config in configs], np.uint32)
        for name in learner.config.numbers:
            values = [getattr(config, name) for config in configs]
            # A setting that all runs share stays a constant of the program.
            if {*values} != {getattr(learner.config, name)}:
                self._settings[name] = np.asarray(values, np.float32)

    def init(self) -> Any:
        runs = [dataclasses.replace(self.learner, config=config) for config in self._configs]
        states = [jax.device_get(run.fresh()) for run in runs]
        return self.place(jax.tree.map(lambda *leaves: np.stack(leaves), *states))

    def each(self, tree: Any) -> list[Any]:
        tree = jax.device_get(tree)

        def of(number: int) -> Any:
            # A metric is a list with an entry for each run.
            return jax.tree.map(lambda x: x[number], tree, is_leaf=lambda x: isinstance(x, list))

        return [of(number) for number in range(self.num_runs)]
