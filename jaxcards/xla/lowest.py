"""The lowest set bit of a word."""

import jax
import jax.numpy as jnp


def lowest_bit(word: jax.Array) -> jax.Array:
    """Return uint32 words with only their lowest set bit; 0 for 0."""
    # The two's complement of a word keeps the lowest set bit and inverts all bits above it.
    return word & (~word + 1)


def lowest_place(word: jax.Array) -> jax.Array:
    """Return the position of the lowest set bit of uint32 words other than 0: uint32."""
    return jnp.uint32(31) - jax.lax.clz(lowest_bit(word))
