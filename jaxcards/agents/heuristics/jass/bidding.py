"""Choosing a mode at Jass, or a prediction: the worth of a hand in each mode.

A hand is described by a few features that players count, such as jack, nine, length of the trumps,
aces, runs from the top. Linear regression on results of self-play found the worth of each.
`experiments/heuristics/jass.py` repeats the fit.
"""

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.jass import bidding_tables as tables
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass import calls, weis
from jaxcards.games.jass.play import (
    ACE,
    CARD_POINTS,
    DECK,
    JACK,
    KING,
    MODES_BOTTOM_UP,
    NINE,
    NO_TRUMP,
    QUEEN,
    UNDENUFE,
    Observation,
)
from jaxcards.games.jass.rules import JassRules
from jaxcards.xla.fence import fence

LANE, NUM_SUITS = DECK.ranks_per_suit, len(DECK.suits)
TEN = DECK.ranks.index("T")
UNIT = 16  # estimates are in sixteenths of a point


def trump_features(suit: jax.Array) -> list[jax.Array]:
    """Describe the trumps of a hand: int32 scalars, named in `tables.TRUMP`."""
    jack, nine, ace, king, queen, ten = (
        _bit(suit, rank) for rank in (JACK, NINE, ACE, KING, QUEEN, TEN)
    )
    number = _count(suit)
    lengths = [(number >= n).astype(jnp.int32) for n in range(1, 8)]
    # `lengths[3]` stands for four trumps or more.
    long_jack = jack & lengths[3]
    return [jack, nine, ace, king, queen, ten, jack & nine, long_jack, nine & lengths[3], *lengths]


def side_features(suit: jax.Array) -> list[jax.Array]:
    """Describe a plain suit of a trump game: int32 scalars, named in `tables.TRUMP`."""
    ace, king, queen, ten = (_bit(suit, rank) for rank in (ACE, KING, QUEEN, TEN))
    number = _count(suit)
    guarded = (number >= 2).astype(jnp.int32)
    return [
        ace,
        ace & king,
        ace & (number >= 4).astype(jnp.int32),
        king & guarded & (1 - ace),
        ten,
        queen & king,
        (number == 0).astype(jnp.int32),
        (number == 1).astype(jnp.int32),
    ]


def run_features(suit: jax.Array) -> list[jax.Array]:
    """Describe a suit without trumps, highest card bit 8: int32 scalars, named in `tables.TOP`."""
    first, second, third, fourth = (_bit(suit, LANE - 1 - k) for k in range(4))
    number = _count(suit)
    run = first & second
    return [
        first,
        run,
        run & third,
        run & third & fourth,
        # Further cards beside the highest, and beside the two highest.
        first * (number - 1),
        run * (number - 2),
        second & (1 - first) & (number >= 2).astype(jnp.int32),
        second & third & (1 - first),
        (number == 0).astype(jnp.int32),
        # The ten: it has the middle one of nine ranks, in a suit turned around as well.
        _bit(suit, 4),
    ]


def hand_features(rules: JassRules, hand: CardSet) -> list[list[jax.Array]]:
    """Return the features of a nine-card hand for every mode 0 to 7: lists of int32 scalars.

    Weis of the player (in points) come second to last. Stöck come last, except in modes without trumps.
    Both are 0 if the rules do not score them.
    """
    suits = [hand.suit(s) for s in range(NUM_SUITS)]
    # Bottom-up, the lowest card is the best: turn the suits around.
    reversed_suits = [_reversed(suit) for suit in suits]
    melds = jnp.int32(0)
    if rules.weis:
        # The best way to combine the cards; totals count in tens.
        ways = weis.find_melds(rules, hand)
        most = ways[0].total
        for way in ways[1:]:
            most = jnp.maximum(most, way.total)
        melds = 10 * most.astype(jnp.int32)
    side = [side_features(suit) for suit in suits]
    features = []
    for trump in range(NUM_SUITS):
        others = _added([side[s] for s in range(NUM_SUITS) if s != trump])
        stock = _bit(suits[trump], KING) & _bit(suits[trump], QUEEN)
        stock = stock if rules.stock else jnp.int32(0)
        features.append([*trump_features(suits[trump]), *others, melds, stock])
    top = _added([run_features(suit) for suit in suits])
    bottom = _added([run_features(suit) for suit in reversed_suits])
    # Modes 4 to 7: bottom-up, top-down, and two slaloms that need both.
    return [
        *features, [*bottom, melds], [*top, melds], [*top, *bottom, melds], [*top, *bottom, melds]
    ]  # fmt: skip


def estimates(rules: JassRules, hand: CardSet, partner_chooses: jax.Array) -> list[jax.Array]:
    """Return the expected score difference of each mode of a nine-card hand.

    Args:
      partner_chooses: bool, the hand is that of forehand's partner, after a push.

    Returns:
      int32 scalars for each of `rules.modes`, in sixteenths of a point, times the multiplier of the
      mode. Guschti is estimated as slalom.
    """
    described = hand_features(rules, hand)
    result = []
    for mode in rules.modes:
        # The first row of a table is its constant.
        parts = [jnp.int32(1), *described[mode]]
        value = jnp.int32(0)
        for part, (_, forehand, partner) in zip(parts, table_of(mode), strict=True):
            value = value + part * jnp.where(partner_chooses, partner, forehand)
        result.append(value * rules.multipliers[mode])
    return result


def table_of(mode: int) -> Sequence[tables.Row]:
    """Return the rows of a mode: part, worth for forehand, worth for its partner after a push."""
    if mode < NO_TRUMP:
        return tables.TRUMP
    if mode < NO_TRUMP + 2:
        return tables.BOTTOM if mode == UNDENUFE else tables.TOP
    return tables.SLALOM_BOTTOM if mode in MODES_BOTTOM_UP else tables.SLALOM_TOP


def push_value(rules: JassRules) -> int:
    """Return the value of pushing, in sixteenths of a point.

    The partner takes the best of the modes, so the value grows with the factors; see `fit.py`.
    """
    factors = [rules.multipliers[mode] for mode in rules.modes]
    return tables.PUSH * sum(factors) // len(factors)


def choose_mode(rules: JassRules, seen: Observation) -> jax.Array:
    """Return the action that chooses the best mode, or pushes: int32 scalar."""
    first = seen.public.num_calls == 0
    values = estimates(rules, seen.hand, ~first)
    best, action = values[0], jnp.int32(calls.CHOOSE)
    for mode, value in zip(rules.modes[1:], values[1:], strict=True):
        better = value > best
        best = jnp.where(better, value, best)
        action = jnp.where(better, calls.choice_of(mode), action)
    if rules.push:
        action = jnp.where(first & (best < push_value(rules)), calls.PUSH, action)
    return fence(action)


def choose_prediction(rules: JassRules, seen: Observation) -> jax.Array:
    """Return the action that predicts the points of a hand (Differenzler): int32 scalar."""
    public = seen.public
    described = hand_features(rules, seen.hand)
    leads = (seen.player - public.dealer.astype(jnp.int32) - 1) & 3 == 0
    # The constant comes first, the worth of the lead last; Weis and Stöck have no rows.
    (_, value), *rows, (_, lead) = tables.PREDICTION
    expected = value + jnp.where(leads, lead, 0)
    for i, (_, worth) in enumerate(rows):
        # Only trump suits occur: select the features of the one that is trumps.
        part = described[NO_TRUMP - 1][i]
        for suit in range(NO_TRUMP - 1):
            part = jnp.where(public.mode == suit, described[suit][i], part)
        expected = expected + worth * part
    # Round to whole points.
    return calls.PREDICT + jnp.clip((expected + UNIT // 2) // UNIT, 0, CARD_POINTS)


def _bit(suit: jax.Array, rank: int) -> jax.Array:
    return ((suit >> rank) & 1).astype(jnp.int32)


def _count(suit: jax.Array) -> jax.Array:
    return jax.lax.population_count(suit).astype(jnp.int32)


def _added(features: list[list[jax.Array]]) -> list[jax.Array]:
    total = features[0]
    for more in features[1:]:
        total = [a + b for a, b in zip(total, more, strict=True)]
    return total


def _reversed(suit: jax.Array) -> jax.Array:
    turned = jnp.uint32(0)
    for rank in range(LANE):
        turned = turned | ((suit >> rank) & 1) << (LANE - 1 - rank)
    return turned
