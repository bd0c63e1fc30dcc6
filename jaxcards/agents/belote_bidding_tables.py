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
    "any hand": (-60.0, -60.0, 30.0, 60.0, 100.0),
    "jack": (25.0, 25.0, 22.0, 20.0, -20.0),
    "nine": (15.0, 15.0, 15.0, 14.0, -14.0),
    "ace": (8.0, 8.0, 8.0, 8.0, -8.0),
    "ten": (5.0, 5.0, 5.0, 5.0, -5.0),
    "king": (0.0, 0.0, 0.0, 0.0, 0.0),
    "queen": (0.0, 0.0, 0.0, 0.0, 0.0),
    "jack and nine": (0.0, 0.0, 0.0, 0.0, 0.0),
    "jack of four or more": (0.0, 0.0, 0.0, 0.0, 0.0),
    "nine without the jack, guarded": (0.0, 0.0, 0.0, 0.0, 0.0),
    "king and queen": (20.0, 20.0, 20.0, 20.0, 0.0),
    "1 card": (5.0, 5.0, 5.0, 5.0, -5.0),
    "2 cards": (8.0, 8.0, 8.0, 8.0, -8.0),
    "3 cards": (12.0, 12.0, 12.0, 10.0, -10.0),
    "4 cards": (15.0, 15.0, 15.0, 10.0, -12.0),
    "5 cards": (15.0, 15.0, 15.0, 10.0, -10.0),
    "6 cards": (15.0, 15.0, 15.0, 10.0, -10.0),
    "side ace": (14.0, 14.0, 13.0, 13.0, -13.0),
    "side ace and ten": (8.0, 8.0, 8.0, 8.0, -8.0),
    "side ace of four or more": (0.0, 0.0, 0.0, 0.0, 0.0),
    "side ten, guarded, without the ace": (0.0, 0.0, 0.0, 0.0, 0.0),
    "side ten alone": (0.0, 0.0, 0.0, 0.0, 0.0),
    "side king, guarded, without the ace": (0.0, 0.0, 0.0, 0.0, 0.0),
    "side suit without a card": (0.0, 0.0, 0.0, 0.0, 0.0),
    "side suit of one card": (0.0, 0.0, 0.0, 0.0, 0.0),
    "declarations, each ten points": (8.0, 8.0, 8.0, 8.0, -1.0),
    "forehand": (3.0, 3.0, 3.0, 3.0, -3.0),
    "each level of the bid": (0.0, 0.0, 0.0, 5.0, 5.0),
}
"""A suit as trumps: first what is counted in that suit, then in the other three."""

NO_TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (0.0, 0.0, 20.0, 60.0, 100.0),
    "highest": (0.0, 0.0, 25.0, 22.0, -20.0),
    "highest two": (0.0, 0.0, 14.0, 14.0, -14.0),
    "highest three": (0.0, 0.0, 8.0, 8.0, -8.0),
    "highest four": (0.0, 0.0, 0.0, 0.0, 0.0),
    "cards beside the highest": (0.0, 0.0, 3.0, 3.0, -3.0),
    "cards beside the highest two": (0.0, 0.0, 0.0, 0.0, 0.0),
    "second without the highest, guarded": (0.0, 0.0, 0.0, 0.0, 0.0),
    "third without the highest, guarded": (0.0, 0.0, 0.0, 0.0, 0.0),
    "suit without a card": (0.0, 0.0, 0.0, 0.0, 0.0),
    "suit of one card": (0.0, 0.0, 0.0, 0.0, 0.0),
    "king and queen": (0.0, 0.0, 18.0, 18.0, 0.0),
    "declarations, each ten points": (0.0, 0.0, 8.0, 8.0, -1.0),
    "forehand": (0.0, 0.0, 0.0, 0.0, 0.0),
    "each level of the bid": (0.0, 0.0, 0.0, 5.0, 5.0),
}
"""No trump, summed over the suits. There are no columns for auctions without this mode."""

ALL_TRUMP: Table = {
    # BELA, TURNUP, OPEN, RAISE, DEFEND
    "any hand": (0.0, 0.0, 20.0, 60.0, 100.0),
    "highest": (0.0, 0.0, 25.0, 22.0, -20.0),
    "highest two": (0.0, 0.0, 14.0, 14.0, -14.0),
    "highest three": (0.0, 0.0, 8.0, 8.0, -8.0),
    "highest four": (0.0, 0.0, 0.0, 0.0, 0.0),
    "cards beside the highest": (0.0, 0.0, 3.0, 3.0, -3.0),
    "cards beside the highest two": (0.0, 0.0, 0.0, 0.0, 0.0),
    "second without the highest, guarded": (0.0, 0.0, 0.0, 0.0, 0.0),
    "third without the highest, guarded": (0.0, 0.0, 0.0, 0.0, 0.0),
    "suit without a card": (0.0, 0.0, 0.0, 0.0, 0.0),
    "suit of one card": (0.0, 0.0, 0.0, 0.0, 0.0),
    "king and queen": (0.0, 0.0, 18.0, 18.0, 0.0),
    "declarations, each ten points": (0.0, 0.0, 8.0, 8.0, -1.0),
    "forehand": (0.0, 0.0, 0.0, 0.0, 0.0),
    "each level of the bid": (0.0, 0.0, 0.0, 5.0, 5.0),
}
"""All trump, summed over the suits."""
