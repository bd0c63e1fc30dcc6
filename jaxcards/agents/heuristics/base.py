"""The base of the heuristic players, and what several of them count."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

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


def in_usual_mode(act: Callable[..., jax.Array]) -> Callable[..., jax.Array]:
    """Let a method `act` compute with 32 bits and implicit promotion, in any mode of the caller."""

    @functools.wraps(act)
    def usual(*args: Any, **kwargs: Any) -> jax.Array:
        promotion = jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow")
        with jax.enable_x64(False), promotion[0], promotion[1]:
            return act(*args, **kwargs)

    return usual


def higher_cards(cards: jax.Array) -> jax.Array:
    """Return the higher cards of each card's suit in a set, counted: int32[52]; the set is bool[52]."""
    by_suit = cards.reshape(4, -1)
    return (by_suit.sum(1, keepdims=True) - by_suit.cumsum(1)).reshape(-1)
