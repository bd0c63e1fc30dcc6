"""A function that is traced once: the same program, one trace for each kind of call."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.xla.fence import fence, without_fences
from jaxcards.xla.tracing import traced_once


@pytest.fixture
def power():
    """Return a function that counts how often its code has run, and the list of these runs."""
    runs = []

    def plain(base, exponent):
        runs.append(exponent)
        result = jnp.ones_like(base)
        for _ in range(exponent):
            result = fence(result * base)
        return result

    return traced_once(static_argnums=(1,))(plain), plain, runs


def test_programs_share_a_trace(power):
    once, plain, runs = power
    numbers = jnp.arange(8)
    for function in (
        lambda x: once(x, 3),
        lambda x: 2 * once(x + 1, 3),
        jax.vmap(lambda x: once(x, 3)),
    ):
        jax.jit(function)(numbers)
    assert runs == [3, 3]  # of a batch, and of one number
    once(numbers, 2)
    assert runs == [3, 3, 2]
    np.testing.assert_array_equal(once(numbers, 3), numbers**3)


def test_the_program_is_as_without_it(power):
    once, plain, _ = power
    one, other = (
        jax.make_jaxpr(jax.vmap(lambda x, f=f: f(x, 3)))(jnp.arange(8)) for f in (once, plain)
    )
    assert str(one) == str(other)


def test_fences_are_left_out_where_they_are_to_be(power):
    once, _, _ = power

    def equations():
        return len(jax.make_jaxpr(lambda x: once(x, 3))(jnp.arange(8)).eqns)

    fenced = equations()
    with without_fences():
        bare = equations()
    assert bare < fenced == equations()
