"""Numbers side by side in one word."""

import jax.numpy as jnp
import numpy as np

from jaxcards.xla.bitfields import pack, unpack


def test_the_first_value_is_lowest():
    values = [jnp.uint32(value) for value in (5, 0, 3, 1000)]
    assert int(pack(values, (3, 4, 2, 10))) == 5 + (3 << 7) + (1000 << 9)


def test_unpack_gives_back_what_was_packed():
    widths = (3, 5, 1, 4, 19)
    rng = np.random.default_rng(0)
    columns = [jnp.asarray(rng.integers(0, 1 << bits, 500), jnp.uint32) for bits in widths]
    for before, after in zip(columns, unpack(pack(columns, widths), widths), strict=True):
        np.testing.assert_array_equal(before, after)
