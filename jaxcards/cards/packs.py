"""Packs of cards that several games share."""

from jaxcards.cards.sets import Deck

FRENCH = Deck(
    suits="cdhs",
    ranks="23456789TJQKA",
    symbols="♣♦♥♠",
    suit_words=(("clubs", "c"), ("diamonds", "d"), ("hearts", "h"), ("spades", "s")),
    rank_words=(("10", "T"), ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A")),
)
"""The pack of 52 cards with French suits; aces are high."""
