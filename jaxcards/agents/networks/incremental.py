"""An incremental first layer for groups of similar positions, such as the worlds of a search.

Most bits are equal in all positions of a group: the cards on the table, the cards played so far. The
layer multiplies the first position of a group. For each other position it adds or subtracts the weights
of the bits that differ, as an efficiently updatable neural network (NNUE) does.

Sums of `rounded` weights are exact in any order. The result of a position is then the same, bit for
bit, in every group.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp

from jaxcards.cards.features import unpack

_SIZES = (32, 96)
"""Numbers of differing bits with a separate program; the next larger program is used."""
_DIGITS = 22  # of sums of rounded weights; a float32 has 24


class IncrementalDense(nn.Module):
    """A first layer with the parameters of `flax.linen.Dense`, whose input is packed bits.

    Attributes:
      features: width of the output.
    """

    features: int

    @nn.compact
    def __call__(self, words: jax.Array, num_bits: int) -> jax.Array:
        """Map uint32[ceil(num_bits / 32)] to float32[features]; see `incremental_product`."""
        shape = num_bits, self.features
        kernel = self.param("kernel", nn.linear.default_kernel_init, shape)
        bias = self.param("bias", nn.initializers.zeros, shape[1:])
        return incremental_product(words, kernel) + bias


@jax.custom_batching.custom_vmap
def incremental_product(words: jax.Array, kernel: jax.Array) -> jax.Array:
    """Return float32[m], the product of n bits in uint32[words] and a kernel, float32[n, m].

    Under `jax.vmap` the positions of the batch are a group; under two, those of the inner `jax.vmap`.
    Groups of positions that have little in common are slow.
    """
    return _plain(words, kernel)


def with_rounded_first(params: Any) -> Any:
    """Return the parameters of a `BitsNetwork` whose first kernel is `rounded`.

    The parameters of other policies are returned unchanged.
    """
    if not isinstance(params, Mapping):
        return params
    # `BitsNetwork` gives this name to its first layer.
    first = params["params"]["Dense_0"]
    first = {**first, "kernel": rounded(first["kernel"])}
    return {**params, "params": {**params["params"], "Dense_0": first}}


def rounded(kernel: jax.Array) -> jax.Array:
    """Return a kernel whose sums over bits have no rounding error: float32[n, m].

    Its numbers are multiples of a power of 2. This is the smallest power for which the sum of absolute
    values in each column is less than 2**22 times the power.
    """
    # The exponent of the largest column sum of absolute values bounds every sum.
    _, exponent = jnp.frexp(jnp.abs(kernel).sum(0).max())
    step = jnp.ldexp(jnp.float32(1), exponent - _DIGITS)
    return jnp.round(kernel / step) * step


def _plain(words: jax.Array, kernel: jax.Array) -> jax.Array:
    # By default a GPU or a TPU would round the weights, which makes the sums inexact.
    return jnp.matmul(unpack(words, kernel.shape[0]), kernel, precision=jax.lax.Precision.HIGHEST)


@jax.custom_batching.custom_vmap
def _of_group(words: jax.Array, kernel: jax.Array) -> jax.Array:
    return _of_groups(words[None], kernel)[0]


def _of_groups(words: jax.Array, kernel: jax.Array) -> jax.Array:
    """Return the products of uint32[groups, positions, words]: float32[groups, positions, m]."""
    if jax.default_backend() != "cpu":  # others multiply fast, and branch slowly
        return _plain(words, kernel)
    (groups, positions, _), (n, m) = words.shape, kernel.shape
    # A program for half of the bits or more would save little.
    sizes = [size for size in _SIZES if 2 * size < n]
    flat = words.reshape(groups * positions, -1)
    first = words[:, 0]
    # differing: uint32[words], the bits in which any position differs from the first of its group.
    differing = jax.lax.reduce(words ^ first[:, None], jnp.uint32(0), jax.lax.bitwise_or, (0, 1))
    # flags: int32[n], 1 for each differing bit.
    flags = unpack(differing, n, jnp.int32)
    number = flags.sum()
    # shared: float32[groups, m], the product of the first position of each group.
    shared = _plain(first, kernel)

    def differing_in(size: int) -> jax.Array:
        # Each differing bit gets a slot in turn; all others get an index that is dropped.
        place = jnp.where(flags > 0, flags.cumsum() - 1, size)
        # Slots without a bit keep the number n, one beyond the last bit.
        bit = jnp.full(size, n, jnp.int32).at[place].set(jnp.arange(n, dtype=jnp.int32), mode="drop")
        # The word of each bit, and its position there.
        column, shift = bit >> 5, (bit & 31).astype(jnp.uint32)[:, None]

        def read(words: jax.Array) -> jax.Array:
            """Return the selected bits of uint32[n, words], as numbers: float32[size, n]."""
            return ((words.T[column] >> shift) & 1).astype(jnp.float32)

        # change: float32[size, groups * positions], 1, -1 or 0 for each differing bit.
        change = read(flat) - jnp.repeat(read(first), positions, axis=1)
        # Entries after the last differing bit are padding with zero weights.
        weights = kernel.at[bit].get(mode="fill", fill_value=0)
        found = jax.lax.dot_general(change, weights, (((0,), (0,)), ((), ())))
        return found.reshape(groups, positions, m) + shared[:, None]

    branches = [partial(differing_in, size) for size in sizes]
    # The smallest program with enough slots; beyond the last one, the plain product.
    which = sum((number > size).astype(jnp.int32) for size in sizes)
    found: jax.Array = jax.lax.switch(which, [*branches, partial(_plain, words, kernel)])
    return found


def _batched(together: Callable[[jax.Array, jax.Array], jax.Array]) -> Callable[..., Any]:
    """Return the batching rule: calls with the same kernel become one call of `together`."""

    def rule(
        size: int, batched: Sequence[bool], words: jax.Array, kernel: jax.Array
    ) -> tuple[jax.Array, bool]:
        # Only the words are batched: all positions share one kernel.
        if list(batched) == [True, False]:
            return together(words, kernel), True
        # Positions with different kernels share nothing: compute each by itself.
        axes = tuple(0 if has else None for has in batched)
        return jax.vmap(_plain, axes)(words, kernel), True

    return rule


# One `vmap` makes the positions of a group, and the next one around it makes the groups.
incremental_product.def_vmap(_batched(_of_group))
_of_group.def_vmap(_batched(_of_groups))
