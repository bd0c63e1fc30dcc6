"""Numbers side by side in one word."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.xla.bitfields import Layout, bits_of


class Values(NamedTuple):
    first: jax.Array
    second: jax.Array
    third: jax.Array
    last: jax.Array


LAYOUT = Layout(Values, first=3, second=5, third=1, last=19)


class Owner(NamedTuple):
    word: jax.Array

    first = bits_of("word", 0, 3)
    second = bits_of("word", 3, 5)


def test_the_first_value_is_lowest():
    values = Values(*map(jnp.uint32, (5, 0, 1, 1000)))
    assert int(LAYOUT.pack(values)) == 5 + (1 << 8) + (1000 << 9)


def test_unpack_gives_back_what_was_packed():
    rng = np.random.default_rng(0)
    columns = [jnp.asarray(rng.integers(0, 1 << bits, 500), jnp.uint32) for bits in LAYOUT.widths]
    word = LAYOUT.pack(Values(*columns))
    for before, after in zip(columns, LAYOUT.unpack(word), strict=True):
        np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(Owner(word).first, columns[0])
    np.testing.assert_array_equal(Owner(word).second, columns[1])
