"""The pack of Jass cards, the modes, and the strength and value of a card in each of them."""

from jaxcards.cards.sets import Deck
from jaxcards.cards.tricks import RankOrder

DECK = Deck(
    suits="dchs",
    ranks="6789TJQKA",
    symbols="♦♣♥♠",
    # Swiss-German suits are paired with French ones as on the Swisslos platform: Schellen and Schilten
    # count double where ♣ and ♠ do.
    suit_words=(
        ("eicheln", "d"), ("schellen", "c"), ("rosen", "h"), ("schilten", "s"),
        ("ecken", "d"), ("kreuz", "c"), ("herz", "h"), ("schaufel", "s"),
        ("diamonds", "d"), ("clubs", "c"), ("hearts", "h"), ("spades", "s"),
    ),
    rank_words=(
        ("10", "T"), ("banner", "T"), ("under", "J"), ("puur", "J"), ("bube", "J"), ("jack", "J"),
        ("ober", "Q"), ("dame", "Q"), ("queen", "Q"), ("könig", "K"), ("king", "K"),
        ("ass", "A"), ("ace", "A"), ("nell", "9"),
    ),
)  # fmt: skip

UNDENUFE, OBENABE, SLALOM_TOP, SLALOM_BOTTOM = 4, 5, 6, 7
NUM_MODES = 8
UNDECIDED = 8  # the mode before it is chosen
NO_TRUMP = 4  # modes from this on have no trump suit
MODES_BOTTOM_UP = (UNDENUFE, SLALOM_BOTTOM)  # in which low cards are high, for points and Weis

HAND_SIZE = 9
NUM_TRICKS = 9
LAST_TRICK_POINTS = 5
CARD_POINTS = 157  # of every deal: 152 of the cards and 5 of the last trick

SIX, EIGHT, NINE, JACK, QUEEN, KING, ACE = 0, 2, 3, 5, 6, 7, 8

PLAIN_ORDER = RankOrder(DECK.ranks, "6789TJQKA")
BOTTOM_UP_ORDER = RankOrder(DECK.ranks, "AKQJT9876")
TRUMP_ORDER = RankOrder(DECK.ranks, "678TQKA9J")

PLAIN_POINTS = DECK.by_rank({"T": 10, "J": 2, "Q": 3, "K": 4, "A": 11})
TRUMP_POINTS = DECK.by_rank({"9": 14, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11})
OBENABE_POINTS = DECK.by_rank({"8": 8, "T": 10, "J": 2, "Q": 3, "K": 4, "A": 11})
UNDENUFE_POINTS = DECK.by_rank({"6": 11, "8": 8, "T": 10, "J": 2, "Q": 3, "K": 4})
