"""Melds: find runs and fours of a hand as words, and decide whose meld is best.

Runs are found by shifting the words of a hand against themselves, fours by combining the four suits.
Each game defines what melds are worth and how two of them compare.
"""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.sets import CardSet, Deck, select
from jaxcards.xla.lowest import lowest_bit

SHORTEST = 3  # cards of a run


class LongestRun(NamedTuple):
    """The longest runs of a hand.

    Attributes:
      starts: the cards at which they start.
      length: uint32, their length, or 2 if the hand has no run.
    """

    starts: CardSet
    length: jax.Array


class MeldTable(NamedTuple):
    """The melds of a deck by points; constants.

    A player whose meld has these points holds all cards of one of the sets.

    Attributes:
      sets: for each word of a card set uint32[points, slots], the cards of the melds.
      number: int32[points], how many slots are used, the first ones.
    """

    sets: tuple[np.ndarray, ...]
    number: np.ndarray


def meld_table(deck: Deck, run_points: Sequence[int], four_points: Sequence[int]) -> MeldTable:
    """Return the melds of a deck, by points.

    Args:
      deck: the pack.
      run_points: points of a run, by its length from 0. Of several lengths with equal points, the
        table has the shortest, because a longer run contains such a run.
      four_points: points of four of a kind, by rank; 0 if they are not a meld.
    """
    ranks, suits = deck.ranks_per_suit, len(deck.suits)
    found: dict[int, list[list[int]]] = {}
    for length in range(SHORTEST, len(run_points)):
        if run_points[length] == run_points[length - 1]:
            continue
        # A run can start with these cards: the ranks above them must fit into the suit.
        starts = [(suit, low) for suit in range(suits) for low in range(ranks - length + 1)]
        runs_of_length = [[ranks * suit + low + k for k in range(length)] for suit, low in starts]
        found.setdefault(run_points[length], []).extend(runs_of_length)
    for rank, points in enumerate(four_points):
        if points:
            found.setdefault(points, []).append([ranks * suit + rank for suit in range(suits)])
    most, slots = max(found), max(map(len, found.values()))
    # Row p is for melds of p points, one in each slot; the remaining slots stay empty.
    sets = [np.zeros((most + 1, slots), np.uint32) for _ in range(deck.num_words)]
    number = np.zeros(most + 1, np.int32)
    # Pack each meld into the words of a card set.
    for points, melds in found.items():
        number[points] = len(melds)
        for slot, cards in enumerate(melds):
            for card in cards:
                sets[card // deck.word_bits][points, slot] |= np.uint32(1 << card % deck.word_bits)
    return MeldTable(tuple(sets), number)


def of_ranks(deck: Deck, ranks: jax.Array) -> CardSet:
    """Return the cards of all suits whose rank is set in `ranks`: bit r for rank r."""
    word = ranks
    # Repeat the ranks in every suit of a word.
    for lane in range(1, deck.suits_per_word):
        word = word | ranks << (lane * deck.ranks_per_suit)
    return CardSet(deck, [word] * deck.num_words)


def fours(hand: CardSet) -> jax.Array:
    """Return the ranks whose four cards are all in a hand: uint32, bit r for rank r."""
    deck = hand.deck
    # Keep a rank if its bit is set in every word, then in every suit of the word: fold by halves.
    word = hand.words[0]
    for other in hand.words[1:]:
        word = word & other
    lanes = deck.suits_per_word // 2
    while lanes:
        word = word & (word >> (lanes * deck.ranks_per_suit))
        lanes //= 2
    return word & ((1 << deck.ranks_per_suit) - 1)


def ranks_held(cards: CardSet) -> jax.Array:
    """Return the ranks of the cards in a set: uint32, bit r for rank r."""
    deck = cards.deck
    # Keep a rank if its bit is set in any word, then in any suit of the word: fold by halves.
    word = cards.words[0]
    for other in cards.words[1:]:
        word = word | other
    lanes = deck.suits_per_word // 2
    while lanes:
        word = word | (word >> (lanes * deck.ranks_per_suit))
        lanes //= 2
    return word & ((1 << deck.ranks_per_suit) - 1)


def suits_held(cards: CardSet, ranks: jax.Array) -> jax.Array:
    """Return the suits in which a set has a card of the given ranks: uint32, bit s for suit s."""
    held = [((cards.suit(suit) & ranks) != 0).astype(jnp.uint32) for suit in range(4)]
    return held[0] | held[1] << 1 | held[2] << 2 | held[3] << 3


def runs(cards: CardSet, longest: int) -> list[CardSet]:
    """Return the first cards of runs, for each run length from 3 to `longest`.

    A block of n neighbouring ranks of a suit has n - k + 1 starts of runs of k cards.
    """
    deck = cards.deck
    highest = jnp.uint32(1 << (deck.ranks_per_suit - 1))
    # Clear the highest rank of each suit so that no run crosses into the next suit.
    # Shifted down by one, a card meets its lower neighbour: starts of runs of two.
    found = [(cards - of_ranks(deck, highest)) & _shifted(cards, 1)]
    # A run of k + 1 starts where a run of k starts here and one rank higher.
    for _ in range(SHORTEST, longest + 1):
        found.append(found[-1] & _shifted(found[-1], 1))
    return found[1:]


def longest_run(starts: Sequence[CardSet]) -> LongestRun:
    """Return the longest of `runs`; a run beyond the last length counts as a run of that length."""
    longest, length = starts[0], jnp.uint32(SHORTEST - 1)
    for cards in starts:
        found = cards.any()
        # A hand with runs of k + 1 has runs of k, so the count of nonempty lengths is the length.
        length = length + found.astype(jnp.uint32)
        longest = select(found, cards, longest)
    return LongestRun(longest, length)


def run_points(starts: Sequence[CardSet], points: Sequence[int]) -> jax.Array:
    """Return the points of all runs of a hand, each block of neighbours counting once: int32.

    Args:
      starts: the result of `runs`, up to the last length at which the points change their slope.
      points: points of a block, by its length from 0.
    """
    total = jnp.int32(0)
    weights: list[int] = []
    for k, cards in enumerate(starts):
        # A block of n cards has n - k + 1 starts of runs of k. These weights sum to the block's points.
        length = SHORTEST + k
        # Less what the shorter lengths count: a block of `length` cards has k - i + 1 starts of the
        # length number i.
        weight = points[length] - sum(w * (k - i + 1) for i, w in enumerate(weights))
        weights.append(weight)
        if weight:
            total = total + weight * cards.count()
    return total


def run_cards(starts: CardSet) -> CardSet:
    """Return the cards of all runs, from the starts of runs of three."""
    # A longer run is a chain of runs of three: take each start and the two cards above it.
    return starts | _shifted(starts, -1) | _shifted(starts, -2)


def turns(leader: jax.Array) -> list[jax.Array]:
    """Return a uint32 for each of four seats, larger the earlier the seat plays."""
    # The number of places after the leader: uint32 wraps below 0, and the mask is modulo 4.
    return [3 - ((jnp.uint32(seat) - leader) & 3) for seat in range(4)]


def second_team_wins(keys: Sequence[jax.Array], early: Sequence[jax.Array]) -> jax.Array:
    """Return whether seat 1 or 3 has the best meld: bool.

    Args:
      keys: for each of four seats the key of its best meld, uint32 below 2**30; larger is better.
      early: the result of `turns`; among equal keys the earlier seat's is the best.
    """
    # The turn in the lowest two bits breaks ties between equal keys.
    # The key is below 2**30, so the shift loses nothing.
    rank = [key << 2 | turn for key, turn in zip(keys, early, strict=True)]
    return jnp.maximum(rank[1], rank[3]) > jnp.maximum(rank[0], rank[2])


def highest(bits: jax.Array) -> jax.Array:
    """Return the position of the highest set bit: uint32; 0 for an empty word."""
    # The added bit 0 makes the result of an empty word 0, and does not change any other.
    return jnp.uint32(31) - jax.lax.clz(bits | 1)


def lowest(bits: jax.Array) -> jax.Array:
    """Return the position of the lowest set bit: uint32; 0 for an empty word."""
    return jnp.uint32(31) - jax.lax.clz(lowest_bit(bits) | 1)


def _shifted(cards: CardSet, ranks: int) -> CardSet:
    """Move cards down by some ranks, or up if negative. Every card must stay in its suit."""
    return CardSet(cards.deck, [w >> ranks if ranks > 0 else w << -ranks for w in cards.words])
