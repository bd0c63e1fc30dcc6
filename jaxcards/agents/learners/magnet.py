"""The parameters that a run begins with, kept so that it can be held near them."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents.learners.average import state_of


class Magnet(NamedTuple):
    """The state of `remembering`.

    Attributes:
      params: of one part, as they were at the beginning.
    """

    params: Any


def remembering(part: str) -> optax.GradientTransformation:
    """Keep one part of the parameters as they are at the beginning; changes no update.

    Args:
      part: key of the parameters.
    """

    def init(params: Any) -> Magnet:
        return Magnet(jax.tree.map(jnp.copy, params[part]))  # both are donated

    def update(updates: Any, state: Magnet, params: Any = None) -> tuple[Any, Magnet]:
        return updates, state

    return optax.GradientTransformation(init, update)


def magnet_of(optimiser_state: Any) -> Any:
    """Return the parameters that an optimiser's state remembers; None without `remembering`."""
    found = state_of(Magnet, optimiser_state)
    return found.params if found else None
