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
        features use; "planes", the numbers of `Game.planes`, or "integers", those of `Game.integers`,
        with actions under their own names.
    """

    game: Game
    inputs: str = "features"

    @property
    def num_inputs(self) -> int:
        """How many bits or numbers the network is given; `UserError` of a game that has no such."""
        return self.game.num_features if self.inputs == "features" else _num_inputs(self)

    def see(self, observation: object) -> jax.Array:
        """Returns what the network is given: uint32[words] of bits, or num_inputs numbers."""
        if self.inputs == "features":
            return self.game.feature_words(observation)
        return (
            self.game.planes(observation)
            if self.inputs == "planes"
            else self.game.integers(observation)
        )

    def legal(self, observation: object, legal: ActionSet) -> ActionSet:
        """Returns legal actions under the network's names."""
        return self.game.relabel_legal(observation, legal) if self.inputs == "features" else legal

    def action(self, observation: object, action: jax.Array) -> jax.Array:
        """Translates an action to the network's names and, being its own inverse, back."""
        return self.game.relabel_action(observation, action) if self.inputs == "features" else action


@functools.cache
def _num_inputs(sight: Sight) -> int:
    game = sight.game

    def look(key: jax.Array) -> jax.Array:
        return sight.see(game.observe(game.init(key), jnp.int32(0)))

    return int(jax.eval_shape(look, jax.random.key(0)).shape[0])
