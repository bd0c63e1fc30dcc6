"""Hands of the other players: right sizes, allowed cards only, and the own hand unchanged."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.cards.sets import CardSet, Deck
from jaxcards.determinize import sample_hands
from jaxcards.testing.deals import quick_jit

DECK = Deck(suits="cdhs", ranks="JQKA", symbols="♣♦♥♠")


@pytest.mark.parametrize("sizes, player", [((4, 4, 4, 4), 2), ((3, 6, 7), 1)])
def test_hands_are_as_the_player_may_think(sizes, player):
    order, ends = np.arange(16), np.cumsum(sizes)
    own = set(order[ends[player] - sizes[player] : ends[player]])
    possible = [set(order) - own for _ in sizes]
    missing = (player + 1) % len(sizes)
    possible[missing] -= {max(possible[missing])}  # the next seat is known to lack a card

    def sample(key):
        hand, *allowed = [CardSet.of(DECK, sorted(cards)) for cards in (own, *possible)]
        numbers = [jnp.int32(size) for size in sizes]
        held = sample_hands(key, jnp.int32(player), hand, allowed, numbers, max_size=max(sizes))
        return jnp.stack([cards.mask() for cards in held])

    hands = np.asarray(quick_jit(jax.vmap(sample))(jax.random.split(jax.random.key(0), 256)))
    assert (hands.sum(axis=1) == 1).all()
    assert (hands.sum(axis=2) == sizes).all()
    assert (hands[:, player] == hands[0, player]).all()
    held = [set(np.flatnonzero(cards)) for cards in hands.any(axis=0)]
    possible[player] = own
    assert held == possible
