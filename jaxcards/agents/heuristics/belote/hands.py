"""The features of a Belote hand: jacks, nines, length, aces, guarded tens.

A hand is described once for all four suits as trumps, in vectors of four, and once for no trump and for
all trump. `bidding_tables` has the worth of each feature.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.belote import bidding_tables as tables
from jaxcards.agents.heuristics.belote.bidding_tables import Column
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import declarations
from jaxcards.games.belote.play import ACE, DECK, JACK, KING, NINE, NO_TRUMP, QUEEN, TEN
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.xla.fence import fence

NUM_SUITS = len(DECK.suits)


class Parts(NamedTuple):
    """A hand described for every mode.

    Attributes:
      trump: float32[4] for each row of `tables.TRUMP`: suit s as trumps.
      no_trump, all_trump: float32 for each row of `tables.NO_TRUMP` and `tables.ALL_TRUMP`; empty
        where these modes are not played.
    """

    trump: list[jax.Array]
    no_trump: list[jax.Array]
    all_trump: list[jax.Array]


def describe(rules: BeloteRules, hand: CardSet, leads: jax.Array, level: jax.Array) -> Parts:
    """Return the features of a hand.

    Args:
      rules: the rules.
      hand: the cards that the player has seen, with the card turned up if there is one.
      leads: bool, whether the player is forehand.
      level: uint32, level of the bid to answer; 0 before the first bid.
    """
    # Spread the four suits of the word into a vector.
    shifts = jnp.arange(NUM_SUITS, dtype=jnp.uint32) * DECK.ranks_per_suit
    suits = (hand.words[0] >> shifts) & ((1 << DECK.ranks_per_suit) - 1)
    count = jax.lax.population_count(suits)
    side = _side_suits(suits, count)
    # For each trump suit, sum a feature over the other three suits.
    others = [part.sum(dtype=part.dtype) - part for part in side]
    rest = [leads, level]
    # Only no trump changes the points of declarations, so any suit stands for all.
    declared = _declared(rules, hand, jnp.uint32(0))
    trump = [*_trumps(rules, suits, count), *others, declared, *rest]
    no_trump, all_trump = [], []
    if rules.modes_nt_at:
        # Without trumps, king and queen of a suit do not count.
        no_trump = [*_summed(_ranked(suits, count, (ACE, TEN, KING, QUEEN))), jnp.uint32(0)]
        no_trump += [_declared(rules, hand, jnp.uint32(NO_TRUMP)), *rest]
        pairs = _both(suits, KING, QUEEN).sum(dtype=jnp.uint32) if rules.belote else jnp.uint32(0)
        all_trump = [*_summed(_ranked(suits, count, (JACK, NINE, ACE, TEN))), pairs, declared, *rest]
    return Parts(
        [jnp.broadcast_to(part.astype(jnp.float32), (NUM_SUITS,)) for part in trump],
        [part.astype(jnp.float32) for part in no_trump],
        [part.astype(jnp.float32) for part in all_trump],
    )


def _trumps(rules: BeloteRules, suits: jax.Array, count: jax.Array) -> list[jax.Array]:
    jack, nine, ace, ten, king, queen = (
        (suits >> rank) & 1 for rank in (JACK, NINE, ACE, TEN, KING, QUEEN)
    )
    long = (count >= 4).astype(jnp.uint32)
    pair = king & queen if rules.belote else jnp.zeros_like(king)
    lengths = [(count >= n).astype(jnp.uint32) for n in range(1, 7)]
    # A nine without the jack is safe beside another trump.
    guarded = nine & (1 - jack) & lengths[1]
    # In the order of the rows of `tables.TRUMP`, behind the constant.
    return [jack, nine, ace, ten, king, queen, jack & nine, jack & long, guarded, pair, *lengths]


def _side_suits(suits: jax.Array, count: jax.Array) -> list[jax.Array]:
    ace, ten, king = ((suits >> rank) & 1 for rank in (ACE, TEN, KING))
    two = (count >= 2).astype(jnp.uint32)
    # The rows of `tables.TRUMP` for plain suits, in order.
    return [
        ace,
        ace & ten,
        ace & (count >= 4).astype(jnp.uint32),
        ten & two & (1 - ace),
        ten & (1 - two),
        king & two & (1 - ace),
        (count == 0).astype(jnp.uint32),
        (count == 1).astype(jnp.uint32),
    ]


def _ranked(suits: jax.Array, count: jax.Array, ranks: tuple[int, ...]) -> list[jax.Array]:
    """Describe suits without a trump suit; `ranks` are their highest cards, the best first."""
    first, second, third, fourth = ((suits >> rank) & 1 for rank in ranks)
    run = first & second
    return [
        first,
        run,
        run & third,
        run & third & fourth,
        # Further cards beside the highest, and beside the two highest.
        first * (count - first),
        run * (count - 2 * run),
        # The second best with another card, the third best with two others.
        second & (1 - first) & (count >= 2).astype(jnp.uint32),
        third & (1 - first) & (count >= 3).astype(jnp.uint32),
        (count == 0).astype(jnp.uint32),
        (count == 1).astype(jnp.uint32),
    ]


def _summed(parts: list[jax.Array]) -> list[jax.Array]:
    return [part.sum(dtype=part.dtype) for part in parts]


def _both(suits: jax.Array, rank: int, other: int) -> jax.Array:
    return (suits >> rank) & (suits >> other) & 1


def _declared(rules: BeloteRules, hand: CardSet, mode: jax.Array) -> jax.Array:
    """Return the points of the declarations among the cards seen, in tens: uint32."""
    if not rules.declarations:
        return jnp.uint32(0)
    return fence(declarations.find(rules, hand, mode).total)


def estimates(rules: BeloteRules, parts: Parts, column: Column) -> list[jax.Array]:
    """Return the expected points of the hand in each mode: float32 scalars."""
    suits = _valued(parts.trump, tables.TRUMP, column)
    found = [suits[suit] for suit in range(NUM_SUITS)]
    if rules.modes_nt_at:
        found.append(_valued(parts.no_trump, tables.NO_TRUMP, column))
        found.append(_valued(parts.all_trump, tables.ALL_TRUMP, column))
    return found


def _valued(parts: list[jax.Array], rows: tables.Table, column: Column) -> jax.Array:
    base, *worths = (values[column] for values in rows.values())
    value = jnp.float32(base)
    for part, worth in zip(parts, worths, strict=True):
        value = value + worth * part
    return jnp.asarray(value)
