"""High words of products, against Python's integers."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, Mesh, PartitionSpec

from jaxcards.xla.prng import high_word, scaled

EDGES = [0, 1, 2, 0xFFFF, 0x10000, 0x10001, 0x7FFFFFFF, 0x80000000, 0xFFFF0000, 0xFFFFFFFF]


@pytest.fixture(scope="module")
def words():
    return np.concatenate(
        [
            np.array(EDGES, np.uint32),
            np.random.default_rng(0).integers(0, 2**32, 990, dtype=np.uint32),
        ]
    )


def test_high_word(words):
    found = jax.jit(high_word)(words[:, None], words[None, :])
    expected = words.astype(np.uint64)[:, None] * words.astype(np.uint64)[None, :] >> np.uint64(32)
    np.testing.assert_array_equal(found, expected)


def test_scaled(words):
    bounds = np.array([0, 1, 2, 3, 34, 255, 256, 0xFFFF, 0x10000], np.uint32)
    found = jax.jit(scaled)(words[:, None], bounds[None, :])
    expected = words.astype(np.uint64)[:, None] * bounds.astype(np.uint64)[None, :] >> np.uint64(32)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", [high_word, scaled])
def test_every_device_of_a_mesh_can_run_it(function):
    mesh = Mesh(jax.devices()[:2], ("words",), axis_types=(AxisType.Auto,))
    spread = PartitionSpec("words")
    mapped = jax.shard_map(function, mesh=mesh, in_specs=spread, out_specs=spread)
    words = jnp.array([0xFFFFFFFF, 0x12345678], jnp.uint32)
    small = jnp.array([0x8000, 0x100], jnp.uint32)
    np.testing.assert_array_equal(jax.jit(mapped)(words, small), [0x7FFF, 0x12])
