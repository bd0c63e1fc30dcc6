"""The worth of the parts of a Belote hand, found by `experiments/heuristics/belote.py`.

A row is a part of a hand, a column a question about the hand. Values are in points. In the auctions
"bela" and "turnup", they predict the score of the player's side less that of the other side. In
contract auctions, they predict the bidding side's points with cards, declarations and belote.
"""

import enum
from collections.abc import Mapping


class Column(enum.IntEnum):
    """The question that a column answers.

    BELA: result of naming this suit, seeing six cards.
    TURNUP: result of taking the card turned up and naming this suit, seeing five cards and that card.
    OPEN: points of the player's side in this mode, seeing all eight cards.
    RAISE: the same, if the partner has bid this mode.
    DEFEND: points of the other side in this mode, which one of its players has bid.
    """

    BELA = 0
    TURNUP = 1
    OPEN = 2
    RAISE = 3
    DEFEND = 4


Table = Mapping[str, tuple[float, float, float, float, float]]

TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (-151.8, -144.1, 52.7, 41.4, 123.5),
    "jack": (65.6, 65.6, 22.1, 28.1, -21.3),
    "nine": (38.7, 32.9, 13.8, 11.8, -1.7),
    "ace": (19.8, 17.4, 7.0, 6.3, -4.3),
    "ten": (17.0, 11.6, 4.3, 5.6, -3.4),
    "king": (12.8, 13.8, -0.9, 2.9, -5.4),
    "queen": (11.0, 14.8, -0.2, 1.3, -5.0),
    "jack and nine": (6.2, 16.0, 1.4, 1.2, -8.0),
    "jack of four or more": (7.6, 6.5, 4.9, -5.7, 4.4),
    "nine without the jack, guarded": (-6.2, 1.8, -3.0, 2.6, -11.1),
    "king and queen": (20.1, 20.6, 23.2, 20.6, 3.0),
    "1 card": (8.4, 6.1, -2.2, 9.4, 3.2),
    "2 cards": (21.2, 20.2, 6.2, 11.6, -3.8),
    "3 cards": (31.8, 27.3, 11.0, 12.7, -11.3),
    "4 cards": (28.6, 31.4, 9.9, 16.4, -11.9),
    "5 cards": (24.0, 16.0, 12.3, 17.9, -10.4),
    "6 cards": (4.8, 5.3, 14.9, 4.5, -1.2),
    "side ace": (28.3, 26.2, 12.9, 16.8, -10.5),
    "side ace and ten": (7.6, 12.3, 4.9, 4.7, -0.8),
    "side ace of four or more": (-6.6, -1.2, -0.4, -1.8, 1.8),
    "side ten, guarded, without the ace": (12.0, 12.1, 4.5, 4.9, -4.3),
    "side ten alone": (0.8, 5.1, -2.5, 0.1, 0.2),
    "side king, guarded, without the ace": (3.1, 2.9, 1.3, 1.4, -0.9),
    "side suit without a card": (6.8, 11.1, 10.4, 7.6, -3.4),
    "side suit of one card": (1.8, 2.6, 3.0, 1.5, -0.4),
    "declarations, each ten points": (13.9, 13.7, 9.8, 9.5, -1.1),
    "forehand": (-2.6, -2.0, 2.0, -1.6, 0.0),
    "each level of the bid": (0.0, 0.0, 0.0, 15.5, 12.2),
}
"""A suit as trumps: first the parts in that suit, then those in the other three."""

NO_TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (0.0, 0.0, 51.9, 45.4, 120.0),
    "highest": (0.0, 0.0, 23.8, 27.0, -19.5),
    "highest two": (0.0, 0.0, 9.9, 16.3, -3.6),
    "highest three": (0.0, 0.0, 0.8, 1.7, -0.4),
    "highest four": (0.0, 0.0, 5.9, 4.4, 3.2),
    "cards beside the highest": (0.0, 0.0, -0.3, 4.1, -1.2),
    "cards beside the highest two": (0.0, 0.0, 4.2, -1.1, -2.3),
    "second without the highest, guarded": (0.0, 0.0, 7.7, 14.8, -8.1),
    "third without the highest, guarded": (0.0, 0.0, 2.4, 3.7, -2.4),
    "suit without a card": (0.0, 0.0, 6.9, 0.2, -1.9),
    "suit of one card": (0.0, 0.0, 1.7, 0.4, -0.4),
    "king and queen": (0.0, 0.0, 0.0, 0.0, 0.0),
    "declarations, each ten points": (0.0, 0.0, 10.2, 9.7, -0.7),
    "forehand": (0.0, 0.0, -1.8, -3.0, 1.0),
    "each level of the bid": (0.0, 0.0, 0.0, 20.7, 16.8),
}
"""Parts for no trump, summed over the suits. Auctions without this mode have no columns."""

ALL_TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (0.0, 0.0, 60.0, 46.1, 121.3),
    "highest": (0.0, 0.0, 21.6, 27.2, -16.9),
    "highest two": (0.0, 0.0, 10.5, 11.8, -1.5),
    "highest three": (0.0, 0.0, 2.4, -1.9, 2.1),
    "highest four": (0.0, 0.0, 2.6, 11.1, 1.0),
    "cards beside the highest": (0.0, 0.0, 0.1, 1.8, -2.1),
    "cards beside the highest two": (0.0, 0.0, 3.8, 2.8, -4.6),
    "second without the highest, guarded": (0.0, 0.0, 6.3, 11.6, -7.6),
    "third without the highest, guarded": (0.0, 0.0, 2.1, 2.6, -3.3),
    "suit without a card": (0.0, 0.0, 5.9, 4.6, 0.9),
    "suit of one card": (0.0, 0.0, 1.6, 1.7, 1.2),
    "king and queen": (0.0, 0.0, 18.2, 19.4, -1.0),
    "declarations, each ten points": (0.0, 0.0, 10.1, 9.7, -0.9),
    "forehand": (0.0, 0.0, -2.8, -2.9, 3.2),
    "each level of the bid": (0.0, 0.0, 0.0, 17.4, 13.9),
}
"""All trump, summed over the suits."""
