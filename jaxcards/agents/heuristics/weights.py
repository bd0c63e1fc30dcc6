"""Access to the weights of a heuristic, which are constants, or traced while they are fitted."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def float32(weights: Any) -> Any:
    """Return weights as float32: Python numbers would be float64 in JAX's 64-bit mode.

    Args:
      weights: a pytree of Python numbers, or of scalars while they are fitted.
    """

    def one(weight: Any) -> Any:
        return weight.astype(jnp.float32) if isinstance(weight, jax.Array) else np.float32(weight)

    return jax.tree.map(one, weights)


def select(values: Any, index: Any, dtype: Any = jnp.float32) -> jax.Array:
    """Return `values[min(index, last)]` for a handful of weights, without a gather.

    Args:
      values: numbers or scalars.
      index: uint32[...].
      dtype: of the result.
    """
    # Start with the last value, which also serves larger indices.
    result = jnp.asarray(values[-1], dtype)
    for i in range(len(values) - 2, -1, -1):
        result = jnp.where(index == i, values[i], result)
    return result
