"""Rows of words hold states and observations bit for bit."""

import jax
import numpy as np
import pytest

import jaxcards
from jaxcards.host.rows import Packing


@pytest.mark.parametrize("id", ["rikiki", "sheepshead/standard_crack"])
def test_states_come_back_bit_for_bit(id):
    game = jaxcards.make(id)
    state = jax.jit(game.init)(jax.random.key(1))
    packing = Packing(state)
    row = np.asarray(jax.jit(packing.pack)(state))
    assert row.dtype == np.uint32 and row.shape == (packing.num_words,)
    for again in (packing.read(row), jax.jit(packing.unpack)(row)):
        for old, new in zip(jax.tree.leaves(state), jax.tree.leaves(again), strict=True):
            assert old.dtype == new.dtype and np.array_equal(old, new)


def test_every_kind_of_leaf_is_kept():
    tree = {
        "negative": np.int32(-5),
        "float": np.float32(-0.5),
        "bools": np.array([[True], [False]]),
        "small": np.uint8(200),
        "middle": np.uint16(60_000),
        "nothing": None,
        "words": np.array([1, 2**32 - 1], np.uint32),
    }
    packing = Packing(tree)
    again = packing.read(np.asarray(packing.pack(tree)))
    assert again["nothing"] is None
    for name, leaf in tree.items():
        if leaf is not None:
            assert again[name].dtype == leaf.dtype and np.array_equal(again[name], leaf)
