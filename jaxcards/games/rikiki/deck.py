"""The pack of 52 cards. Aces are high in every suit."""

from jaxcards.cards.sets import Deck
from jaxcards.games.rikiki.rules import NO_TRUMP as NO_TRUMP  # the trump of a deal without one

DECK = Deck(
    suits="cdhs",
    ranks="23456789TJQKA",
    symbols="♣♦♥♠",
    suit_words=(
        ("clubs", "c"), ("diamonds", "d"), ("hearts", "h"), ("spades", "s"),
        ("treff", "c"), ("káró", "d"), ("kőr", "h"), ("pikk", "s"),
    ),
    rank_words=(
        ("10", "T"), ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A"),
        ("bubi", "J"), ("dáma", "Q"), ("király", "K"), ("ász", "A"),
    ),
)  # fmt: skip

NO_CARD = DECK.num_cards  # the turn-up where no card is turned up
