"""How a Jass trick stands for one player: what is unseen, who may hold it, which cards can be beaten.

All cards are put in the order of strength first: bit k of a suit's lane is the (k+1)-th weakest card
of the suit in the trick that is being played, whatever the mode. Then "every card above this one"
is a constant mask, and the same few rules serve trumps, plain suits, top-down and bottom-up.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.history import card_at
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet, fence_set
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.jass.deck import (
    DECK,
    JACK,
    NO_TRUMP,
    OBENABE_POINTS,
    PLAIN_ORDER,
    PLAIN_POINTS,
    SLALOM_BOTTOM,
    SLALOM_TOP,
    TRUMP_ORDER,
    TRUMP_POINTS,
    UNDENUFE,
    UNDENUFE_POINTS,
)
from jaxcards.games.jass.state import NUM_SEATS, Observation
from jaxcards.xla.fence import fence
from jaxcards.xla.lookup import lookup_in

LANE = DECK.ranks_per_suit
LANE_MASK = (1 << LANE) - 1
NUM_SUITS = len(DECK.suits)
CERTAIN = 127  # chances are ints from 0 to 127, so that four of them fit into a fenced word
CHANCE_BITS = 7

SUIT = np.repeat(np.arange(NUM_SUITS, dtype=np.uint32), LANE)
STRENGTH = np.tile(np.arange(LANE, dtype=np.uint32), NUM_SUITS)
BIT = (np.arange(DECK.num_cards) % DECK.word_bits).astype(np.uint32)
ABOVE = (((LANE_MASK << (STRENGTH + 1)) & LANE_MASK) << (LANE * (SUIT % 2))).astype(np.uint32)
FIRST_WORD = SUIT < 2

# Chance that none of n unseen cards is in one hand, if three, two or one hidden hands may hold them.
_NONE_OF = [
    [min(CERTAIN, round(128 * (1 - 1 / hands) ** n)) for n in range(LANE + 1)] for hands in (3, 2, 1)
]


@dataclasses.dataclass(frozen=True)
class Seat:
    """What is known of another player; sets in order of strength.

    Attributes:
      possible: unseen cards that the player may hold.
      sure: cards that the player is known to hold (from Weis laid open).
      void: for each suit the chance that the player has none, seven bits a suit, in one word.
      trump: chance that the player has a trump.
      void_suits: bit s if the play has shown that suit s is missing.
    """

    possible: CardSet
    sure: CardSet
    void: jax.Array
    trump: jax.Array
    void_suits: jax.Array


@dataclasses.dataclass(frozen=True)
class View:
    """A player's view of the trick; sets in order of strength.

    Attributes:
      hand, legal, unseen: cards held, cards that may be played, cards in hidden hands.
      seats: the next player, the partner and the previous player.
      holders: for each suit the number of hidden hands that may hold it, seven bits a suit.
      trump: bool, the mode has a trump suit; trump_suit: uint32, `NO_TRUMP` or above without one.
      reversed: bool, low cards are high in this trick.
      position: uint32, cards on the table.
      best_suit, best_strength: the winning card on the table (meaningless on an empty one).
      led: the suit led.
      partner_wins: bool, the winning card on the table is the partner's.
    """

    hand: CardSet
    legal: CardSet
    unseen: CardSet
    seats: tuple[Seat, Seat, Seat]
    holders: jax.Array
    trump: jax.Array
    trump_suit: jax.Array
    reversed: jax.Array
    position: jax.Array
    best_suit: jax.Array
    best_strength: jax.Array
    led: jax.Array
    partner_wins: jax.Array


def view_of(seen: Observation, legal: CardSet) -> View:
    """Returns the view of the player whose observation this is."""
    public = seen.public
    order = _Order(seen)
    me = seen.player.astype(jnp.uint32)
    played = seen.played_by[0] | seen.played_by[1] | seen.played_by[2] | seen.played_by[3]
    unseen = order.sort(CardSet.full(DECK) - seen.hand - played)
    jack = CardSet.in_suit(DECK, public.mode, jnp.uint32(1 << (LANE - 1)))
    voids = [field(public.voids, (me + k) & 3, 4) for k in (1, 2, 3)]
    sure = [CardSet.empty(DECK)] * 3
    if seen.shown is not None:
        sure = [order.sort(by_seat(seen.shown, (me + k) & 3)) & unseen for k in (1, 2, 3)]
    holders = jnp.uint32(0)
    for suit in range(NUM_SUITS):
        number = jnp.uint32(3) - sum((void >> suit) & 1 for void in voids)
        holders = holders | number << (CHANCE_BITS * suit)
    holders = fence(holders)
    seats = []
    for k in range(3):
        others = sure[(k + 1) % 3] | sure[(k + 2) % 3]
        seats.append(_seat(public.mode, unseen - others, sure[k], voids[k], jack, holders))
    trick = public.trick
    is_trump = trick.best > TRUMP
    return View(
        hand=fence_set(order.sort(seen.hand)),
        legal=fence_set(order.sort(legal)),
        unseen=fence_set(unseen),
        seats=(seats[0], seats[1], seats[2]),
        holders=holders,
        trump=public.mode < NO_TRUMP,
        trump_suit=public.mode,
        reversed=order.reversed,
        position=public.num_played & 3,
        best_suit=jnp.where(is_trump, public.mode, trick.led),
        best_strength=trick.best - jnp.where(is_trump, TRUMP + 1, 1).astype(jnp.uint32),
        led=trick.led,
        partner_wins=trick.winner == ((me + 2) & 3),
    )


def _seat(
    mode: jax.Array,
    free: CardSet,
    sure: CardSet,
    void_suits: jax.Array,
    jack: CardSet,
    holders: jax.Array,
) -> Seat:
    lanes = [jnp.where((void_suits >> s) & 1, 0, LANE_MASK).astype(jnp.uint32) for s in range(4)]
    allowed = CardSet(DECK, [lanes[0] | lanes[1] << LANE, lanes[2] | lanes[3] << LANE])
    possible = fence_set((free & (allowed | jack)) | sure)
    void, has_trump = jnp.uint32(0), jnp.uint32(0)
    for suit in range(NUM_SUITS):
        number = jax.lax.population_count(possible.suit(suit))
        chance = none_of(number, (holders >> (CHANCE_BITS * suit)) & 3)
        chance = jnp.where(sure.suit(suit) != 0, 0, chance).astype(jnp.uint32)
        void = void | chance << (CHANCE_BITS * suit)
        has_trump = jnp.where(mode == suit, CERTAIN - chance, has_trump)
    return Seat(possible, fence_set(sure), fence(void), fence(has_trump), void_suits)


def none_of(number: jax.Array, holders: jax.Array) -> jax.Array:
    """Returns the chance that a hand has none of some unseen cards: uint32, 0 to 127.

    Args:
      number: how many cards, 0 to 9.
      holders: how many hidden hands may hold them. Hands count as equally long, cards as independent.
    """
    return lookup_in(_NONE_OF, [holders >= 3, holders == 2], number)


def beaten(view_: View, seat: Seat, suit: jax.Array, above: jax.Array, leading: jax.Array,
           ruffs: int | jax.Array, overruffs: int | jax.Array) -> jax.Array:  # fmt: skip
    """Returns the chance that a player beats given cards: int32[36], 0 to 127.

    Args:
      seat: the player, who has not yet played to the trick.
      suit: uint32[36], the suit of each card, which would be the winning one.
      above: uint32[36], the cards of that suit above it, as bits of the suit's word.
      leading: bool, the card is led (else the suit to follow is the one on the table).
      ruffs: chance that a player who could follow ruffs; overruffs: the same for a higher ruff.
    """
    first = suit < 2
    candidates = jnp.where(first, seat.possible.words[0], seat.possible.words[1]) & above
    sure = (jnp.where(first, seat.sure.words[0], seat.sure.words[1]) & above) != 0
    holders = (view_.holders >> (suit * CHANCE_BITS)) & 3
    none = none_of(jax.lax.population_count(candidates), holders).astype(jnp.int32)
    higher = CERTAIN - jnp.where(sure, 0, none)
    led = jnp.where(leading, suit, view_.led)
    void = ((seat.void >> (led * CHANCE_BITS)) & CERTAIN).astype(jnp.int32)
    is_trump = suit == view_.trump_suit
    ruffing = void + ((CERTAIN - void) * ruffs >> CHANCE_BITS)
    with_ruff = higher + ((CERTAIN - higher) * (ruffing * seat.trump.astype(jnp.int32) >> 7) >> 7)
    overruffing = void + ((CERTAIN - void) * overruffs >> CHANCE_BITS)
    with_overruff = jnp.where(led == suit, higher, higher * overruffing >> CHANCE_BITS)
    return jnp.where(is_trump, with_overruff, with_ruff)


def lanes(cards_: CardSet) -> jax.Array:
    """Returns int32[36]: 1 for the cards of a set, 0 for the others."""
    word = jnp.where(FIRST_WORD, cards_.words[0], cards_.words[1])
    return ((word >> BIT) & 1).astype(jnp.int32)


def of_suit(values: jax.Array, bits: int) -> jax.Array:
    """Returns int32[36]: for each card the entry of its suit in a word of four entries."""
    return ((values >> (SUIT * bits)) & ((1 << bits) - 1)).astype(jnp.int32)


def points(view_: View, mode: jax.Array) -> jax.Array:
    """Returns int32[36]: the points of the card of each suit and strength."""
    tables = []
    for ranks in (PLAIN_POINTS, OBENABE_POINTS, UNDENUFE_POINTS):
        upward = _by_strength(ranks, PLAIN_ORDER.low_to_high)
        tables.append((upward, upward[::-1].copy()))
    trumps = np.tile(_by_strength(TRUMP_POINTS, TRUMP_ORDER.low_to_high), NUM_SUITS)
    plain, top, bottom = [
        jnp.where(view_.reversed, np.tile(down, NUM_SUITS), np.tile(up, NUM_SUITS))
        for up, down in tables
    ]
    downward = (mode == UNDENUFE) | (mode == SLALOM_BOTTOM)
    suited = jnp.where(view_.trump_suit == SUIT, trumps, plain)
    return jnp.where(view_.trump, suited, jnp.where(downward, bottom, top))


def to_card(view_: View, index: jax.Array) -> jax.Array:
    """Returns the card number of an index in order of strength: int32."""
    index = index.astype(jnp.uint32)
    suit = jnp.uint32(0)
    for first in (LANE, 2 * LANE, 3 * LANE):
        suit = suit + (index >= first).astype(jnp.uint32)
    strength = index - suit * LANE
    upward = [DECK.ranks.index(rank) for rank in PLAIN_ORDER.low_to_high]
    trumps = [DECK.ranks.index(rank) for rank in TRUMP_ORDER.low_to_high]
    tables = [trumps, upward[::-1], upward]
    conditions = [jnp.equal(suit, view_.trump_suit), view_.reversed]
    rank = lookup_in(tables, conditions, strength)
    return (suit * LANE + rank).astype(jnp.int32)


def suits_led(seen: Observation, seat: jax.Array, leader: jax.Array) -> jax.Array:
    """Returns the suits that a player has led so far: uint32, bit s for suit s.

    Args:
      seat: uint32, the player; leader: uint32, who led the first trick.
    """
    public = seen.public
    suits = jnp.uint32(0)
    for trick in range(LANE):
        index = NUM_SEATS * trick
        if trick:
            leader = field(public.winners, trick - 1, 2)
        suit, _ = DECK.suit_and_rank(card_at(public.history, index))
        counts = (leader == seat) & (public.num_played > index)
        suits = suits | jnp.where(counts, jnp.uint32(1) << suit, 0)
    return fence(suits)


def reverse_lanes(word: jax.Array) -> jax.Array:
    """Turns every suit's lane of a word upside down."""
    turned = word & _both(1 << 4)
    for k in range(4):
        distance = LANE - 1 - 2 * k
        turned = turned | (word >> distance) & _both(1 << k) | (word & _both(1 << k)) << distance
    return turned


class _Order:
    """Sorts sets of cards by strength in the current trick."""

    def __init__(self, seen: Observation) -> None:
        public = seen.public
        odd = (public.num_played >> 2) & 1
        slalom = (public.mode == SLALOM_TOP) | (public.mode == SLALOM_BOTTOM)
        self.reversed = (public.mode == UNDENUFE) | (slalom & ((public.mode & 1) != odd))
        self._trumps = CardSet.suit_of(DECK, public.mode)

    def sort(self, cards_: CardSet) -> CardSet:
        words = []
        for word, trumps in zip(cards_.words, self._trumps.words, strict=True):
            plain = jnp.where(self.reversed, reverse_lanes(word), word)
            words.append((plain & ~trumps) | (_by_trump_order(word) & trumps))
        return CardSet(DECK, words)


def _by_trump_order(word: jax.Array) -> jax.Array:
    """Moves each rank to its place in the trump order, in every lane."""
    moved: dict[int, int] = {}
    for strength, rank in enumerate(TRUMP_ORDER.low_to_high):
        place = DECK.ranks.index(rank)
        moved[strength - place] = moved.get(strength - place, 0) | 1 << place
    result = jnp.uint32(0)
    for distance, ranks in moved.items():
        part = word & _both(ranks)
        result = result | (part << distance if distance >= 0 else part >> -distance)
    return result


def _by_strength(by_rank: tuple[int, ...], low_to_high: str) -> np.ndarray:
    return np.array([by_rank[DECK.ranks.index(rank)] for rank in low_to_high], np.int32)


def _both(ranks: int) -> int:
    return ranks | ranks << LANE


assert TRUMP_ORDER.low_to_high[-1] == DECK.ranks[JACK]  # `view` puts the jack of trumps on top
