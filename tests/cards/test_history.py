"""The packed order of play against a list."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.cards import history
from jaxcards.cards.sets import CardSet, Deck


@pytest.mark.parametrize("bits", [6, 7])
def test_what_was_played_is_read_back(bits):
    order = np.random.default_rng(0).permutation(2**bits)[:52]
    packed = history.empty(52, bits=bits)
    for index, card in enumerate(order):
        skipped = history.append(packed, jnp.uint32(index), jnp.uint32(63), jnp.bool_(False), bits=bits)
        assert history.to_list(skipped, index, bits=bits) == history.to_list(packed, index, bits=bits)
        packed = history.append(packed, jnp.uint32(index), jnp.uint32(card), jnp.bool_(True), bits=bits)
        assert history.to_list(packed, index + 1, bits=bits) == order[: index + 1].tolist()
    assert history.cards(packed, 52, bits=bits).tolist() == order.tolist()
    assert [int(history.card_at(packed, i, bits=bits)) for i in range(52)] == order.tolist()
    traced = jax.vmap(lambda i: history.card_at(packed, i, bits=bits))(jnp.arange(52, dtype=jnp.uint32))
    assert traced.tolist() == order.tolist()


def test_cards_take_six_bits():
    assert len(history.empty(52)) == 11 and len(history.empty(37, bits=7)) == 10
    packed = history.append(history.empty(5), jnp.uint32(4), jnp.uint32(63), jnp.bool_(True))
    assert [int(word) for word in packed] == [63 << 24]


def test_the_last_cards_as_a_set():
    order = [5, 31, 0, 17, 40]  # 40 is not a card of this pack
    deck = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
    words = history.empty(len(order))
    for index, card in enumerate(order):
        words = history.append(words, jnp.uint32(index), jnp.uint32(card), jnp.bool_(True))
    for number, found in enumerate([[], [], [17], [0, 17]]):
        table = history.last_cards(words, deck, jnp.uint32(5), jnp.uint32(number), 3)
        assert table.to_list() == found


def test_parts_of_a_history_are_joined():
    calls = history.part([40, 41, 42], [2, 3, 0], 2)
    nothing = history.part([7], 1, 0)
    cards = history.part([5, history.UNKNOWN, 9], 3, 2)
    found = history.joined(6, [calls, nothing, cards])
    assert found.actions.tolist() == [40, 41, 5, -1, -1, -1]
    assert found.players.tolist() == [2, 3, 3, 3, -1, -1]
    assert int(found.length) == 4


def test_cards_in_ascending_order():
    deck = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")
    assert history.ascending(CardSet.of(deck, [9, 0, 30]), 2).tolist() == [0, 9]
    assert history.ascending(CardSet.of(deck, [9]), 2).tolist() == [9, -1]
