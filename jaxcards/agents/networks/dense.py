"""A dense layer with bfloat16 products and float32 sums.

A bfloat16 number is a float32 number without its last 16 bits. Processors with bfloat16 instructions
compute twice the number of products per second. Parameters, outputs, gradients and all sums stay
float32 (Micikevicius et al. 2018, "Mixed precision training").
"""

from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.features import unpack

_WORD = 32


class Dense(nn.Module):
    """A layer with the parameters of `flax.linen.Dense`.

    Attributes:
      features: width of the output.
      kernel_init: initializer of the kernel.
    """

    features: int
    kernel_init: Any = nn.linear.default_kernel_init

    @nn.compact
    def __call__(self, x: jax.Array, num_bits: int = 0) -> jax.Array:
        """Map float[..., inputs], or packed bits with `num_bits`, to float32[..., features]."""
        kernel = self.param("kernel", self.kernel_init, (num_bits or x.shape[-1], self.features))
        bias = self.param("bias", nn.initializers.zeros, (self.features,))
        if num_bits:
            return product_of_bits(x, kernel) + bias
        return product(x.astype(jnp.float32), kernel) + bias


@jax.custom_vjp
def product(x: jax.Array, kernel: jax.Array) -> jax.Array:
    """Return float32[..., m], the product of float32[..., n] and float32[n, m]; see above."""
    return _sums(_half(x), _half(kernel), x.ndim - 1, 0)


def _product_forward(x: jax.Array, kernel: jax.Array) -> tuple[jax.Array, Any]:
    return product(x, kernel), (_half(x), _half(kernel))


def _product_backward(kept: Any, slope: jax.Array) -> tuple[jax.Array, jax.Array]:
    x, kernel = kept
    # Products of gradients also have bfloat16 factors and float32 sums.
    slope = _half(slope)
    # To the inputs: sums over the outputs. To the kernel: sums over all rows of the batch.
    return _sums(slope, kernel, slope.ndim - 1, 1), _sums(_rows(x), _rows(slope), 0, 0)


product.defvjp(_product_forward, _product_backward)


@jax.custom_vjp
def product_of_bits(words: jax.Array, kernel: jax.Array) -> jax.Array:
    """Return float32[..., m], the product of n bits in uint32[..., words] and float32[n, m]."""
    bits = unpack(words, kernel.shape[0], jnp.bfloat16)
    return _sums(bits, _half(kernel), bits.ndim - 1, 0)


def _bits_forward(words: jax.Array, kernel: jax.Array) -> tuple[jax.Array, Any]:
    return product_of_bits(words, kernel), (words, kernel)


def _bits_backward(kept: Any, slope: jax.Array) -> tuple[np.ndarray, jax.Array]:
    words, kernel = kept
    # The bits are unpacked transposed, one row for each: twice as fast as a transpose afterwards.
    columns = _rows(words).T
    bits = (columns[:, None, :] >> jnp.arange(_WORD, dtype=jnp.uint32)[:, None]) & 1
    bits = bits.reshape(-1, columns.shape[1]).astype(jnp.bfloat16)
    # The last word may have bits beyond the last input: drop their rows.
    to_kernel = _sums(bits, _half(_rows(slope)), 1, 0)[: kernel.shape[0]]
    # The bits are integers: float0 is JAX's type of their missing gradient.
    return np.zeros(words.shape, jax.dtypes.float0), to_kernel


product_of_bits.defvjp(_bits_forward, _bits_backward)


def _half(x: jax.Array) -> jax.Array:
    return x.astype(jnp.bfloat16)


def _rows(x: jax.Array) -> jax.Array:
    """Return an array with all axes before the last merged into one."""
    return x.reshape(-1, x.shape[-1])


def _sums(x: jax.Array, y: jax.Array, axis: int, other: int) -> jax.Array:
    """Return the sums of products along an axis of either array: float32."""
    axes = ((axis,), (other,)), ((), ())
    return jax.lax.dot_general(x, y, axes, preferred_element_type=jnp.float32)
