"""Values by seat: reading and writing entries of tuples, packed words and vectors without a gather."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp


def by_seat(values: Sequence[Any], seat: jax.Array) -> Any:
    """Returns `values[seat]` of a tuple of equal pytrees of scalars, without a gather."""
    if len(values) == 1:
        return values[0]
    half = 1 << ((len(values) - 1).bit_length() - 1)
    low, high = by_seat(values[:half], seat & (half - 1)), by_seat(values[half:], seat & (half - 1))
    return jax.tree.map(lambda a, b: jnp.where(seat >= half, b, a), low, high)


def vector(values: Sequence[Any]) -> jax.Array:
    """Returns int32[n] of n scalars, one for each seat.

    Selections, not a concatenation: XLA computes what is fused into a concatenation one element at
    a time, which halves the speed of a rollout.
    """
    index = jnp.arange(len(values))
    entries = jnp.asarray(values[-1]).astype(jnp.int32)
    for seat in range(len(values) - 2, -1, -1):
        entries = jnp.where(index <= seat, jnp.asarray(values[seat]).astype(jnp.int32), entries)
    return jnp.broadcast_to(entries, (len(values),))


def by_team(first: jax.Array, second: jax.Array) -> jax.Array:
    """Returns int32[4] of two teams that sit crosswise: seats 0 and 2 get the first value."""
    odd = jnp.arange(4) & 1 == 1
    return jnp.where(odd, second.astype(jnp.int32), first.astype(jnp.int32))


def field(packed: jax.Array, index: int | jax.Array, bits: int) -> jax.Array:
    """Returns entry `index` of a word that holds entries of `bits` bits, the first lowest: uint32."""
    shift = jnp.uint32(index) * jnp.uint32(bits)
    return (packed >> shift) & jnp.uint32((1 << bits) - 1)
