"""The initial parameters of a run, stored to hold training near them."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from jaxcards.agents.learners.average import state_of


class Magnet(NamedTuple):
    """The state of `remembering`.

    Attributes:
      params: the initial parameters of one part.
    """

    params: Any


def remembering(part: str) -> optax.GradientTransformation:
    """Keep the initial parameters of one part. The updates pass through unchanged.

    Args:
      part: key of the parameters.
    """

    def init(params: Any) -> Magnet:
        return Magnet(jax.tree.map(jnp.copy, params[part]))  # donation needs a copy

    def update(updates: Any, state: Magnet, params: Any = None) -> tuple[Any, Magnet]:
        return updates, state

    return optax.GradientTransformation(init, update)


def magnet_of(optimiser_state: Any) -> Any:
    """Return the parameters that an optimiser's state remembers; None without `remembering`."""
    found = state_of(Magnet, optimiser_state)
    return found.params if found else None
