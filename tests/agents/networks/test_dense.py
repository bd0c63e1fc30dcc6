"""Products of bfloat16 numbers: sums and gradients against plain float64, nothing rounded beside."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.quick import quick_jit

from jaxcards.agents.networks.dense import product, product_of_bits
from jaxcards.agents.networks.network import BitsNetwork, PlanesNetwork
from jaxcards.cards.features import unpack

RNG = np.random.default_rng(0)
INPUTS, OUTPUTS = 70, 24


def rounded(x):
    """Return the nearest bfloat16 numbers, as float64."""
    return np.asarray(jnp.asarray(x, jnp.bfloat16).astype(jnp.float32), np.float64)


def numbers(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def close(found, expected):
    """Compare float32 sums of exact factors, much closer than the spacing of bfloat16 numbers."""
    assert found.dtype == jnp.float32
    np.testing.assert_allclose(np.asarray(found, np.float64), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shape", [(), (5,), (4, 3)])
def test_products_and_their_gradients(shape):
    x, kernel, slope = numbers(*shape, INPUTS), numbers(INPUTS, OUTPUTS), numbers(*shape, OUTPUTS)
    found, back = jax.vjp(product, x, kernel)
    close(found, rounded(x) @ rounded(kernel))
    to_x, to_kernel = back(slope)
    close(to_x, rounded(slope) @ rounded(kernel).T)
    rows = rounded(x).reshape(-1, INPUTS), rounded(slope).reshape(-1, OUTPUTS)
    close(to_kernel, rows[0].T @ rows[1])


@pytest.mark.parametrize("shape", [(), (5,), (4, 3)])
def test_products_of_bits_are_those_of_the_numbers(shape):
    words = RNG.integers(0, 1 << 32, (*shape, 3), dtype=np.uint32)
    kernel, slope = numbers(INPUTS, OUTPUTS), numbers(*shape, OUTPUTS)
    bits = unpack(jnp.asarray(words), INPUTS)
    found, back = jax.vjp(lambda kernel: product_of_bits(words, kernel), kernel)
    expected, others = jax.vjp(lambda kernel: product(bits, kernel), kernel)
    assert 0.3 < bits.mean() < 0.7
    close(found, np.asarray(expected, np.float64))
    close(back(slope)[0], np.asarray(others(slope)[0], np.float64))


def test_one_by_one_as_in_a_batch():
    words = RNG.integers(0, 1 << 32, (6, 3), dtype=np.uint32)
    kernel = numbers(INPUTS, OUTPUTS)
    together = product_of_bits(words, kernel)
    close(jax.vmap(lambda row: product_of_bits(row, kernel))(words), np.asarray(together, np.float64))
    x = numbers(6, INPUTS)
    close(jax.vmap(lambda row: product(row, kernel))(x), np.asarray(product(x, kernel), np.float64))


@pytest.mark.parametrize("kind", [BitsNetwork, PlanesNetwork])
def test_a_network_differs_by_its_rounding_alone(kind):
    exact, half = (kind(INPUTS, (16, 8), 5, jnp.dtype(name)) for name in ("float32", "bfloat16"))
    params = exact.fresh(jax.random.key(1))
    assert jax.tree.map(np.shape, params) == jax.tree.map(np.shape, half.fresh(jax.random.key(1)))
    params = jax.tree.map(lambda leaf: numbers(*leaf.shape) / 4, params)
    words = RNG.integers(0, 1 << 32, (40, 3), dtype=np.uint32)
    x = jnp.asarray(words) if kind is BitsNetwork else unpack(jnp.asarray(words), INPUTS)
    found, expected = quick_jit(half.apply)(params, x), quick_jit(exact.apply)(params, x)
    assert found.dtype == jnp.float32
    assert 0 < np.abs(found - expected).max() < 0.02 * np.abs(expected).max()


def test_every_product_of_a_step_is_of_bfloat16_numbers_and_its_sum_is_float32():
    network = BitsNetwork(INPUTS, (16, 8), 5, jnp.dtype("bfloat16"))
    params = network.fresh(jax.random.key(1))
    words = np.zeros((40, 3), np.uint32)
    loss = lambda params: jnp.square(network.apply(params, words)).mean()  # noqa: E731
    products = dots(jax.make_jaxpr(jax.grad(loss))(params).jaxpr)
    # Three layers forward, two back to their inputs and three to their kernels.
    assert len(products) == 8
    for dot in products:
        assert {x.aval.dtype for x in dot.invars} == {jnp.dtype("bfloat16")}
        assert [x.aval.dtype for x in dot.outvars] == [jnp.float32]


def dots(jaxpr):
    """Every product of matrices in a program, and in the programs that it calls."""
    found = []
    for equation in jaxpr.eqns:
        if equation.primitive.name == "dot_general":
            found.append(equation)
        for value in equation.params.values():
            inner = getattr(value, "jaxpr", value)
            if hasattr(inner, "eqns"):
                found += dots(inner)
    return found
