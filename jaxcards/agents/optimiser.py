"""The optimiser of the networks: Adam behind a limit to the gradient's norm (Kingma and Ba 2015)."""

from typing import Any

import jax
import optax


def adam(learning_rate: float, max_gradient_norm: float) -> optax.GradientTransformation:
    """Returns the optimiser; `with_learning_rate` sets another learning rate for an update."""
    return optax.chain(
        optax.clip_by_global_norm(max_gradient_norm),
        optax.inject_hyperparams(optax.adam)(learning_rate=learning_rate, eps=1e-5),
    )


def with_learning_rate(state: Any, rate: jax.Array) -> Any:
    """Returns a state of `adam` with another learning rate, a float32 scalar."""
    clip, inner = state
    return clip, inner._replace(hyperparams=inner.hyperparams | {"learning_rate": rate})
