"""What a learner is: a frozen object whose `train` is one compiled function; and its player's file."""

import abc
import dataclasses
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import jax

from jaxcards.agent import Agent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.agents.networks.vocabulary import Vocabulary
from jaxcards.game import Game


class Learner(Protocol):
    """A learner: `fresh` makes its state, `train` does updates. It is hashable.

    Attributes:
      game: what is learned.
      config: every setting.
      num_devices: how many devices share the work.
      player: the agent that plays by what was learned, without exploring.
      vocabulary: what the inputs and outputs of `saved` are; None if they are those of `game`.
    """

    @property
    def game(self) -> Game: ...

    @property
    def config(self) -> LearnerConfig: ...

    @property
    def num_devices(self) -> int: ...

    @property
    def player(self) -> Agent: ...

    @property
    def vocabulary(self) -> Vocabulary | None: ...

    def fresh(self) -> Any:
        """Returns the state before the first update, a pytree of arrays, decided by `config.seed`."""
        ...

    def place(self, state: Any) -> Any:
        """Puts a state onto all devices; of several processes, each does it with its own."""
        ...

    def parameters(self, state: Any) -> Any:
        """Returns the parameters that `player` plays `game` by."""
        ...

    def saved(self, state: Any) -> Any:
        """Returns what a file of the player keeps: parameters for all games that were learned."""
        ...

    def train(
        self, state: Any, num_updates: int, schedule: jax.Array
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Does updates in one call; a jitted function, `self` and `num_updates` static.

        Args:
          state: donated.
          num_updates: updates of this call.
          schedule: float32, the updates of the whole run, or infinity while nobody knows: settings
            that change over a run have their last values after them.

        Returns:
          The new state, and the means over these updates of the metrics, float32 scalars. Among them
          is `decisions`, the number of turns played for an update.
        """
        ...


@dataclasses.dataclass(frozen=True)
class OnDevices:
    """What all learners have in common: a game, settings, and devices that share the work.

    Attributes:
      game: the game that is learned.
      config: every setting.
      num_devices: how many devices share the work; the result is the same up to float rounding.
    """

    game: Game
    config: LearnerConfig
    num_devices: int = 1

    def __post_init__(self) -> None:
        self.config.check_devices(self.num_devices)

    @property
    def vocabulary(self) -> Vocabulary | None:
        """None: one game is learned, with inputs and outputs of its own."""
        return None

    def place(self, state: Any) -> Any:
        """Puts a state onto all devices; see `sharding.place`."""
        return sharding.place(self.num_devices, state)


@dataclasses.dataclass(frozen=True)
class SelfPlayLearner(OnDevices, abc.ABC):
    """A learner that plays the deals that it learns from; it writes `_update`."""

    @partial(jax.jit, static_argnums=(0, 2), donate_argnums=1)
    def train(
        self, state: Any, num_updates: int, schedule: jax.Array
    ) -> tuple[Any, dict[str, jax.Array]]:
        """Does `num_updates` updates in one call: see `Learner.train`."""
        update = sharding.repeat(self.num_devices, self._update, num_updates)
        state, metrics = update(state, schedule)
        return state, metrics | self.metrics_of(state)

    def metrics_of(self, state: Any) -> dict[str, jax.Array]:
        """Returns metrics of a state, float32 scalars, which are no means over updates; here none."""
        del state
        return {}

    @abc.abstractmethod
    def _update(self, state: Any, schedule: jax.Array) -> tuple[Any, dict[str, jax.Array]]:
        """Does one update, on one device's share of the deals; its metrics are float32 scalars."""


class PlayerFile(Protocol):
    """How a run folder keeps a player that is no network: a module with these members.

    Networks need none: the newest checkpoint has their parameters, and at the end player.msgpack.

    Attributes:
      NAME: of the file in the run folder.
    """

    NAME: str

    @staticmethod
    def describe(learner: Any) -> dict[str, Any]:
        """Returns what must stay the same when a run goes on, as values of JSON; `game` is its id."""
        ...

    @staticmethod
    def write(path: Path, learner: Any, state: Any) -> None:
        """Writes the player of a state to a file, after every checkpoint; no reader sees half of it."""
        ...

    @staticmethod
    def load(path: Path, game: Game) -> tuple[Agent, Any]:
        """Returns the player and its parameters; `UserError` if it cannot be read or cannot play."""
        ...
