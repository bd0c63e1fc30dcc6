"""The 72 integers of a row of the Swisslos data, in plain Python: their layout, and legal cards.

docs/jass.md, 7.5, has the layout. A card is its number + 1, and 0 stands for none.
"""

import numpy as np

NUM_CARDS, NUM_SEATS, NUM_TRICKS, HAND_SIZE, RANKS = 36, 4, 9, 9, 9
NUM_TRUMPS = 6
"""♦ ♣ ♥ ♠, bottom-up, top-down: 1 to 6. The data have no Slalom."""

FINISHED = slice(0, 32)
TABLE = slice(32, 35)
HAND = slice(35, 44)
SHOWN = (slice(44, 53), slice(53, 62), slice(62, 71))
"""The parts with cards shown and held by the next player, the partner and the previous one."""
TRUMP = 71
NUM_INTEGERS = 72

WIDTHS = (NUM_CARDS,) * TRUMP + (NUM_TRUMPS,)
"""The number of values of each integer besides 0: its width as a one-hot vector."""

NUM_INPUTS = sum(WIDTHS)
"""The total width of all integers as one-hot vectors: 2562."""

_NO_TRUMP, _JACK = 4, 5
_TRUMP_STRENGTH = np.array((0, 1, 2, 7, 3, 8, 4, 5, 6))  # by rank, from the six to the ace


def legal_slots(state: np.ndarray) -> np.ndarray:
    """Return the legal cards of the hand: bool[n, 9], by the rules of docs/jass.md, 4.1.

    Args:
      state: uint8[n, 72], rows with a card in hand and a trump.
    """
    # hand: int64[n, 9], table: int64[n, 3], our numbers of cards; -1 is an empty slot.
    hand, table = (state[:, part].astype(np.int64) - 1 for part in (HAND, TABLE))
    mode = state[:, TRUMP, None].astype(np.int64) - 1
    held, lies = hand >= 0, table >= 0
    suit, led = hand // RANKS, table[:, :1] // RANKS
    follows = held & (suit == led)
    trumps = held & (suit == mode)
    # best: int64[n, 3], the strength of each trump on the table, -1 for other cards.
    best = np.where(lies & (table // RANKS == mode), _TRUMP_STRENGTH[table % RANKS], -1)
    over = trumps & (_TRUMP_STRENGTH[hand % RANKS] > best.max(1, keepdims=True))
    # Without trumps, follow suit. If trumps are led, follow suit, except that a lone jack need not.
    may_follow = np.where(follows.any(1, keepdims=True), follows, held)
    jack_alone = ~(trumps & (hand % RANKS != _JACK)).any(1, keepdims=True)
    on_trumps = np.where(jack_alone, held, trumps)
    # If a plain suit is led, follow suit or ruff. An undertrump is allowed only as the last resort.
    plain_discards = np.where((held == trumps).all(1, keepdims=True), held, (held & ~trumps) | over)
    on_plain = np.where(follows.any(1, keepdims=True), follows | over, plain_discards)
    with_trumps = np.where(led == mode, on_trumps, on_plain)
    legal = np.where(mode >= _NO_TRUMP, may_follow, with_trumps)
    return np.where(lies[:, :1], legal, held)


def as_observed(state: np.ndarray, action: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows as a player at the table has them, and the places of the cards played.

    Hands in the data have the order of their log; those of the game are ascending. The data keep the
    cards of a shown Weis after they were played; the game removes them.

    Args:
      state: uint8[n, 72].
      action: [n], places in the hand; each with a card.
    """
    hand, rows = state[:, HAND], np.arange(len(state))[:, None]
    # Empty slots sort to the end.
    order = np.argsort(np.where(hand == 0, 255, hand), axis=1, kind="stable")
    # played: bool[n, 37], by code; column 0 is that of empty slots.
    played = np.zeros((len(state), NUM_CARDS + 1), bool)
    played[rows, state[:, : TABLE.stop]] = True
    observed = state.copy()
    observed[:, HAND] = np.take_along_axis(hand, order, 1)
    for part in SHOWN:
        # Cards already played and empty slots sort to the end and become 0.
        cards = np.where(played[rows, state[:, part]], 255, state[:, part]).astype(np.uint8)
        cards[cards == 0] = 255
        cards.sort(axis=1)
        observed[:, part] = np.where(cards == 255, 0, cards)
    # order: the old slot of each new one; find the slot that was played.
    return observed, (order == action[:, None]).argmax(1)
