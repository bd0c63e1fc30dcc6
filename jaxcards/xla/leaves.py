"""The leaves of a pytree: give each its own buffer, or make all batched or varying alike."""

from typing import Any

import jax
import jax.numpy as jnp


def tied(tree: Any, word: jax.Array) -> Any:
    """Return a pytree with equal values whose leaves are batched, sharded or varying if `word` is.

    A leaf that starts with the same value in all deals, such as a count of 0, is not batched. If the
    body of a loop makes the leaf batched, `jax.vmap` traces the body a second time, and in nested loops
    the traces multiply. `jax.shard_map` and meshes with explicit axes refuse such a loop. XLA removes
    the operations that tie the leaves to `word`.

    Args:
      tree: what a loop carries, or the first state of a deal.
      word: integer scalar that differs between the deals of a batch, such as a word of their keys.
    """
    # XLA simplifies the selection away, after JAX has taken the leaf for one that depends on `word`.
    return jax.tree.map(lambda leaf: jnp.where(word == word, leaf, leaf), tree)


def unshared(tree: Any) -> Any:
    """Return a pytree in which every leaf has its own buffer, so that it can be donated.

    Leaves that share an array, such as a zero, become copies. A traced pytree stays as it is.
    """
    leaves, structure = jax.tree.flatten(tree)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return tree
    earlier: set[int] = set()
    found = []
    for leaf in leaves:
        # The first use keeps the buffer; every later one gets a copy.
        found.append(leaf.copy() if id(leaf) in earlier else leaf)
        earlier.add(id(leaf))
    return jax.tree.unflatten(structure, found)


def first_state(tree: Any, word: jax.Array) -> Any:
    """Return the first state of a deal: `tied` if `word` is traced, else `unshared`."""
    return tied(tree, word) if isinstance(word, jax.core.Tracer) else unshared(tree)
