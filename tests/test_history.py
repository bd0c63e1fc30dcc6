"""The packed order of play against a list."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import history


def test_what_was_played_is_read_back():
    order = np.random.default_rng(0).permutation(52)
    packed = history.empty(52)
    for index, card in enumerate(order):
        skipped = history.append(packed, jnp.uint32(index), jnp.uint32(63), jnp.bool_(False))
        assert history.to_list(skipped, index) == history.to_list(packed, index)
        packed = history.append(packed, jnp.uint32(index), jnp.uint32(card), jnp.bool_(True))
        assert history.to_list(packed, index + 1) == order[: index + 1].tolist()
    assert history.cards(packed, 52).tolist() == order.tolist()
    assert [int(history.card_at(packed, i)) for i in range(52)] == order.tolist()
    traced = jax.vmap(lambda i: history.card_at(packed, i))(jnp.arange(52, dtype=jnp.uint32))
    assert traced.tolist() == order.tolist()
