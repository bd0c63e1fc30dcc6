"""The interface of an adapter to another engine, in our numbers of cards, actions and seats."""

import abc
import contextlib
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from jaxcards.game import Game
from jaxcards.opponents.names import Opponent


class Start(NamedTuple):
    """A fresh jaxcards deal, which another engine deals as well.

    Attributes:
      hands: the cards of each seat, ascending.
      public: the public part of the state, with values.
      state: uint32[...], the state as words of `host.programs`.
    """

    hands: list[list[int]]
    public: Any
    state: np.ndarray


class Seated(NamedTuple):
    """A player of the engine at a seat.

    Attributes:
      opponent: the player.
      seed: of its random choices, below 2**31.
    """

    opponent: Opponent
    seed: int


class Score(NamedTuple):
    """A finished deal: `Game.points` and `Game.returns` of each seat, by the score of an engine."""

    points: Sequence[float]
    returns: Sequence[float]


def of_two_teams(first: float, second: float) -> Score:
    """Return the score of four seats in two teams from the points of each team."""
    ahead = first - second
    return Score([first, second] * 2, [ahead, -ahead] * 2)


class Deal(abc.ABC):
    """A deal in another engine. All numbers are ours."""

    @property
    @abc.abstractmethod
    def terminated(self) -> bool:
        """Return whether the deal is over."""

    @property
    @abc.abstractmethod
    def current_player(self) -> int:
        """The seat to act."""

    @abc.abstractmethod
    def legal(self) -> list[int]:
        """Return the legal actions, ascending."""

    def predict(self, legal: list[int]) -> list[int]:
        """Return the engine's legal actions, given ours in `legal`.

        By default the same; a subset if the rules are known to differ.
        """
        return legal

    @abc.abstractmethod
    def step(self, action: int) -> None:
        """Apply a legal action of any player."""

    @abc.abstractmethod
    def choose(self) -> int:
        """Return the action of the engine's player at the seat to act."""

    @abc.abstractmethod
    def counted(self) -> list[float]:
        """Return the engine's counts at the end, for comparison with `Engine.counted`."""

    def score(self, points: Sequence[float], returns: Sequence[float]) -> Score:
        """Return the engine's score, given our points and returns. By default it is the same."""
        return Score(points, returns)


class Engine(abc.ABC):
    """Another engine, for a game that it plays.

    Attributes:
      game: one of the presets that `names` lists.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    @abc.abstractmethod
    def deal(self, start: Start, seated: Mapping[int, Seated]) -> Deal:
        """Return the same deal in the engine, with its players at some seats."""

    def counted(self, state: Any) -> jax.Array:
        """Return the value of `Deal.counted` for a final state of ours; it is compiled.

        By default the returns.
        """
        return self.game.returns(state)


@contextlib.contextmanager
def own_random(generator: random.Random) -> Iterator[None]:
    """Replace Python's global random state by a generator's, for players that use it."""
    before = random.getstate()
    random.setstate(generator.getstate())
    try:
        yield
    finally:
        generator.setstate(random.getstate())
        random.setstate(before)
