"""High words of products: 32 bits times 32 bits without 64-bit integers, which JAX has not by default.

`jax.lax.mulhi` does the same, but XLA cannot compile it within `jax.shard_map` ("failed to legalize
operation", jax 0.10 to 0.12), which batches over several devices need.
"""

import jax

_HALF = 0xFFFF


def high_word(x: jax.Array, y: jax.Array) -> jax.Array:
    """Returns floor(x * y / 2**32) of two uint32: school multiplication on halves of words."""
    x1, x0, y1, y0 = x >> 16, x & _HALF, y >> 16, y & _HALF
    # Neither sum can overflow: (2**16 - 1)**2 + 2 * (2**16 - 1) < 2**32.
    middle = x1 * y0 + (x0 * y0 >> 16)
    return x1 * y1 + (middle >> 16) + (x0 * y1 + (middle & _HALF) >> 16)


def scaled(word: jax.Array, bound: jax.Array) -> jax.Array:
    """Returns floor(word * bound / 2**32) of a uint32 and a uint32 bound of at most 2**16.

    Of a random word that is a number below `bound`; half the work of `high_word`.
    """
    return (word >> 16) * bound + ((word & _HALF) * bound >> 16) >> 16
