"""The moving average of the parameters over a run, which plays better than the newest parameters."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


class Averaged(NamedTuple):
    """The state of `averaging`.

    Attributes:
      average: the averaged parameters, in the form of the trained ones.
    """

    average: Any


def averaging(decay: float) -> optax.GradientTransformationExtraArgs:
    """Keep an exponential moving average of the parameters (Polyak and Juditsky 1992).

    The updates pass through unchanged. An update takes the number of gradient steps before it
    (`steps`). The average spans at most the last tenth of them, so that the first parameters of a short
    run fade.

    Args:
      decay: the largest decay of the average in a gradient step.
    """

    def init(params: Any) -> Averaged:
        return Averaged(jax.tree.map(jnp.copy, params))  # donation needs a copy

    def update(
        updates: Any, state: Averaged, params: Any = None, *, steps: jax.Array, **_: Any
    ) -> tuple[Any, Averaged]:
        # The average takes in the parameters after this update.
        new = optax.apply_updates(params, updates)
        # The limit 1 - 9 / (steps + 10) averages over about a ninth of the steps so far.
        left = jnp.minimum(decay, (1 + steps) / (10 + steps))
        return updates, Averaged(optax.incremental_update(new, state.average, 1 - left))

    return optax.GradientTransformationExtraArgs(init, update)


def average_of(optimiser_state: Any) -> Any:
    """Return the averaged parameters in the state of an optimiser; None without `averaging`."""
    found = state_of(Averaged, optimiser_state)
    return found.average if found else None


def state_of(kind: type, optimiser_state: Any) -> Any:
    """Return the part of this type in the state of an optimiser, or None."""
    # `is_leaf` keeps the wanted part whole; all others fall apart into arrays.
    parts = jax.tree.leaves(optimiser_state, is_leaf=lambda x: isinstance(x, kind))
    return next((part for part in parts if isinstance(part, kind)), None)
