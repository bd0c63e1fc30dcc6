"""Declarations and belote: what a hand has, and whose declarations count (docs/belote.md, 4.3 to 4.5).

Points of declarations are kept in tens. `step` computes none of this: the cards that were dealt do not
change, so declarations are found when an observation or the score asks for them.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import melds, sets
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import play
from jaxcards.games.belote.play import DECK, Public, State
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.xla.lookup import lookup

Teams = tuple[jax.Array, jax.Array]

_LONGEST = 5  # longer runs are worth the same
_COUNTED = _LONGEST + 1  # from this length on the points do not change
_FOURS = sum(1 << rank for rank, points in enumerate(play.FOUR_POINTS) if points)
_KEY_BELOW_POINTS = 5  # bits of a key below the points: four, height, trumps


class Declarations(NamedTuple):
    """The declarations of a hand of eight cards."""

    runs: CardSet  # the cards at which a run of at least three starts
    fours: jax.Array  # uint32, bit r if the four cards of rank r are a declaration
    total: jax.Array  # uint32, points of all declarations in tens
    key: jax.Array  # uint32, what the best one is compared by; larger is better, 0 without one

    @property
    def best(self) -> jax.Array:
        """uint32: points of the best declaration in tens."""
        return self.key >> _KEY_BELOW_POINTS


def find(rules: BeloteRules, hand: CardSet, mode: jax.Array) -> Declarations:
    """Return the declarations of the eight cards of a seat."""
    fours = melds.fours(hand) & _FOURS
    # Without sharing, cards of a four cannot serve in a run.
    free = hand if rules.decl_share_cards else hand - melds.of_ranks(DECK, fours)
    runs = melds.runs(free, _COUNTED)
    total = melds.run_points(runs, play.RUN_POINTS).astype(jnp.uint32)
    # Of longer runs, only the highest five cards compare.
    longest, length = melds.longest_run(runs[: _LONGEST - melds.SHORTEST + 1])
    top_start = melds.highest(melds.ranks_held(longest))
    trumps = jnp.uint32(0)
    # Among the longest runs, does the highest one lie in trumps?
    if rules.decl_trump_first:
        trumps = (melds.suits_held(longest, jnp.uint32(1) << top_start) >> mode) & 1
    # height: the rank of the highest card of the run.
    height = top_start + length - 1
    # A key compares points, then a four before a run, then height, then trumps.
    # From bit 0 on: 1 bit for trumps, 3 for the height, 1 for a four, then the points in tens.
    run_key = lookup(play.RUN_POINTS, length) << _KEY_BELOW_POINTS | height << 1 | trumps
    key = jnp.where(runs[0].any(), run_key, 0)
    for rank in range(DECK.ranks_per_suit):
        if play.FOUR_POINTS[rank]:
            points = jnp.uint32(play.FOUR_POINTS[rank])
            if rules.modes_nt_at:
                points = jnp.where(
                    mode == play.NO_TRUMP, jnp.uint32(play.NO_TRUMP_FOUR_POINTS[rank]), points
                )
            has = (fours >> rank) & 1
            total = total + has * points
            # Fours of equal points compare by the plain order.
            strength = play.PLAIN_ORDER.low_to_high.index(DECK.ranks[rank])
            four_key = points << _KEY_BELOW_POINTS | (1 << 4 | strength << 1)
            key = jnp.maximum(key, has * four_key)
    return Declarations(runs[0], fours, total, key)


@functools.cache
def table(*, no_trump: bool = False) -> melds.MeldTable:
    """Return every declaration, by its points in tens, with or without trumps."""
    return melds.meld_table(
        DECK, play.RUN_POINTS, play.NO_TRUMP_FOUR_POINTS if no_trump else play.FOUR_POINTS
    )


def cards_of(found: Declarations) -> CardSet:
    """Return the cards of all declarations of a hand."""
    return melds.of_ranks(DECK, found.fours) | melds.run_cards(found.runs)


def contest(rules: BeloteRules, found: Sequence[Declarations], forehand: jax.Array) -> Teams:
    """Return the points of both teams for declarations, in tens: uint32."""
    keys = [hand.key for hand in found]
    if rules.decl_tie == "forehand":
        second = melds.second_team_wins(keys, melds.turns(forehand))
        first = ~second
    else:
        # Without an advantage for forehand, equal declarations score for neither team.
        best = jnp.maximum(keys[0], keys[2]), jnp.maximum(keys[1], keys[3])
        first, second = best[0] > best[1], best[1] > best[0]
    return (
        jnp.where(first, found[0].total + found[2].total, 0),
        jnp.where(second, found[1].total + found[3].total, 0),
    )


def pairs(rules: BeloteRules, hand: CardSet, mode: jax.Array) -> CardSet:
    """Return the queens that a hand of eight cards holds with the king of the same trump suit."""
    queens = CardSet.in_suit(DECK, mode, jnp.uint32(1 << play.QUEEN))
    if rules.modes_nt_at:
        every = melds.of_ranks(DECK, jnp.uint32(1 << play.QUEEN))
        queens = sets.select(mode == play.ALL_TRUMP, every, queens)
    # The king, moved down onto the queen, leaves the queens whose king is held as well.
    with_king = CardSet(DECK, [hand.words[0] & (hand.words[0] >> (play.KING - play.QUEEN))])
    return with_king & queens


def belote_points(rules: BeloteRules, hands: Sequence[CardSet], mode: jax.Array) -> Teams:
    """Return the points of both teams for king and queen of trumps: uint32."""
    if not rules.belote:
        return jnp.uint32(0), jnp.uint32(0)
    counts = [pairs(rules, hand, mode).count().astype(jnp.uint32) for hand in hands]
    return play.BELOTE_POINTS * (counts[0] + counts[2]), play.BELOTE_POINTS * (counts[1] + counts[3])


def public_declarations(
    rules: BeloteRules, state: State
) -> tuple[jax.Array, jax.Array, tuple[CardSet, ...]]:
    found = [find(rules, hand, state.public.mode) for hand in state.hands]
    scored = declared_points(rules, state, found)
    return declarations_in_public(rules, state.public, state.played_by, found, scored)


def declarations_in_public(
    rules: BeloteRules, public: Public, played_by: Sequence[CardSet],
    found: Sequence[Declarations], scored: Teams,
) -> tuple[jax.Array, jax.Array, tuple[CardSet, ...]]:  # fmt: skip
    """Return `announced`, `declared` and `shown` as in `Observation`.

    `found` are the declarations of each seat, `scored` what both teams score before any capot, in tens.
    """
    laid_open = play.declarations_public(rules, public)
    announced = jnp.uint32(0)
    shown = []
    for seat, cards in enumerate(played_by):
        # The best declaration is announced before the play, or with the first card of a seat.
        named = public.playing
        if rules.decl_reveal == "after_first_trick":
            named = named & cards.any()
        best = jnp.where(named, found[seat].best, play.NOT_ANNOUNCED)
        announced = announced | best << (play.ANNOUNCED_BITS * seat)
        # Seats of equal parity are a team: the one that scores lays its cards open.
        opens = laid_open & (scored[seat % 2] > 0)
        shown.append(cards_of(found[seat]).where(opens))
    declared = scored[0] | scored[1] << play.DECLARED_BITS | play.DECLARED_PUBLIC
    return announced, jnp.where(laid_open, declared, 0), tuple(shown)


def announced_belote(rules: BeloteRules, state: State) -> tuple[CardSet, ...]:
    """Return each seat's kings and queens of trumps whose first card it has played."""
    announced = []
    for hand in state.hands:
        queens = pairs(rules, hand, state.public.mode).words[0]
        # A pair is announced with the first of its two cards.
        first = (state.played.words[0] | state.played.words[0] >> (play.KING - play.QUEEN)) & queens
        announced.append(CardSet(DECK, [first | first << (play.KING - play.QUEEN)]))
    return tuple(announced)


def declared_points(
    rules: BeloteRules, state: State, found: Sequence[Declarations] | None = None
) -> Teams:
    """Return the points of both teams for declarations before any capot, in tens: uint32.

    What was public when `determinize` dealt other hands stays; see `State.declared`.
    """
    if state.declared is None:
        return jnp.uint32(0), jnp.uint32(0)
    if found is None:
        found = [find(rules, hand, state.public.mode) for hand in state.hands]
    fresh = contest(rules, found, state.public.forehand)
    # Public points include `DECLARED_PUBLIC`, so the word is not 0 even without points.
    kept = state.declared != 0
    first, second = (
        jnp.where(kept, field(state.declared, team, play.DECLARED_BITS), fresh[team]) for team in (0, 1)
    )
    return first, second


def find_straights(hands: tuple[CardSet, ...]) -> jax.Array:
    """Return `State.straights` of four hands of eight cards."""
    word = jnp.uint32(0)
    for suit in range(4):
        for seat, hand in enumerate(hands):
            whole = hand.suit(suit) == (1 << play.HAND_SIZE) - 1
            word = word | jnp.where(whole, jnp.uint32((8 + seat) << (4 * suit)), 0)
    return word
