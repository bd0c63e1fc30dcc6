"""The player who chooses any legal action."""

import dataclasses
from typing import Any

import jax

from jaxcards import prng
from jaxcards.actions import ActionSet
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class RandomAgent:
    """Plays uniformly at random among the legal actions."""

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        # The first word of a decision's key is a random word by itself; see `prng.fold`.
        return legal.sample(prng.first_word(key))
