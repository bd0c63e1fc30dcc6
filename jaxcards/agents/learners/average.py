"""The average of the parameters over a run, which plays better than the newest ones."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


class Averaged(NamedTuple):
    """The state of `averaging`.

    Attributes:
      average: parameters, in the form of those that are learned.
    """

    average: Any


def averaging(decay: float) -> optax.GradientTransformationExtraArgs:
    """Keep an exponential average of the parameters (Polyak and Juditsky 1992); changes no update.

    An update takes the number of gradient steps before it (`steps`). The average spans about the last
    tenth of them at most, so that the first parameters of a short run fade.

    Args:
      decay: the largest share of the average that is left after a gradient step.
    """

    def init(params: Any) -> Averaged:
        return Averaged(jax.tree.map(jnp.copy, params))  # both are donated

    def update(
        updates: Any, state: Averaged, params: Any = None, *, steps: jax.Array, **_: Any
    ) -> tuple[Any, Averaged]:
        new = optax.apply_updates(params, updates)
        left = jnp.minimum(decay, (1 + steps) / (10 + steps))
        return updates, Averaged(optax.incremental_update(new, state.average, 1 - left))

    return optax.GradientTransformationExtraArgs(init, update)


def average_of(optimiser_state: Any) -> Any:
    """Return the average of the parameters in the state of an optimiser; None without `averaging`."""
    found = state_of(Averaged, optimiser_state)
    return found.average if found else None


def state_of(kind: type, optimiser_state: Any) -> Any:
    """Return the part of a kind in the state of an optimiser, or None."""
    parts = jax.tree.leaves(optimiser_state, is_leaf=lambda x: isinstance(x, kind))
    return next((part for part in parts if isinstance(part, kind)), None)
