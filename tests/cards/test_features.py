"""Features: what is written is read."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxcards.cards.features import BitWriter, Feature, unpack
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass.play import DECK


def read(out: BitWriter) -> list[int]:
    words = out.words()
    assert len(words) == -(-out.size // 32)
    return unpack(jnp.stack(words), out.size, jnp.int32).tolist()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 32), st.integers(0, (1 << 32) - 1)), min_size=1, max_size=12))
def test_bits_of_any_widths_follow_each_other(parts):
    out = BitWriter()
    expected = []
    for size, value in parts:
        value &= (1 << size) - 1
        out.bits("part", jnp.uint32(value), size)
        expected += [value >> i & 1 for i in range(size)]
    assert out.size == len(expected) == sum(feature.size for feature in out.features)
    assert read(out) == expected


def test_flags_cards_one_hots_and_levels():
    out = BitWriter()
    out.flag("yes", jnp.bool_(True))
    out.cards("hand", CardSet.of(DECK, [0, 17, 18, 35]))
    out.one_hot("seat", jnp.int32(2), 4)
    out.one_hot("nothing", jnp.int32(7), 4)
    out.one_hot("nothing at all", jnp.uint32(32), 3)
    out.levels("points", jnp.int32(-3), [-5, -3, 0, 10])
    out.levels("many points", jnp.uint32(10), [1, 10, 11])
    hand = [int(card in (0, 17, 18, 35)) for card in range(36)]
    assert read(out) == [1, *hand, 0, 0, 1, 0, *[0] * 4, *[0] * 3, 1, 1, 0, 0, 1, 1, 0]
    assert out.features[:2] == [Feature("yes", 1), Feature("hand", 36, of="cards")]
    assert out.features[-1] == Feature("many points", 3, (1, 10, 11))
    assert out.features[2].bit_names() == ["seat [0]", "seat [1]", "seat [2]", "seat [3]"]
    assert out.features[-1].bit_names() == [f"many points >= {level}" for level in (1, 10, 11)]


def test_levels_may_need_several_words():
    out = BitWriter()
    out.flag("yes", jnp.bool_(True))
    out.levels("points", jnp.int32(65), range(1, 71))
    assert read(out) == [1, *[1] * 65, *[0] * 5]
    assert out.features[-1].bit_names()[-1] == "points >= 70"


def test_a_feature_wider_than_a_word_is_refused():
    with pytest.raises(ValueError, match="'wide' has 33 bits"):
        BitWriter().bits("wide", jnp.uint32(0), 33)


def test_unpack_keeps_batches_and_dtypes():
    words = np.random.default_rng(0).integers(1 << 32, size=(5, 3, 2), dtype=np.uint32)
    for dtype in (jnp.float32, jnp.int8, jnp.bfloat16):
        found = jax.jit(lambda w, dtype=dtype: unpack(w, 40, dtype))(words)
        assert found.shape == (5, 3, 40) and found.dtype == dtype
    expected = np.stack([words[..., i // 32] >> np.uint32(i % 32) & 1 for i in range(40)], axis=-1)
    assert (np.asarray(unpack(jnp.asarray(words), 40, jnp.int32)) == expected).all()
