"""Rounding to integers without XLA's guards."""

import jax
import jax.numpy as jnp

_INTEGERS = 1.5 * 2.0**23  # around it the float32s are the integers, and so are their bits


def rounded(value: jax.Array) -> jax.Array:
    """Return `jnp.round(value).astype(jnp.int32)`.

    A conversion by XLA looks for NaN and for numbers that no int32 can hold, which takes six
    instructions a vector.

    Args:
      value: float32, between -2**22 and 2**22.
    """
    bits = jax.lax.bitcast_convert_type(value + jnp.float32(_INTEGERS), jnp.int32)
    return bits - jax.lax.bitcast_convert_type(jnp.float32(_INTEGERS), jnp.int32)
