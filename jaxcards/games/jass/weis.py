"""Weis and Stöck: the melds of a hand, and the team that scores them (docs/jass.md, 4.3 and 4.4).

Everything is computed on words; see `jaxcards.cards.melds`. Points of Weis are kept in tens.
"""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import melds as meld_words
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass import play
from jaxcards.games.jass.play import DECK
from jaxcards.games.jass.rules import JassRules
from jaxcards.xla.fence import fence
from jaxcards.xla.lookup import lookup
from jaxcards.xla.lowest import lowest_bit
from jaxcards.xla.tracing import traced_once

_RANKS = (1 << DECK.ranks_per_suit) - 1
_LOW_RANKS = 0b111  # six, seven, eight
_HEIGHT = 0b11110  # where the height is in a key


class Melds(NamedTuple):
    """The Weis of one hand, with the keys to compare the best of them in any mode."""

    runs: CardSet  # the cards at which a run of at least three starts
    fours: jax.Array  # uint32, bit r if the four cards of rank r are a Weis
    total: jax.Array  # uint32, points of all Weis in tens
    best: jax.Array  # uint32, points of the best Weis in tens; 0 without one
    upward: jax.Array  # uint32, comparable rank of the best Weis where high cards count
    downward: jax.Array  # uint32, the same where low cards count
    trumps: jax.Array  # uint32, bit s if the best Weis (judged upward) is a run in suit s


@traced_once(static_argnums=(0,))
def find_melds(rules: JassRules, hand: CardSet) -> tuple[Melds, ...]:
    """Return the ways to count the Weis of a nine-card hand.

    There is one way, unless cards may not be shared between a run and a four: then every subset of
    the fours (a hand has at most two) is a way, and `chosen` decides between them.
    """
    fours = meld_words.fours(hand)
    if not rules.weis_low_fours:
        fours = fours & ~jnp.uint32(_LOW_RANKS)
    if rules.weis_share_cards:
        return (_count(rules, hand, fours),)
    lower = lowest_bit(fours)
    # None, one, the other, or both of at most two fours.
    ways = [jnp.uint32(0), lower, fours & ~lower, fours]
    return tuple(_count(rules, hand - meld_words.of_ranks(DECK, way), way) for way in ways)


def run_points(rules: JassRules) -> list[int]:
    """Return the points of a run in tens, by its length from 0."""
    if rules.weis_long_runs == "flat":
        return [0, 0, 0, 2, 5, 10, 10, 10, 10, 10]
    return [0, 0, 0, 2, 5, 10, 15, 20, 25, 30]


def four_points(rules: JassRules) -> list[int]:
    """Return the points of four of each rank in tens; 0 if they are not a Weis."""
    low = 10 if rules.weis_low_fours else 0
    return [{"9": 15, "J": 20}.get(rank, low if rank in "678" else 10) for rank in DECK.ranks]


@functools.cache
def table(rules: JassRules) -> meld_words.MeldTable:
    """Return every Weis, by its points in tens."""
    return meld_words.meld_table(DECK, run_points(rules), four_points(rules))


def _count(rules: JassRules, free: CardSet, fours: jax.Array) -> Melds:
    """Count the Weis of given fours and of the runs among the cards `free` for runs."""
    runs = meld_words.runs(free, play.HAND_SIZE)
    by_length = run_points(rules)
    total = meld_words.run_points(runs, by_length).astype(jnp.uint32) + _four_points(fours)

    longest, length = meld_words.longest_run(runs)
    points = lookup(by_length, length)
    any_suit = meld_words.ranks_held(longest)
    has_run = any_suit != 0
    top_start, low_start = meld_words.highest(any_suit), meld_words.lowest(any_suit)
    # Among the longest runs the highest is the best one; where height does not count, any of them.
    compared = jnp.uint32(1) << top_start if rules.weis_height else jnp.uint32(_RANKS)
    run_up = _key(rules, points, length, top_start + length - 1)
    # Where low cards count, the height is the distance of the lowest card from the ace.
    run_down = _key(rules, points, length, play.ACE - low_start)
    run_up, run_down = (jnp.where(has_run, key, 0) for key in (run_up, run_down))

    four_points = jnp.where((fours >> play.NINE) & 1, 15, 10)
    four_points = jnp.where((fours >> play.JACK) & 1, 20, four_points)
    four_points = jnp.where(fours != 0, four_points, 0).astype(jnp.uint32)
    # Four jacks or nines have the most points, whatever the direction.
    valued = ((fours >> play.NINE) | (fours >> play.JACK)) & 1
    high = jnp.where(
        valued, jnp.where((fours >> play.JACK) & 1, play.JACK, play.NINE), meld_words.highest(fours)
    )
    low = jnp.where(valued, high, meld_words.lowest(fours))
    four_up = jnp.where(fours != 0, _key(rules, four_points, 4, high), 0)
    four_down = jnp.where(fours != 0, _key(rules, four_points, 4, play.ACE - low), 0)

    trumps = meld_words.suits_held(longest, compared)
    trumps = jnp.where(run_up > four_up, trumps, 0)
    # Packed and fenced, because every mode of the contest uses them. Points and number of cards are the
    # same both ways, as a run and a four with the same points have different numbers of cards.
    upward, downward = jnp.maximum(run_up, four_up), jnp.maximum(run_down, four_down)
    # From the lowest bit: 7 bits of points, 4 of trumps, 4 of height downward, then the upward key.
    word = fence(upward << 15 | (downward & _HEIGHT) << 10 | trumps << 7 | total)
    upward = word >> 15
    return Melds(
        runs=runs[0],
        fours=fours,
        total=word & 127,
        best=jnp.maximum(points, four_points),
        upward=upward,
        downward=(upward & ~jnp.uint32(_HEIGHT)) | (word >> 10) & _HEIGHT,
        trumps=(word >> 7) & 15,
    )


def _four_points(fours: jax.Array) -> jax.Array:
    """Return the points of all fours, in tens: uint32."""
    points = 10 * jax.lax.population_count(fours)
    return points + 5 * ((fours >> play.NINE) & 1) + 10 * ((fours >> play.JACK) & 1)


def _key(rules: JassRules, points: Any, cards: Any, height: Any) -> jax.Array:
    """Pack points, number of cards and height (`_HEIGHT`); the lowest bit is for the trump flag."""
    height = height if rules.weis_height else 0
    return jnp.uint32(points) << 9 | jnp.uint32(cards) << 5 | jnp.uint32(height) << 1


def meld_key(melds: Melds, mode: int | jax.Array) -> jax.Array:
    """Return the key of a hand's best Weis in a mode: uint32, larger wins, 0 without Weis."""
    if isinstance(mode, int):
        if mode in play.MODES_BOTTOM_UP:
            return melds.downward
        return melds.upward | ((melds.trumps >> mode) & 1) if mode < play.NO_TRUMP else melds.upward
    bottom_up = jnp.zeros((), bool)
    for number in play.MODES_BOTTOM_UP:
        bottom_up = bottom_up | (mode == number)
    # A shift by `NO_TRUMP` leaves no flag.
    upward = melds.upward | ((melds.trumps >> jnp.minimum(mode, play.NO_TRUMP)) & 1)
    return jnp.where(bottom_up, melds.downward, upward)


def chosen(ways: Sequence[Melds], mode: int | jax.Array) -> Melds:
    """Return the way of counting with the most points, then the best Weis, then the most fours."""

    def rank(way: Melds) -> jax.Array:
        fours = jax.lax.population_count(way.fours)
        # A key has at most 16 bits, and there are at most two fours: the parts do not overlap.
        return way.total << 20 | meld_key(way, mode) << 4 | fours

    best = ways[0]
    for way in ways[1:]:
        better = rank(way) > rank(best)
        best = jax.tree.map(lambda a, b, better=better: jnp.where(better, a, b), way, best)
    return best


def meld_cards(melds: Melds) -> CardSet:
    return meld_words.of_ranks(DECK, melds.fours) | meld_words.run_cards(melds.runs)


def contest(rules: JassRules, hands: Sequence[CardSet], forehand: jax.Array) -> jax.Array:
    """Decide which team scores Weis, in every mode at once, so that it is done once a deal.

    Ties go to the earlier in the order of play to the first trick.

    Returns:
      uint32 below 2**30: bits 0-6 and 7-13 the points in tens of all Weis of team 0 and 1; bit
      14 + mode whether team 1 scores in that mode; bit 22 + mode the same if forehand's partner leads.
    """
    ways = [find_melds(rules, hand) for hand in hands]
    # `chosen` takes the way with the most points in every mode.
    totals = [functools.reduce(jnp.maximum, [way.total for way in hand]) for hand in ways]
    word = (totals[0] + totals[2]) | (totals[1] + totals[3]) << 7
    leads = [(forehand, 14)]
    if rules.push and rules.pushed_leader != "forehand":
        leads.append((forehand + 2, 22))
    keys = {mode: [meld_key(chosen(hand, mode), mode) for hand in ways] for mode in rules.modes}
    for leader, first_bit in leads:
        early = meld_words.turns(leader)
        for mode in rules.modes:
            second = meld_words.second_team_wins(keys[mode], early)
            word = word | second.astype(jnp.uint32) << (first_bit + mode)
    return fence(word)


def settle(word: jax.Array, mode: jax.Array, partner_leads: jax.Array | None = None) -> jax.Array:
    """Return the word of `contest` in one mode: bits 0-6 and 7-13 the points in tens of each team.

    `partner_leads` is whether forehand's partner leads; None where the rules rule it out.
    """
    first_bit: Any = 14 if partner_leads is None else jnp.where(partner_leads, 22, 14)
    # The mask keeps the shift in range if no mode is chosen.
    second = (word >> (first_bit + (mode & 7))) & 1
    return word & jnp.where(second, jnp.uint32(0x7F << 7), jnp.uint32(0x7F))


def settled_contest(
    found: Sequence[Melds], mode: jax.Array, forehand: jax.Array, partner_leads: jax.Array | None
) -> jax.Array:
    """Return `settle` of `contest` in one mode, for which `chosen` has found the melds of each seat."""
    # The tie rule follows the order of play, from the first leader on.
    leader = forehand if partner_leads is None else forehand + 2 * partner_leads.astype(jnp.uint32)
    keys = [meld_key(melds, mode) for melds in found]
    second = meld_words.second_team_wins(keys, meld_words.turns(leader))
    return jnp.where(second, (found[1].total + found[3].total) << 7, found[0].total + found[2].total)


def weis_points(settled: jax.Array) -> tuple[jax.Array, jax.Array]:
    return (settled & 0x7F) * 10, ((settled >> 7) & 0x7F) * 10


def has_stock(hand: CardSet, mode: jax.Array) -> jax.Array:
    """Return whether a dealt hand has king and queen of trumps: bool scalar."""
    trumps = CardSet.in_suit(DECK, mode, jnp.uint32(1 << play.KING | 1 << play.QUEEN))
    return (hand & trumps).count() == 2
