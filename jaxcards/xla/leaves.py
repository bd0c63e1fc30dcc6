"""The leaves of a pytree: all of them batched or varying alike, and with a buffer of their own."""

from typing import Any

import jax
import jax.numpy as jnp


def tied(tree: Any, word: jax.Array) -> Any:
    """Return a pytree, unchanged, every leaf of which is batched, sharded or varying if `word` is.

    A leaf that begins equal in all deals, such as a count of 0, is not. Where the body of a
    loop makes it so, `jax.vmap` traces the body a second time, and in nested loops the tracings
    multiply. `jax.shard_map` and meshes with explicit axes refuse such a loop. XLA removes the ties.

    Args:
      tree: what a loop carries, or the first state of a deal.
      word: integer scalar that differs between the deals of a batch, such as a word of their keys.
    """
    return jax.tree.map(lambda leaf: jnp.where(word == word, leaf, leaf), tree)


def unshared(tree: Any) -> Any:
    """Return a pytree in which every leaf has a buffer of its own, so that it can be donated.

    Leaves that share an array, such as a zero, become copies. A traced pytree stays as it is.
    """
    leaves, structure = jax.tree.flatten(tree)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return tree
    earlier: set[int] = set()
    found = []
    for leaf in leaves:
        found.append(leaf.copy() if id(leaf) in earlier else leaf)
        earlier.add(id(leaf))
    return jax.tree.unflatten(structure, found)


def first_state(tree: Any, word: jax.Array) -> Any:
    """Return the first state of a deal: `tied` if `word` is traced, else `unshared`."""
    return tied(tree, word) if isinstance(word, jax.core.Tracer) else unshared(tree)
