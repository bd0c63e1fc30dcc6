"""Tables over the cards left of each class, as products of factors; the storage of `blocks`.

The batch is the last axis of all arrays.
"""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# Pascal's triangle in float32, flat, with row n from (n + 1) * WIDTH on. Entries with k > n are 0; a
# negative k reads the end of the row before, which is 0 too.
WIDTH, _SIDE = 128, 66
_PASCAL = np.zeros((_SIDE, WIDTH), np.float32)
for _n in range(_SIDE - 1):
    _PASCAL[_n + 1, : _n + 1] = [math.comb(_n, _k) for _k in range(_n + 1)]


def binomial(index: jax.Array) -> jax.Array:
    """Return the binomial (n, k) from n * WIDTH + k; 0 if k > n, and if k < 0 and n - k < WIDTH."""
    table = jnp.asarray(_PASCAL.reshape(-1))
    # An index beyond the table reads its first or last entry, which is 0.
    return table.at[jnp.clip(index + WIDTH, 0, table.shape[0] - 1)].get(mode="promise_in_bounds")


class Slabs(NamedTuple):
    """A table over the cards left of the explicit classes, stored as factors, computed slab by slab.

    Attributes:
      shape: of the table, without the batch; a slab has one number of cards left of the first class.
      rows: float32[cards, B] for each explicit class, and last, for the implied class, float32[sum, B]
        by the cards left of all explicit ones together; an entry is a product of one factor of each.
      places: None, or int32[cards, B] for each explicit class: terms of an index of `binomial`, which
        is one more factor.
    """

    shape: tuple[int, ...]
    rows: list[jax.Array]
    places: list[jax.Array] | None

    def __call__(self, first: jax.Array) -> jax.Array:
        """Return the slab with `first` cards of the first class: float32[*shape[1:], B]."""
        shape = self.shape[1:]
        # by_sum: float32[sum, B], the implied class's factors in this slab.
        by_sum = lax.dynamic_slice_in_dim(self.rows[-1], first, sum(shape) - len(shape) + 1, 0)
        value = _spread(by_sum, shape)
        # The first class has one factor for the whole slab; each other class has one along its axis.
        value = value * to_rank(self.rows[0][first], value)
        for axis in range(len(shape)):
            value = value * along(self.rows[1 + axis], axis, len(shape))
        if self.places is None:
            return value
        # The index of a pair's binomial is a sum of terms, one of each class.
        place = jnp.broadcast_to(self.places[0][first], value.shape)
        for axis in range(len(shape)):
            place = place + along(self.places[1 + axis], axis, len(shape))
        return value * binomial(place)

    def column(self, others: list[jax.Array]) -> jax.Array:
        """Return the entries along the first axis, given int32[B] indices of the others: [n, B]."""
        # The implied class's factor depends on the sum of all explicit cards.
        start = sum(others, jnp.zeros_like(self.rows[0][0], jnp.int32))
        number = jnp.arange(self.shape[0], dtype=jnp.int32)[:, None]
        value = self.rows[0] * jnp.take_along_axis(self.rows[-1], start[None] + number, axis=0)
        # The last row is that of the implied class, which is already in the product.
        for row, other in zip(self.rows[1:], others, strict=False):
            value = value * jnp.take_along_axis(row, other[None], axis=0)
        if self.places is None:
            return value
        place = self.places[0]
        for row, other in zip(self.places[1:], others, strict=True):
            place = place + jnp.take_along_axis(row, other[None], axis=0)
        return value * binomial(place)


def column(table: jax.Array, others: list[jax.Array]) -> jax.Array:
    """Return the entries of [n, ..., B] at int32[B] indices of the axes in between: float32[n, B]."""
    # Flatten the middle axes, so that one gather takes every column.
    place = jnp.zeros(table.shape[-1:], jnp.int32)
    for size, other in zip(table.shape[1:-1], others, strict=True):
        place = place * size + other
    flat = table.reshape(table.shape[0], -1, table.shape[-1])
    return jnp.take_along_axis(flat, place[None, None], axis=1)[:, 0]


def to_rank(row: jax.Array, table: jax.Array) -> jax.Array:
    """Return [B] with leading axes of length 1, up to the rank of a table [..., B]."""
    return lax.broadcast_to_rank(row, table.ndim)


def along(row: jax.Array, axis: int, axes: int) -> jax.Array:
    """Reshape [n, B] to broadcast against [..., B]: n becomes axis `axis` of `axes` before B."""
    return row.reshape(*(-1 if a == axis else 1 for a in range(axes)), row.shape[-1])


def _spread(by_sum: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Return [*shape, B]; the entry at index (i, j, …) is entry i + j + … of [sum, B]."""
    if not shape:
        return by_sum[0]
    # A gather with constant indices: XLA:CPU compiles the concatenation of shifted copies to a branch
    # for every entry, which is much slower.
    return by_sum[sum(np.ix_(*map(np.arange, shape)))]


def stack(slabs: Slabs) -> jax.Array:
    """Return the whole table."""
    numbers = jnp.arange(slabs.shape[0], dtype=jnp.int32)
    return lax.scan(lambda _, first: (None, slabs(first)), None, numbers)[1]
