"""Weis and Stöck: finding the melds of a hand, and whose count (contract sections 4.3 and 4.4).

Everything is computed on words: the runs of a hand are found by shifting its words against
themselves, four of a kind by combining the four suits. Points of Weis are kept in tens.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import CardSet, fence
from jaxcards.games.jass.deck import (
    ACE,
    DECK,
    HAND_SIZE,
    JACK,
    KING,
    MODES_BOTTOM_UP,
    NINE,
    NO_TRUMP,
    NUM_MODES,
    QUEEN,
)  # fmt: skip
from jaxcards.games.jass.rules import JassRules
from jaxcards.lookup import lookup

_LANE = DECK.ranks_per_suit
_RANKS = (1 << _LANE) - 1
_LOW_RANKS = 0b111  # six, seven, eight


class Melds(NamedTuple):
    """The Weis of one hand and what is needed to compare the best of them in any mode.

    Attributes:
      runs: the cards at which a run of at least three starts.
      fours: uint32, bit r if the four cards of rank r are a Weis.
      total: uint32, points of all Weis in tens.
      best: uint32, points of the best Weis in tens; 0 without one.
      upward: uint32, comparable rank of the best Weis where high cards count.
      downward: uint32, the same where low cards count.
      trumps: uint32, bit s if the best Weis (judged upward) is a run in suit s.
    """

    runs: CardSet
    fours: jax.Array
    total: jax.Array
    best: jax.Array
    upward: jax.Array
    downward: jax.Array
    trumps: jax.Array


def find_melds(rules: JassRules, hand: CardSet) -> tuple[Melds, ...]:
    """Returns the ways to count the Weis of a nine-card hand.

    There is one way, unless cards may not be shared between a run and a four: then every subset of
    the fours (a hand has at most two) is a way, and `chosen` decides between them.
    """
    both = hand.words[0] & hand.words[1]
    fours = both & (both >> _LANE) & _RANKS
    if not rules.weis_low_fours:
        fours = fours & ~jnp.uint32(_LOW_RANKS)
    if rules.weis_share_cards:
        return (_count(rules, hand, fours),)
    lower = fours & (~fours + 1)
    ways = [jnp.uint32(0), lower, fours & ~lower, fours]
    return tuple(_count(rules, hand - _all_of(way), way) for way in ways)


def _count(rules: JassRules, free: CardSet, fours: jax.Array) -> Melds:
    """Counts the Weis of given fours and of the runs among the cards `free` for runs."""
    starts = free - _all_of(jnp.uint32(1 << ACE))  # nothing runs past an ace into the next suit
    runs = [starts & _shifted(free, 1)]
    for _ in range(3, HAND_SIZE + 1):
        runs.append(runs[-1] & _shifted(runs[-1], 1))
    runs = runs[1:]  # runs[k]: where a run of at least k + 3 cards starts
    total = _total(rules, runs, fours)

    longest, length = runs[0], jnp.uint32(2)
    for starts in runs:
        found = starts.any()
        length = length + found.astype(jnp.uint32)
        longest = CardSet(
            DECK,
            [jnp.where(found, a, b) for a, b in zip(starts.words, longest.words, strict=True)],
        )
    by_length = [0, 0, 0, 2, 5, 10, 15, 20, 25, 30]
    if rules.weis_long_runs == "flat":
        by_length = [0, 0, 0, 2, 5, 10, 10, 10, 10, 10]
    points = lookup(by_length, length)
    any_suit = longest.words[0] | longest.words[1]
    any_suit = (any_suit | (any_suit >> _LANE)) & _RANKS
    has_run = any_suit != 0
    top_start, low_start = _highest(any_suit), _lowest(any_suit)
    # Among the longest runs the highest is the best one; where height does not count, any of them.
    compared = jnp.uint32(1) << top_start if rules.weis_height else jnp.uint32(_RANKS)
    run_up = _key(rules, points, length, top_start + length - 1)
    run_down = _key(rules, points, length, ACE - low_start)
    run_up, run_down = (jnp.where(has_run, key, 0) for key in (run_up, run_down))

    four_points = jnp.where((fours >> NINE) & 1, 15, 10)
    four_points = jnp.where((fours >> JACK) & 1, 20, four_points)
    four_points = jnp.where(fours != 0, four_points, 0).astype(jnp.uint32)
    valued = ((fours >> NINE) | (fours >> JACK)) & 1
    high = jnp.where(valued, jnp.where((fours >> JACK) & 1, JACK, NINE), _highest(fours))
    low = jnp.where(valued, high, _lowest(fours))
    four_up = jnp.where(fours != 0, _key(rules, four_points, 4, high), 0)
    four_down = jnp.where(fours != 0, _key(rules, four_points, 4, ACE - low), 0)

    in_suit = [
        ((longest.words[suit // 2] >> (_LANE * (suit % 2))) & _RANKS & compared) != 0
        for suit in range(4)
    ]
    in_suit = [found.astype(jnp.uint32) for found in in_suit]
    trumps = in_suit[0] | in_suit[1] << 1 | in_suit[2] << 2 | in_suit[3] << 3
    trumps = jnp.where(run_up > four_up, trumps, 0)
    # Packed and fenced, because every mode of the contest uses them.
    upward = fence(jnp.maximum(run_up, four_up) << 4 | trumps)
    downward = fence(jnp.maximum(run_down, four_down) << 7 | total)
    return Melds(
        runs=runs[0],
        fours=fours,
        total=downward & 127,
        best=jnp.maximum(points, four_points),
        upward=upward >> 4,
        downward=downward >> 7,
        trumps=upward & 15,
    )


def _total(rules: JassRules, runs: Sequence[CardSet], fours: jax.Array) -> jax.Array:
    # A block of n cards holds n - k + 1 runs of k cards. With these weights the runs of a block of
    # 3, 4, 5, 6, … cards add up to 20, 50, 100, 150, …, and to 20, 50, 100, 100, … if they are flat.
    total = 2 * runs[0].count() + runs[1].count() + 2 * runs[2].count()
    if rules.weis_long_runs == "flat":
        total = total - 5 * runs[3].count()
    fours_total = 10 * jax.lax.population_count(fours)
    fours_total = fours_total + 5 * ((fours >> NINE) & 1) + 10 * ((fours >> JACK) & 1)
    return total.astype(jnp.uint32) + fours_total


def _key(rules: JassRules, points: Any, cards: Any, height: Any) -> jax.Array:
    """Packs points, number of cards and height; the lowest bit is left for the trump flag."""
    height = height if rules.weis_height else 0
    return jnp.uint32(points) << 9 | jnp.uint32(cards) << 5 | jnp.uint32(height) << 1


def meld_key(melds: Melds, mode: int | jax.Array) -> jax.Array:
    """Returns the key of a hand's best Weis in a mode: uint32, larger wins, 0 without Weis."""
    if isinstance(mode, int):
        if mode in MODES_BOTTOM_UP:
            return melds.downward
        return melds.upward | ((melds.trumps >> mode) & 1) if mode < NO_TRUMP else melds.upward
    bottom_up = jnp.zeros((), bool)
    for number in MODES_BOTTOM_UP:
        bottom_up = bottom_up | (mode == number)
    upward = melds.upward | ((melds.trumps >> jnp.minimum(mode, NO_TRUMP)) & 1)
    return jnp.where(bottom_up, melds.downward, upward)


def chosen(ways: Sequence[Melds], mode: int | jax.Array) -> Melds:
    """Returns the way of counting with the most points, then the best Weis, then the most fours."""

    def rank(way: Melds) -> jax.Array:
        fours = jax.lax.population_count(way.fours)
        return way.total << 20 | meld_key(way, mode) << 4 | fours

    best = ways[0]
    for way in ways[1:]:
        better = rank(way) > rank(best)
        best = jax.tree.map(lambda a, b, better=better: jnp.where(better, a, b), way, best)
    return best


def meld_cards(melds: Melds) -> CardSet:
    """Returns the cards of all Weis of a hand."""
    return _all_of(melds.fours) | melds.runs | _shifted(melds.runs, -1) | _shifted(melds.runs, -2)


def contest(rules: JassRules, hands: Sequence[CardSet], forehand: jax.Array) -> jax.Array:
    """Decides whose Weis count, in every mode at once, so that it is done only once a deal.

    Args:
      hands: the four dealt hands.
      forehand: uint32 seat; ties go to the earlier in the order of play to the first trick.

    Returns:
      uint32 below 2**30: bits 0-6 and 7-13 the points in tens of all Weis of team 0 and 1; bit
      14 + mode whether team 1 scores in that mode; bit 22 + mode the same if forehand's partner leads.
    """
    ways = [find_melds(rules, hand) for hand in hands]
    totals = [_largest([way.total for way in hand]) for hand in ways]
    word = (totals[0] + totals[2]) | (totals[1] + totals[3]) << 7
    leads = [(forehand, 14)]
    if rules.push and rules.pushed_leader == "declarer":
        leads.append((forehand + 2, 22))
    modes = range(NUM_MODES if rules.slalom else NO_TRUMP + 2)
    keys = {mode: [meld_key(chosen(hand, mode), mode) for hand in ways] for mode in modes}
    for leader, first_bit in leads:
        early = [3 - ((jnp.uint32(seat) - leader) & 3) for seat in range(4)]
        for mode in modes:
            rank = [key << 2 | turn for key, turn in zip(keys[mode], early, strict=True)]
            second = jnp.maximum(rank[1], rank[3]) > jnp.maximum(rank[0], rank[2])
            word = word | second.astype(jnp.uint32) << (first_bit + mode)
    return fence(word)


def settle(word: jax.Array, mode: jax.Array, partner_leads: jax.Array | None = None) -> jax.Array:
    """Returns what is left of the word of `contest` once the mode is known.

    Args:
      mode: uint32, the mode that was chosen.
      partner_leads: bool, whether forehand's partner leads; None where the rules rule it out.

    Returns:
      uint32: bits 0-6 and 7-13 the points in tens that team 0 and 1 score.
    """
    first_bit: Any = 14 if partner_leads is None else jnp.where(partner_leads, 22, 14)
    second = (word >> (first_bit + (mode & 7))) & 1
    return word & jnp.where(second, jnp.uint32(0x7F << 7), jnp.uint32(0x7F))


def weis_points(settled: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the Weis points of the two teams, uint32 each, from the word of `settle`."""
    return (settled & 0x7F) * 10, ((settled >> 7) & 0x7F) * 10


def has_stock(hand: CardSet, mode: jax.Array) -> jax.Array:
    """Returns whether a dealt hand has king and queen of trumps: bool scalar."""
    trumps = CardSet.in_suit(DECK, mode, jnp.uint32(1 << KING | 1 << QUEEN))
    return (hand & trumps).count() == 2


def _all_of(ranks: jax.Array) -> CardSet:
    """Returns the cards of all suits whose rank is set."""
    word = ranks | ranks << _LANE
    return CardSet(DECK, [word] * DECK.num_words)


def _shifted(cards: CardSet, ranks: int) -> CardSet:
    """Moves cards down by some ranks (up if negative). Callers see to it that no suit is left."""
    return CardSet(DECK, [w >> ranks if ranks > 0 else w << -ranks for w in cards.words])


def _highest(bits: jax.Array) -> jax.Array:
    return jnp.uint32(31) - jax.lax.clz(bits | 1)


def _lowest(bits: jax.Array) -> jax.Array:
    return jnp.uint32(31) - jax.lax.clz((bits & (~bits + 1)) | 1)


def _largest(values: Sequence[jax.Array]) -> jax.Array:
    largest = values[0]
    for value in values[1:]:
        largest = jnp.maximum(largest, value)
    return largest
