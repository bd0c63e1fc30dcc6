"""Uniform sampling of hidden cards by a table over free places: any number of holders.

Layer k of the table counts the ways to place cards k, k + 1, ... for each combination of free places.
The places of the holder with the largest `max_size` follow from the others'. Each layer is the sum of
shifted copies of the next one. A walk over the cards gives each card to a holder in proportion to the
ways that this leaves.

Cost: one float32 for each card of the deck and each combination of free places, for example 17 KB a
deal for three hands of five and a talon of four (24 cards). With large hands keep the batch small.

Exactness: counts are float32, because with four holders and 52 cards they exceed two uint32 words. All
are positive and only added, so no digits cancel. With N cards and H holders, the probability of any set
of deals is off by at most N * H * 2**-22 (2**-14.2 for 52 cards and 4 holders). A count carries at most
N * H roundings of 2**-24, and each choice adds the grid of 2**-24 of its random number.
"""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxcards.determinize.situation import Situation, Words
from jaxcards.xla.leaves import tied


class _CardTables(NamedTuple):
    """Layer k counts the ways to place cards k, k+1, ... (num_cards layers and an empty last).

    A layer is flat over the free places of all holders except `implied`, which gets the remaining
    places.
    """

    implied: int
    strides: tuple[int, ...]  # per holder, in a flat layer; 0 for the implied one
    may: jax.Array  # bool[num_cards, H]
    first: jax.Array  # float32[cells], layer 0
    later: jax.Array  # float32[num_cards, cells], layers 1, 2, ...


def _tables(situation: Situation) -> tuple[_CardTables, jax.Array]:
    """Return the layers from the last card to the first, and the cell of layer 0 to start from."""
    allowed, sizes, num_cards = situation.allowed, situation.sizes, situation.num_cards
    max_sizes = situation.max_sizes
    holders = range(len(allowed))
    # The holder with the most places gets no axis, so that a layer stays small.
    implied = max(holders, key=lambda holder: max_sizes[holder])
    explicit = [holder for holder in holders if holder != implied]
    sides = [max_sizes[holder] + 1 for holder in explicit]
    # Strides of a row-major layer with one axis for each explicit holder.
    # With stride 0, a card for the implied holder leaves the cell as it is.
    strides = [0] * len(allowed)
    for axis, holder in enumerate(explicit):
        strides[holder] = math.prod(sides[axis + 1 :])
    per_word = situation.cards_per_word
    card = np.arange(num_cards)
    word, bit = card // per_word, card % per_word
    # may: bool[num_cards, H], the bit of each card in the words of each holder.
    stacked = jnp.stack([jnp.stack(words) for words in allowed], axis=-1)
    may = ((stacked[word] >> jnp.asarray(bit, jnp.uint32)[:, None]) & 1).astype(bool)

    # The ways to place a card and those after it: the sum over the holders that may have it, each with
    # one place less in the next layer. Skip cards that are not hidden.
    def layer(later: jax.Array, may: jax.Array) -> tuple[jax.Array, jax.Array]:
        ways = jnp.where(may[implied], later, 0)
        for axis, holder in enumerate(explicit):
            edges = [(0, 0, 0)] * len(sides)
            # Shift along the holder's axis: each entry reads that with one place less.
            edges[axis] = (1, -1, 0)
            one_less = lax.pad(later, jnp.float32(0), edges)
            ways = ways + jnp.where(may[holder], one_less, 0)
        # The scan collects the layer after each card, which is the one that the walk reads.
        return jnp.where(may.any(), ways, later), later.reshape(-1)

    # The layer after the last card: one way, with no places left.
    empty = np.zeros(sides, np.float32)
    empty[(0,) * len(sides)] = 1
    first, later = lax.scan(layer, tied(jnp.asarray(empty), allowed[0][0]), may, reverse=True)
    # The walk starts at the cell of all free places.
    start = jnp.int32(0)
    for size, stride in zip(sizes, strides, strict=True):
        start = start + size * stride
    return _CardTables(implied, tuple(strides), may, first.reshape(-1), later), start


def sample(key: jax.Array, situation: Situation) -> tuple[Words, ...]:
    """Walk over the cards; each goes to a holder in proportion to the deals that this choice leaves."""
    allowed, sizes, num_cards = situation.allowed, situation.sizes, situation.num_cards
    tables, start = _tables(situation)
    # 24 bits: u < 1 - 2**-25, so u * total < total also when rounded, and a holder with zero ways is
    # never chosen.
    bits = jax.random.bits(key, (num_cards,), jnp.uint32) >> 8
    uniform = bits.astype(jnp.float32) * jnp.float32(2**-24)

    def step(carry: tuple, xs: tuple) -> tuple[tuple, jax.Array]:
        cell, places = carry
        uniform, may, later = xs
        # The weight of each holder: the ways that are left after it gets the card.
        total, totals = jnp.float32(0), []
        for holder, stride in enumerate(tables.strides):
            # Without free places the cell may be that of other numbers; `possible` then drops it.
            ways = later.at[jnp.maximum(cell - stride, 0)].get(mode="promise_in_bounds")
            possible = may[holder] & (places[holder] > 0)
            total = total + jnp.where(possible, ways, 0)
            totals.append(total)
        mark = uniform * total
        # The first holder whose running total exceeds the mark; -1 for a card that is not hidden.
        chosen = sum((t <= mark).astype(jnp.int32) for t in totals)
        chosen = jnp.where(may.any(), chosen, -1)
        # To give a card is to move by the holder's stride.
        for holder, stride in enumerate(tables.strides):
            cell = cell - jnp.where(chosen == holder, stride, 0)
        gets = [(chosen == holder).astype(jnp.int32) for holder in range(len(places))]
        places = tuple(n - one for n, one in zip(places, gets, strict=True))
        return (cell, places), chosen

    begin = tied((start, tuple(sizes)), bits[0])
    _, chosen = lax.scan(step, begin, (uniform, tables.may, tables.later))
    num_words = len(allowed[0])
    n = situation.cards_per_word
    # Pad to whole words: bit `place` of word w is card n * w + place.
    chosen = jnp.pad(chosen, (0, n * num_words - num_cards), constant_values=-1)
    place = jnp.arange(n, dtype=jnp.uint32)

    def words_of(holder: int) -> Words:
        # Every card has a bit of its own, so the sum joins them.
        bits = (chosen == holder).astype(jnp.uint32).reshape(num_words, n) << place[None]
        packed = jnp.sum(bits, axis=1, dtype=jnp.uint32)
        return tuple(packed[w] for w in range(num_words))

    return tuple(words_of(holder) for holder in range(len(allowed)))


def count(situation: Situation) -> jax.Array:
    """Return the number of deals, float32, given that the sizes add up; 0 for impossible sizes."""
    tables, start = _tables(situation)
    # A size outside its limits would lead to the cell of other sizes.
    in_range = jnp.bool_(True)
    for size, most in zip(situation.sizes, situation.max_sizes, strict=True):
        in_range &= (size >= 0) & (size <= most)
    return jnp.where(in_range, tables.first[start], jnp.float32(0))
