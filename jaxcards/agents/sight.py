"""What a network is given of a game, and by which names it calls the actions."""

import dataclasses
import functools

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class Sight:
    """How a network sees a game.

    Attributes:
      game: what is seen.
      inputs: "features", the bits that every game writes, with actions under the names that the
        features use; or "planes", the numbers of `Game.planes`, with actions under their own names.
    """

    game: Game
    inputs: str = "features"

    @property
    def num_inputs(self) -> int:
        """How many bits or numbers the network is given; `UserError` of a game without planes."""
        return self.game.num_features if self.inputs == "features" else _num_planes(self.game)

    def see(self, observation: object) -> jax.Array:
        """Returns what the network is given: uint32[words] of bits, or float32[num_inputs]."""
        if self.inputs == "features":
            return self.game.feature_words(observation)
        return self.game.planes(observation)

    def legal(self, observation: object, legal: ActionSet) -> ActionSet:
        """Returns legal actions under the network's names."""
        return self.game.relabel_legal(observation, legal) if self.inputs == "features" else legal

    def action(self, observation: object, action: jax.Array) -> jax.Array:
        """Translates an action to the network's names and, being its own inverse, back."""
        return self.game.relabel_action(observation, action) if self.inputs == "features" else action


@functools.cache
def _num_planes(game: Game) -> int:
    def look(key: jax.Array) -> jax.Array:
        return game.planes(game.observe(game.init(key), jnp.int32(0)))

    return int(jax.eval_shape(look, jax.random.key(0)).shape[0])
