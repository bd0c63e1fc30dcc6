"""The base of the heuristic players."""

import dataclasses
from typing import ClassVar, Generic, TypeVar

import jax

from jaxcards.game import Game

RulesT = TypeVar("RulesT")


@dataclasses.dataclass(frozen=True)
class HeuristicAgent(Generic[RulesT]):
    """An agent without parameters for one game; a subclass defines `game_class` and `act`.

    Attributes:
      rules: the rules of the game.
    """

    rules: RulesT

    game_class: ClassVar[type[Game]]

    @property
    def game(self) -> Game:
        """The game of these rules."""
        return self.game_class(self.rules)

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        """Return the empty parameters."""
        return ()
