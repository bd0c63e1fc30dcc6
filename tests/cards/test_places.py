"""Places of cards."""

from jaxcards.cards.places import CardPlaces
from jaxcards.cards.sets import CardSet, Deck

DECK = Deck(suits="cdhs", ranks="789TJQKA", symbols="♣♦♥♠")


def test_cards_are_held_played_or_aside():
    hands = [CardSet.of(DECK, cards) for cards in ([0, 1, 2], [3, 4])]
    places = CardPlaces.of_dealt(hands, CardSet.of(DECK, [1, 4]))
    assert [hand.to_list() for hand in places.hands] == [[0, 2], [3]]
    assert [cards.to_list() for cards in places.played] == [[1], [4]]
    assert places.aside.to_list() == list(range(5, 32)) and places.shown == ()
