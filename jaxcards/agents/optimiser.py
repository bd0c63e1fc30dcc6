"""The optimiser of the networks: Adam behind a limit to the gradient's norm (Kingma and Ba 2015)."""

from typing import Any

import jax
import optax

from jaxcards.agents.average import averaging


def adam(
    learning_rate: float, max_gradient_norm: float, average: float = 0.0
) -> optax.GradientTransformation:
    """Returns the optimiser; `with_learning_rate` sets another learning rate for an update.

    Args:
      learning_rate: of the first update.
      max_gradient_norm: gradients are clipped to this global norm.
      average: keep an average of the parameters, with this decay; see `average.averaging`. 0 = none.
    """
    parts = [
        optax.clip_by_global_norm(max_gradient_norm),
        optax.inject_hyperparams(optax.adam)(learning_rate=learning_rate, eps=1e-5),
    ]
    return optax.chain(*parts, *([averaging(average)] if average else []))


def with_learning_rate(state: Any, rate: jax.Array) -> Any:
    """Returns a state of `adam` with another learning rate, a float32 scalar."""
    clip, inner, *rest = state
    return clip, inner._replace(hyperparams=inner.hyperparams | {"learning_rate": rate}), *rest
