"""The base class of all learners, and the form of a file for their players.

The state of a learner is a pytree. A learner that plays its own deals trains in one compiled function.
"""

import abc
import copy
import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Self

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.agents.networks.saved import PlayerInfo
from jaxcards.agents.networks.vocabulary import Vocabulary
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class Learner(abc.ABC):
    """The base class of all learners: a game, settings, and devices that share the work.

    A learner is hashable, so that it can be a static argument of a jitted function.

    Attributes:
      game: the game to learn.
      config: every setting.
      num_devices: how many devices share the work; the result is the same up to float rounding.
    """

    game: Game
    config: LearnerConfig
    num_devices: int = 1

    def __post_init__(self) -> None:
        self.config.check_devices(self.num_devices)

    @property
    @abc.abstractmethod
    def player(self) -> Agent:
        """The agent that plays the learned policy without exploration."""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the inputs and outputs of `saved`; None if they are those of `game`."""
        return None

    @abc.abstractmethod
    def fresh(self) -> Any:
        """Return the state before the first update, a pytree of arrays, determined by `config.seed`."""

    def place(self, state: Any) -> Any:
        """Put a state onto all devices; see `sharding.place`."""
        return sharding.place(self.num_devices, state)

    @abc.abstractmethod
    def parameters(self, state: Any) -> Any:
        """Return the parameters with which `player` plays `game`."""

    def saved(self, state: Any) -> Any:
        """Return the parameters for a player file, which cover all learned games."""
        return self.parameters(state)

    def describe_network(self) -> PlayerInfo:
        """Return the description of the network whose parameters `saved` returns."""
        return PlayerInfo.of(self.game, self.player, self.vocabulary)


@dataclasses.dataclass(frozen=True)
class SelfPlayLearner(Learner):
    """A learner that plays its own training deals. A subclass defines `_update`."""

    @partial(jax.jit, static_argnums=(0, 2), donate_argnums=1)
    def train(
        self,
        state: Any,
        num_updates: int,
        schedule: jax.Array,
        seed: jax.Array | None = None,
        settings: Mapping[str, jax.Array] | None = None,
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Do several updates in one call.

        Args:
          state: donated; use the returned one. With several runs, leaves have the leading axis [n].
          num_updates: updates of this call.
          schedule: float32, the updates of the whole run, or infinity if their number is unknown.
            After them, settings that change over a run have their final values.
          seed: uint32, the seed of the deals; None for `config.seed`. With uint32[n], n runs train
            together, each as it does alone, up to float rounding.
          settings: of `config.numbers`, those in which the n runs differ: float32[n] by name.

        Returns:
          The new state, and the means of the metrics over these updates, float32 scalars, or float32[n]
          with n runs. One of them is `decisions`, the number of turns played for an update.
        """
        if seed is None:
            seed = jnp.uint32(self.config.seed)

        def one(state: Any, values: tuple[Any, ...]) -> tuple[Any, Any]:
            schedule, seed, own = values
            return self._with(own)._update(state, schedule, seed)

        def run(state: Any, values: tuple[Any, Any]) -> tuple[Any, dict[str, jax.Array]]:
            update = sharding.repeat(self.num_devices, one, num_updates)
            state, metrics = update(state, (schedule, *values))
            # Means over the updates, and what is measured once, after the last of them.
            return state, metrics | self.metrics_of(state)

        # Everything in which runs differ; with several runs each leaf has the axis [n].
        values = seed, dict(settings or {})
        return of_each_run(run, state, values) if seed.ndim else run(state, values)

    def _with(self, settings: Mapping[str, jax.Array]) -> Self:
        """Return this learner with traced values of some settings, which cannot be validated."""
        if not settings:
            return self
        # `dataclasses.replace` would run `__post_init__`, which compares values, and these are traced.
        config, learner = copy.copy(self.config), copy.copy(self)
        for name, value in settings.items():
            # A frozen dataclass refuses plain assignments.
            object.__setattr__(config, name, value)
        # A cached property, such as the networks of PPO, may hold the old settings.
        fields = {field.name for field in dataclasses.fields(self)}
        for name in vars(self).keys() - fields:
            del vars(learner)[name]
        object.__setattr__(learner, "config", config)
        return learner

    def metrics_of(self, state: Any) -> dict[str, jax.Array]:
        """Return metrics of a state, float32 scalars, as they are after the last update."""
        del state
        return {}

    @abc.abstractmethod
    def _update(
        self, state: Any, schedule: jax.Array, seed: jax.Array
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Do one update with one device's share of the deals; its metrics are float32 scalars."""


def of_each_run(run: Callable[[Any, Any], Any], states: Any, values: Any) -> Any:
    """Return `run(state, value)` of several runs, whose leaves have the leading axis [n]."""
    # A processor is faster in turn: the parameters of one run fit into its cache.
    if jax.default_backend() == "cpu":
        return jax.lax.map(lambda pair: run(*pair), (states, values))
    return jax.vmap(run)(states, values)


class PlayerFile(Protocol):
    """The interface of a module that reads and writes the players of a learner other than networks.

    Network parameters are in the newest checkpoint and in player.msgpack.

    Attributes:
      NAME: name of the file in the run folder.
    """

    NAME: str

    @staticmethod
    def describe(learner: Any) -> dict[str, Any]:
        """Return the settings that a resumed run cannot change, as JSON values. `game` is its id."""
        ...

    @staticmethod
    def write(path: Path, learner: Any, state: Any) -> None:
        """Write the player of a state to a file in one atomic step. Called after every checkpoint."""
        ...

    @staticmethod
    def load(path: Path, game: Game) -> tuple[Agent, Any]:
        """Return the player and its parameters.

        Raises:
          UserError: if the file cannot be read, or the player cannot play the game.
        """
        ...
