"""What the parts of a hand are worth at Belote, found by `experiments/belote_rules/fit.py`.

Rows are what players count, columns the question that is asked about a hand. Values are in points:
with "bela" and "turnup" of own score less that of the other side, with contracts of the points of the
cards, declarations and belote that the bidding side makes.
"""

import enum
from collections.abc import Mapping


class Column(enum.IntEnum):
    """Which question a column answers.

    BELA: what naming this suit brings, seeing six cards.
    TURNUP: what taking the card turned up and naming this suit brings, seeing five cards and it.
    OPEN: what the own side makes in this mode, seeing all eight cards.
    RAISE: the same for the partner of who bid this mode.
    DEFEND: what the other side makes in this mode, which one of them has bid.
    """

    BELA = 0
    TURNUP = 1
    OPEN = 2
    RAISE = 3
    DEFEND = 4


Table = Mapping[str, tuple[float, float, float, float, float]]

TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (-151.8, -144.1, 49.6, 40.5, 121.1),
    "jack": (65.6, 65.6, 21.1, 26.8, -21.4),
    "nine": (38.7, 32.9, 9.1, 13.2, 0.2),
    "ace": (19.8, 17.4, 7.4, 7.2, -3.9),
    "ten": (17.0, 11.6, 4.7, 5.9, -3.3),
    "king": (12.8, 13.8, -0.5, 2.3, -5.0),
    "queen": (11.0, 14.8, -1.0, 1.1, -4.2),
    "jack and nine": (6.2, 16.0, 5.9, 0.7, -8.6),
    "jack of four or more": (7.6, 6.5, 6.4, -3.1, 4.2),
    "nine without the jack, guarded": (-6.2, 1.8, 0.9, 2.3, -11.8),
    "king and queen": (20.1, 20.6, 23.7, 20.8, 2.7),
    "1 card": (8.4, 6.1, 2.6, 9.5, 3.0),
    "2 cards": (21.2, 20.2, 5.7, 11.2, -4.5),
    "3 cards": (31.8, 27.3, 10.7, 13.1, -11.0),
    "4 cards": (28.6, 31.4, 9.5, 14.9, -11.8),
    "5 cards": (24.0, 16.0, 11.8, 13.5, -8.4),
    "6 cards": (4.8, 5.3, 16.4, 0.0, 1.0),
    "side ace": (28.3, 26.2, 12.6, 17.3, -9.3),
    "side ace and ten": (7.6, 12.3, 4.9, 3.6, -0.8),
    "side ace of four or more": (-6.6, -1.2, 0.6, -1.6, 1.3),
    "side ten, guarded, without the ace": (12.0, 12.1, 4.7, 4.4, -3.9),
    "side ten alone": (0.8, 5.1, -2.5, -0.2, -0.3),
    "side king, guarded, without the ace": (3.1, 2.9, 1.1, 1.3, -0.7),
    "side suit without a card": (6.8, 11.1, 10.3, 8.0, -2.9),
    "side suit of one card": (1.8, 2.6, 2.9, 1.9, 0.4),
    "declarations, each ten points": (13.9, 13.7, 9.7, 9.4, -1.1),
    "forehand": (-2.6, -2.0, 1.3, -1.1, 0.7),
    "each level of the bid": (0.0, 0.0, 0.0, 17.1, 13.5),
}
"""A suit as trumps: first what is counted in that suit, then in the other three."""

NO_TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (0.0, 0.0, 51.8, 48.2, 125.3),
    "highest": (0.0, 0.0, 25.9, 29.7, -22.7),
    "highest two": (0.0, 0.0, 11.6, 15.0, -0.0),
    "highest three": (0.0, 0.0, 2.9, -1.8, 1.4),
    "highest four": (0.0, 0.0, -3.3, -6.3, 5.3),
    "cards beside the highest": (0.0, 0.0, -2.5, 5.5, 0.0),
    "cards beside the highest two": (0.0, 0.0, 6.8, -0.1, -5.6),
    "second without the highest, guarded": (0.0, 0.0, 5.9, 15.6, -10.5),
    "third without the highest, guarded": (0.0, 0.0, 3.4, 3.4, -2.0),
    "suit without a card": (0.0, 0.0, 11.6, 1.9, -1.3),
    "suit of one card": (0.0, 0.0, 2.2, 1.3, 1.0),
    "king and queen": (0.0, 0.0, 0.0, 0.0, 0.0),
    "declarations, each ten points": (0.0, 0.0, 10.2, 10.0, -0.9),
    "forehand": (0.0, 0.0, -2.3, -1.3, 2.1),
    "each level of the bid": (0.0, 0.0, 0.0, 25.1, 20.5),
}
"""No trump, summed over the suits. There are no columns for auctions without this mode."""

ALL_TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (0.0, 0.0, 57.0, 53.0, 132.2),
    "highest": (0.0, 0.0, 23.4, 30.3, -16.4),
    "highest two": (0.0, 0.0, 12.1, 15.6, -3.4),
    "highest three": (0.0, 0.0, 6.6, -6.2, 1.2),
    "highest four": (0.0, 0.0, 2.7, 6.1, 8.8),
    "cards beside the highest": (0.0, 0.0, -1.1, 2.5, -3.7),
    "cards beside the highest two": (0.0, 0.0, 1.9, 4.1, -2.0),
    "second without the highest, guarded": (0.0, 0.0, 6.9, 12.7, -9.3),
    "third without the highest, guarded": (0.0, 0.0, 7.1, 3.9, -3.2),
    "suit without a card": (0.0, 0.0, 10.7, 6.3, 2.0),
    "suit of one card": (0.0, 0.0, 2.4, 4.2, 1.5),
    "king and queen": (0.0, 0.0, 15.7, 21.0, -2.0),
    "declarations, each ten points": (0.0, 0.0, 10.2, 10.1, -0.8),
    "forehand": (0.0, 0.0, -0.3, -3.0, 2.8),
    "each level of the bid": (0.0, 0.0, 0.0, 18.8, 14.8),
}
"""All trump, summed over the suits."""
