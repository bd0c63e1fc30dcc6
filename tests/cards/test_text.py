"""Deals in words, as far as all games share them."""

import jax.numpy as jnp
import pytest

from jaxcards.cards import history
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.cards.text import hand_lines, trick_lines, tricks_in
from jaxcards.errors import UserError
from jaxcards.game import totals_before

DECK = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")


def test_tricks_say_who_led_and_what_was_played():
    hands = [CardSet.of(DECK, DECK.cards(text)) for text in ("7h Ad", "8h Kd", "Ah Qd")]
    order = DECK.cards("8h Ah 7h Qd Ad")
    played = history.empty(6)
    for index, card in enumerate(order):
        played = history.append(played, jnp.uint32(index), jnp.uint32(card), jnp.bool_(True))
    tricks = tricks_in(played, len(order), hands, 3)
    assert tricks == [(1, DECK.cards("8h Ah 7h")), (2, DECK.cards("Qd Ad"))]
    assert trick_lines(DECK, tricks) == [
        "trick 1: seat 1 leads  ♥8 ♥A ♥7",
        "trick 2: seat 2 leads  ♦Q ♦A",
    ]


def test_what_is_left_of_a_hand_is_said_while_it_is_some_of_it():
    dealt = DECK.cards("7h Ad Kd")
    first = f"seat 2 was dealt {DECK.pretty_names(dealt)}"
    assert hand_lines(DECK, "seat 2", dealt, dealt) == [first]
    assert hand_lines(DECK, "seat 2", dealt, []) == [first]
    left = hand_lines(DECK, "seat 2", dealt, dealt[:1], "now has")
    assert left == [first, f"       now has {DECK.pretty_names(dealt[:1])}"]


def test_totals_are_as_many_as_sides():
    assert [int(total) for total in totals_before(None, 3, jnp.uint16)] == [0, 0, 0]
    found = totals_before([5, 7], 2, jnp.int32)
    assert [int(total) for total in found] == [5, 7] and found[0].dtype == jnp.int32
    with pytest.raises(UserError, match="totals must be 2 numbers, not 3"):
        totals_before((1, 2, 3), 2, jnp.int32)
