"""Numbers side by side in one word: a state has fewer leaves, and one fence holds all of them."""

from collections.abc import Sequence

import jax


def pack(values: Sequence[jax.Array], widths: Sequence[int]) -> jax.Array:
    """Return a word of values, the first lowest.

    Args:
      values: uint32 scalars, each below 2**width.
      widths: bits of each value; that of the last is not used, as its value gets all bits left.
    """
    word = values[-1]
    for value, bits in zip(values[-2::-1], widths[-2::-1], strict=True):
        word = word << bits | value
    return word


def unpack(word: jax.Array, widths: Sequence[int]) -> list[jax.Array]:
    """Return the values of a word of `pack`."""
    values, start = [], 0
    for bits in widths[:-1]:
        value = word >> start if start else word
        values.append(value & ((1 << bits) - 1))
        start += bits
    return [*values, word >> start]
