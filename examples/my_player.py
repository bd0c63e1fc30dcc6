"""Your own player, which plays at random one time in ten.

    jaxcards evaluate examples/my_player.py:make heuristic random --game jass
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards.agent import Agent, RandomAgent


@dataclasses.dataclass(frozen=True)  # agents must be hashable
class Distracted:
    """A player that acts as another agent does, except one time in ten.

    Attributes:
      base: the other agent.
    """

    base: Agent

    def init(self, key: jax.Array, game: jaxcards.Game) -> Any:
        return self.base.init(key, game)

    def act(
        self, params: Any, observation: Any, legal: jaxcards.ActionSet, key: jax.Array
    ) -> jax.Array:
        base_key, random_key, chance_key = jax.random.split(key, 3)
        planned = self.base.act(params, observation, legal, base_key)
        at_random = RandomAgent().act((), observation, legal, random_key)
        return jnp.where(jax.random.bernoulli(chance_key, 0.1), at_random, planned)


def make(game: jaxcards.Game) -> tuple[Agent, Any]:
    """Return the agent for a game, and its parameters."""
    base, params = jaxcards.load_player("heuristic", game)
    return Distracted(base), params
