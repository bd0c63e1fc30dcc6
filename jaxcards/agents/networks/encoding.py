"""The encoding of a game for a network: its inputs, and the numbers of its actions."""

import dataclasses
import functools
import pkgutil
from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game

OTHER_INPUTS = {
    ("belote", "planes"): "jaxcards.agents.networks.planes:planes_row",
    ("jass", "integers"): "jaxcards.records.swisslos_rows:row_of",
}
"""Functions from an observation to inputs, by the name of the game and the kind of inputs."""


@dataclasses.dataclass(frozen=True)
class Encoding:
    """The inputs of a network for a game, and its names of the actions.

    Attributes:
      game: the encoded game.
      inputs: "features", the bits that every game writes, with actions under the names that the
        features use; "planes", cards by seats as float32, or "integers", a row of a public data
        set as int32: with actions under their own names.
    """

    game: Game
    inputs: str = "features"

    @property
    def num_inputs(self) -> int:
        """The number of inputs. Raises `UserError` if the game lacks this kind of input."""
        return self.game.num_features if self.inputs == "features" else _num_inputs(self)

    def encode(self, observation: object) -> jax.Array:
        """Return the inputs of the network: uint32[words] of bits, or num_inputs numbers."""
        if self.inputs == "features":
            return self.game.feature_words(observation)
        function: Callable[[object], jax.Array] = pkgutil.resolve_name(_path(self))
        return function(observation)

    def legal(self, observation: object, legal: ActionSet) -> ActionSet:
        """Return the legal actions under the network's names."""
        return self.game.relabel_legal(observation, legal) if self.inputs == "features" else legal

    def action(self, observation: object, action: jax.Array) -> jax.Array:
        """Translate an action to the network's names, or back: the function is its own inverse."""
        return self.game.relabel_action(observation, action) if self.inputs == "features" else action


def _path(encoding: Encoding) -> str:
    name, kind = encoding.game.name, encoding.inputs
    if (name, kind) not in OTHER_INPUTS:
        raise UserError(f"{name} has no {kind}: only its features can be the input of a network")
    return OTHER_INPUTS[name, kind]


@functools.cache
def _num_inputs(encoding: Encoding) -> int:
    game = encoding.game

    def look(key: jax.Array) -> jax.Array:
        return encoding.encode(game.observe(game.init(key), jnp.int32(0)))

    # Only trace: the shape tells the number of inputs.
    return int(jax.eval_shape(look, jax.random.key(0)).shape[0])
