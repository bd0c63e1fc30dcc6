"""Small constant tables, read by a traced index.

A gather breaks the vector loop on a CPU and is even slower on a TPU.
Tables of card games are tiny, so their entries are packed side by side into a few uint32 constants;
reading is a shift and a mask, after choosing the word. Tables are written as a person would write
them and packed here.
"""

from collections.abc import Sequence

import jax
import jax.numpy as jnp


def lookup(table: Sequence[int], index: jax.Array) -> jax.Array:
    """Return `table[index]` as uint32.

    Args:
      table: non-negative ints.
      index: uint32 scalar below `len(table)`; an index beyond it gives an unspecified value.
    """
    return lookup_in([table], [], index)


def lookup_in(
    tables: Sequence[Sequence[int]], conditions: Sequence[jax.Array], index: jax.Array
) -> jax.Array:
    """Return an entry of the first table whose condition holds, else of the last table.

    Args:
      tables: tables of equal length, of non-negative ints.
      conditions: bool scalars, one for every table but the last.
      index: uint32 scalar below the length of the tables.

    Returns:
      uint32 scalar.
    """
    largest = max(max(table) for table in tables)
    slot = 1 << (max(largest.bit_length(), 1) - 1).bit_length()  # bits an entry, a power of two
    # A power of two divides 32: entries fill a word, and a mask and a shift find an entry in it.
    per_word = 32 // slot
    packed = [_pack(table, slot, per_word) for table in tables]
    # Start with the words of the last table, and let earlier tables override them.
    words = [jnp.uint32(word) for word in packed[-1]]
    for table, condition in zip(packed[-2::-1], conditions[::-1], strict=True):
        words = [
            jnp.where(condition, jnp.uint32(constant), word)
            for constant, word in zip(table, words, strict=True)
        ]
    word = words[0]
    # Find the word of the index by comparisons, then shift and mask within it.
    for i, later in enumerate(words[1:], start=1):
        word = jnp.where(index >= i * per_word, later, word)
    if per_word == 1:
        return word
    return (word >> ((index & (per_word - 1)) * slot)) & ((1 << slot) - 1)


def _pack(table: Sequence[int], slot: int, per_word: int) -> list[int]:
    words = [0] * -(-len(table) // per_word)
    for i, entry in enumerate(table):
        words[i // per_word] |= entry << (slot * (i % per_word))
    return words
