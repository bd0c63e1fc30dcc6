"""Agents for tests."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agent import RandomAgent
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class Lowest:
    """Plays the legal action of the lowest number, or, with parameters 1, of the highest."""

    def init(self, key: jax.Array, game: Game) -> jax.Array:
        return jnp.uint32(0)

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        return legal.nth(jnp.where(params == 1, legal.count() - 1, 0))


@dataclasses.dataclass(frozen=True)
class Unstaged:
    """Plays as `RandomAgent` does, but `rollout` does not know it, and plays decision by decision."""

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        return RandomAgent().act(params, observation, legal, key)


def lowest_of(game: Game) -> Lowest:
    """Make a player as a package registers it."""
    return Lowest()
