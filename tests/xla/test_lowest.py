"""The lowest set bit of a word: against the arithmetic of Python."""

import jax.numpy as jnp
import numpy as np

from jaxcards.xla.lowest import lowest_bit, lowest_place


def test_lowest_set_bit() -> None:
    words = np.random.default_rng(0).integers(1, 2**32, 500, dtype=np.uint64)
    words = np.concatenate([words, words >> 20 << 20, [1, 2**31, 2**32 - 1]])
    words = words[words > 0].astype(np.uint32)
    places = [(int(word) & -int(word)).bit_length() - 1 for word in words]
    assert np.asarray(lowest_place(jnp.asarray(words))).tolist() == places
    assert np.asarray(lowest_bit(jnp.asarray(words))).tolist() == [1 << place for place in places]
    assert lowest_bit(jnp.uint32(0)) == 0 and len(set(places)) > 15
