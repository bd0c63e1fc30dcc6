"""Rounding gives what XLA's own gives."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.xla.rounding import rounded


def test_rounded_is_round():
    halves = np.arange(-40, 41) / 2
    edges = [2**22 - 0.5, 2**22 - 1, -(2**22) + 0.5, -(2**22)]
    drawn = np.random.default_rng(0).uniform(-(2**22), 2**22, 4096)
    values = jnp.asarray(np.concatenate([halves, edges, drawn, drawn / 2**20]), jnp.float32)
    expected = jnp.round(values).astype(jnp.int32)
    for function in (rounded, jax.jit(rounded)):
        found = function(values)
        assert found.dtype == jnp.int32
        np.testing.assert_array_equal(found, expected)
