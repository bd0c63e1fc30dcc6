"""Suits that may be exchanged: what becomes of cards, actions and features."""

import numpy as np

from jaxcards.cards.features import Feature
from jaxcards.cards.sets import Deck
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others

DECK = Deck(suits="dchs", ranks="9A", symbols="♦♣♥♠")
EXCHANGE = (0, 1, 3, 2)  # hearts and spades
CALLS = ["pass", "call h", "bid 90 s", "bid 90 h", "call s", "h"]
NAMES = [*(DECK.name(card) for card in range(8)), *CALLS]


def test_permutations_of_the_other_suits():
    found = permutations_of_others(2)
    assert found[0] == (0, 1, 2, 3) and len(set(found)) == 6
    assert all(sorted(order) == [0, 1, 2, 3] and order[2] == 2 for order in found)


def test_cards_change_their_suits_but_for_fixed_ones():
    moved = SuitSymmetry().cards(DECK, EXCHANGE)
    assert [DECK.name(card) for card in moved] == "9d Ad 9c Ac 9s As 9h Ah".split()
    aces = sum(1 << card for card in range(8) if DECK.name(card)[0] == "A")
    moved = SuitSymmetry(fixed=aces).cards(DECK, EXCHANGE)
    assert [DECK.name(card) for card in moved] == "9d Ad 9c Ac 9s Ah 9h As".split()


def test_a_joker_stays():
    deck = Deck(suits="dchs", ranks="9A", symbols="♦♣♥♠", extra=("JK",))
    assert SuitSymmetry().cards(deck, (3, 2, 1, 0)).tolist() == [6, 7, 4, 5, 2, 3, 0, 1, 8]


def test_calls_are_about_the_suit_whose_letter_is_their_last_word():
    moved = [NAMES[action] for action in SuitSymmetry().actions(DECK, NAMES, EXCHANGE)]
    assert moved[4:8] == ["9s", "As", "9h", "Ah"]
    assert moved[8:] == ["pass", "call s", "bid 90 h", "bid 90 s", "call h", "h"]


def test_features_of_cards_and_suits_move_and_others_stay():
    table = [
        Feature("trick number", 3),
        Feature("hand", 8, of="cards"),
        Feature("points", 4, (1, 2, 3, 4)),
        Feature("led class", 5, of="suits"),  # the fifth is of all trumps
    ]
    places = SuitSymmetry().features(DECK, table, EXCHANGE)
    assert places.tolist() == [0, 1, 2, 3, 4, 5, 6, 9, 10, 7, 8, 11, 12, 13, 14, 15, 16, 18, 17, 19]
    assert sorted(places) == list(range(20)) and places.dtype == np.int32


def test_what_holds_for_calls():
    every = permutations_of_others(0)
    assert all(map(SuitSymmetry(every).holds_for_calls, every))
    some = SuitSymmetry(every, (every[0], EXCHANGE))
    assert [order for order in every if some.holds_for_calls(order)] == [every[0], EXCHANGE]
