"""Batches that pool the rows of every enclosing `jax.vmap` and compute only the wanted ones.

Under `jax.vmap` a loop runs for all rows of a batch until the last row is done. It computes every row,
even where the result is unused. Here the rows of all batches form one batch, and its wanted rows are
computed a few at a time.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

Function = Callable[[Any, Any], Any]
"""(shared, rows) -> results: leaves of rows and results have a leading axis of the same length."""


def pooled(function: Function) -> Function:
    """Return the same function; `jax.vmap` calls it once with all rows of the batch.

    Where `shared` differs in a batch, the calls come one after the other.

    Args:
      function: see `Function`; it may not close over traced values.
    """

    @jax.custom_batching.custom_vmap
    def together(shared: Any, rows: Any) -> Any:
        return function(shared, rows)

    @together.def_vmap
    def rule(size: int, batched: Sequence[Any], shared: Any, rows: Any) -> tuple[Any, Any]:
        # Give every leaf the axis of this vmap, also those that are equal for all rows.
        def spread(tree: Any, has: Any) -> Any:
            return jax.tree.map(
                lambda x, has: x if has else jnp.broadcast_to(x, (size, *x.shape)), tree, has
            )

        rows = spread(rows, batched[1])
        if any(jax.tree.leaves(batched[0])):
            # Different `shared` values cannot pool their rows: one call after the other.
            found = jax.lax.map(lambda each: together(*each), (spread(shared, batched[0]), rows))
        else:
            # Merge the axis of this vmap into the axis of rows; nested vmaps repeat this.
            found = together(shared, jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), rows))
            found = jax.tree.map(lambda x: x.reshape(size, -1, *x.shape[1:]), found)
        # The second value tells JAX which results have the axis of this vmap: all of them.
        return found, jax.tree.map(lambda _: True, found)

    return together


def for_one(together: Function, shared: Any, row: Any) -> Any:
    """Return the result of a pooled function for one row: leaves without the leading axis."""
    found = together(shared, jax.tree.map(lambda x: jnp.asarray(x)[None], row))
    return jax.tree.map(lambda x: x[0], found)


@jax.custom_batching.custom_vmap
def somewhere(flag: jax.Array) -> jax.Array:
    """Return a flag: bool scalar. Under `jax.vmap`, every row gets the "or" of all rows.

    A `lax.cond` on the result stays a branch under `jax.vmap`; on other values, both sides are
    computed. Both sides must be correct for a row without the flag.
    """
    return flag


@somewhere.def_vmap
def _somewhere(size: int, batched: Sequence[bool], flags: jax.Array) -> tuple[jax.Array, bool]:
    # False: the result has no batch axis. The call joins the flags of an enclosing vmap as well.
    return somewhere(flags.any()), False


@jax.custom_batching.custom_vmap
def largest(number: jax.Array) -> jax.Array:
    """Return a number: int32 scalar. Under `jax.vmap`, every row gets the largest of all rows.

    A `fori_loop` up to the result stays a plain loop under `jax.vmap`; up to other values, every turn
    selects for each row between the old and the new carry. Further turns must not change a result.
    """
    return number


@largest.def_vmap
def _largest(size: int, batched: Sequence[bool], numbers: jax.Array) -> tuple[jax.Array, bool]:
    return largest(numbers.max()), False


def in_turn(function: Callable[[jax.Array], Any], wanted: jax.Array, lanes: int, result: Any) -> Any:
    """Return the results of the wanted rows of a batch; the other rows are 0.

    Args:
      function: maps row numbers, int32[lanes], to their results, with a leading axis. A number may
        occur twice.
      wanted: bool[n].
      lanes: static number of rows that are computed side by side, 1 or more.
      result: shapes and dtypes of the result of one row; to derive them would trace `function` twice.
    """
    n = wanted.shape[0]
    lanes = min(lanes, n)
    # The wanted rows first, in their order.
    order = jnp.argsort(~wanted, stable=True).astype(jnp.int32)
    total = wanted.sum(dtype=jnp.int32)
    empty = jax.tree.map(lambda x: jnp.zeros((n, *x.shape), x.dtype), result)

    def some(carry: tuple[jax.Array, Any]) -> tuple[jax.Array, Any]:
        begun, found = carry
        # The last batch may be short: repeat the last wanted row, which changes nothing.
        rows = order[jnp.minimum(begun + jnp.arange(lanes, dtype=jnp.int32), total - 1)]
        done = function(rows)
        found = jax.tree.map(lambda all, new: all.at[rows].set(new), found, done)
        return begun + lanes, found

    start = jnp.int32(0), empty
    return jax.lax.while_loop(lambda carry: carry[0] < total, some, start)[1]
