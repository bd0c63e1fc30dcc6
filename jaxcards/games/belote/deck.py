"""The pack of Belote cards, the modes, and the strength and value of a card in each of them."""

from jaxcards.cards.sets import Deck
from jaxcards.cards.tricks import RankOrder

DECK = Deck(
    suits="dhsc",
    ranks="789TJQKA",
    symbols="♦♥♠♣",
    suit_words=(
        ("karo", "d"), ("herc", "h"), ("pik", "s"), ("tref", "c"),
        ("carreau", "d"), ("coeur", "h"), ("cœur", "h"), ("pique", "s"), ("trèfle", "c"),
        ("diamonds", "d"), ("hearts", "h"), ("spades", "s"), ("clubs", "c"),
    ),
    rank_words=(
        ("10", "T"), ("dečko", "J"), ("dama", "Q"), ("kralj", "K"), ("as", "A"),
        ("valet", "J"), ("dame", "Q"), ("roi", "K"),
        ("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A"),
    ),
)  # fmt: skip

NO_TRUMP, ALL_TRUMP = 4, 5
UNDECIDED = 6  # the mode before it is settled
VOID = 7  # the mode of a deal in which everybody passed

HAND_SIZE = 8
NUM_TRICKS = 8
LAST_TRICK_POINTS = 10
CARD_POINTS = 162  # of every deal: 152 of the cards and 10 of the last trick
BELOTE_POINTS = 20

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)

PLAIN_ORDER = RankOrder(DECK.ranks, "789JQKTA")
TRUMP_ORDER = RankOrder(DECK.ranks, "78QKTA9J")

PLAIN_POINTS = DECK.by_rank({"T": 10, "J": 2, "Q": 3, "K": 4, "A": 11})
TRUMP_POINTS = DECK.by_rank({"9": 14, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11})
NO_TRUMP_POINTS = DECK.by_rank({"T": 10, "J": 2, "Q": 3, "K": 4, "A": 19})
ALL_TRUMP_POINTS = DECK.by_rank({"9": 9, "T": 5, "J": 13, "Q": 2, "K": 3, "A": 6})

# Declarations, in tens.
RUN_POINTS = (0, 0, 0, 2, 5, 10, 10, 10, 10)  # by length
FOUR_POINTS = DECK.by_rank({"9": 15, "T": 10, "J": 20, "Q": 10, "K": 10, "A": 10})
NO_TRUMP_FOUR_POINTS = DECK.by_rank({"9": 10, "T": 15, "J": 10, "Q": 10, "K": 10, "A": 20})

CONTRACT_VALUES = (80, 90, 100, 110, 120, 130, 140, 150, 160, 250)  # by level
CAPOT_LEVEL = 9
