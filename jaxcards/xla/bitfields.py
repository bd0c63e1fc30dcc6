"""Several numbers packed into one word: a state has fewer leaves, and one fence holds all of them."""

from collections.abc import Sequence

import jax


def pack(values: Sequence[jax.Array], widths: Sequence[int]) -> jax.Array:
    """Return a word that packs the values, the first in the lowest bits.

    Args:
      values: uint32 scalars, each below 2**width.
      widths: bits of each value. The last value gets all remaining bits; its width is ignored.
    """
    # From the last value to the first, so that the first ends in the lowest bits.
    word = values[-1]
    for value, bits in zip(values[-2::-1], widths[-2::-1], strict=True):
        word = word << bits | value
    return word


def unpack(word: jax.Array, widths: Sequence[int]) -> list[jax.Array]:
    """Return the values that `pack` put into a word."""
    values, start = [], 0
    # The last value takes all remaining bits, so it needs no mask.
    for bits in widths[:-1]:
        value = word >> start if start else word
        values.append(value & ((1 << bits) - 1))
        start += bits
    return [*values, word >> start]
