"""Deals in words, as far as all games share them."""

import jax.numpy as jnp
import pytest

from jaxcards.cards.seats import totals_before
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.cards.text import action_name, action_number, place_lines
from jaxcards.errors import UserError

DECK = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")


def test_totals_are_as_many_as_sides():
    assert [int(total) for total in totals_before(None, 3, jnp.uint16)] == [0, 0, 0]
    found = totals_before([5, 7], 2, jnp.int32)
    assert [int(total) for total in found] == [5, 7] and found[0].dtype == jnp.int32
    with pytest.raises(UserError, match="totals must be 2 numbers, not 3"):
        totals_before((1, 2, 3), 2, jnp.int32)


CALLS = ["pass", "bid 3", "call h", "hide h", "bid 80 d", "lead Th"]
NAMES = [*(DECK.name(card) for card in range(32)), *CALLS]


def test_the_first_word_of_a_name_may_be_left_out():
    for text, action in (("bid 3", 33), ("3", 33), (" BID   80 D", 36), ("80 d", 36), ("call H", 34)):
        assert action_number(DECK, NAMES, text) == action
    assert [action_number(DECK, NAMES, text) for text in ("♥10", "10h", "Th")] == [DECK.card("Th")] * 3
    for wrong in ("", "h", "bid", "d", "bid 4"):  # "h" is the end of two names
        with pytest.raises(UserError, match="unknown action"):
            action_number(DECK, NAMES, wrong)
    assert [action_name(NAMES, action) for action in (0, 36)] == ["7c", "bid 80 d"]
    for number in (-1, 38):
        with pytest.raises(UserError, match="0 to 37"):
            action_name(NAMES, number)


def test_places_in_words():
    hands = [CardSet.of(DECK, DECK.cards("7h Th")), CardSet.empty(DECK)]
    played = [CardSet.empty(DECK), CardSet.of(DECK, DECK.cards("Ad"))]
    assert place_lines(DECK, hands, played) == [
        "player 0 holds ♥7 ♥10",
        "player 1 holds nothing; played ♦A",
    ]
