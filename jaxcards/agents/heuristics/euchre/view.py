"""One player's view of a Euchre trick: the unseen cards, their possible hands, the sides.

Suits are renamed so that clubs are trumps, as in `features.swap_word`. Trumps and the order of the
cards are then constants, and one set of rules serves every suit.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics import outlook
from jaxcards.agents.heuristics.outlook import Outlook
from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat, field, seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.euchre.features import first_suit, swap_bits, swap_word
from jaxcards.games.euchre.play import (
    EXCHANGE,
    HAND_SIZE,
    JACK,
    JOKER,
    NUM_SUITS,
    NUM_TRICKS,
    Observation,
    deck_of,
)
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import Seating, seating_of
from jaxcards.xla.fence import fence
from jaxcards.xla.lookup import lookup

LANE = 6
RIGHT, LEFT = JACK, 3 * LANE + JACK
TRUMPS = (0, 1, 3, 4, 5, LEFT, RIGHT, JOKER)
"""The trumps from the weakest, clubs being trumps."""

SUIT = np.array([0 if c in TRUMPS else c // LANE for c in range(JOKER + 1)], np.uint32)
"""The suit that each card belongs to: uint32[25]."""

# Only cards of one suit are compared, so other cards keep their numbers.
_STRENGTH = [TRUMPS.index(c) if c in TRUMPS else c for c in range(JOKER + 1)]
ABOVE = np.array(
    [
        sum(1 << d for d in range(JOKER + 1) if SUIT[d] == SUIT[c] and _STRENGTH[d] > _STRENGTH[c])
        for c in range(JOKER + 1)
    ],
    np.uint32,
)
"""For each card, the cards of its suit that beat it: uint32[25]."""

SUIT_WORDS = tuple(sum(1 << c for c in range(JOKER + 1) if SUIT[c] == s) for s in range(NUM_SUITS))
"""The cards of each suit as a word."""


@dataclasses.dataclass(frozen=True)
class View:
    """A player's view of the trick. Suits are renamed: clubs are trumps.

    Attributes:
      outlook: the trick, and the other seats in the order in which they play.
      first: uint32, the suit that became clubs.
      seat: uint32, the seat that acts.
      hand: the cards of this seat, which may be the open hand.
      attacks: bool, the player's side made trumps.
      maker: bool, this seat did.
      position: uint32, cards on the table.
      made, lost: uint32, tricks that the makers and the defenders have won.
    """

    outlook: Outlook
    first: jax.Array
    seat: jax.Array
    hand: CardSet
    attacks: jax.Array
    maker: jax.Array
    position: jax.Array
    made: jax.Array
    lost: jax.Array


def renamed(first: jax.Array, held: CardSet) -> CardSet:
    """Return a set of cards with the suits renamed, so that `first` becomes clubs. Its own inverse."""
    return CardSet(held.deck, [swap_word(first, held.words[0])])


def view_of(rules: EuchreRules, seen: Observation, legal: CardSet) -> View:
    """Return the view of the seat that acts, when cards are played.

    Args:
      rules: the rules.
      seen: the observation of the player to act.
      legal: the cards that it may choose, with their own suits.
    """
    public = seen.public
    seating, deck, call, table = seating_of(rules), deck_of(rules), public.calls, public.tricks
    first, me, number = fence(first_suit(seen)), call.seat, seating.num_seats
    # Sides have a bit for each seat.
    makers = jnp.uint32(1) << call.maker | seating.partner_bit(call.maker)
    everyone = jnp.uint32(seating.everyone)
    side = jnp.where((makers >> me) & 1 == 1, makers, everyone & ~makers)
    # The dummy plays its open hand.
    hand = seen.hand
    if seating.dummy_seat is not None:
        hand = sets.select(me == seating.dummy_seat, _open_hand(seen, seating), hand)
    hand = sets.fence_set(renamed(first, hand))
    others = [seat_after(me, k, number) for k in range(1, number)]
    unseen, seats = _seats(rules, seen, first, others, side)
    # Count the tricks of the makers among the complete ones.
    won = jnp.uint32(0)
    for trick in range(NUM_TRICKS):
        own = (makers >> field(table.winners, trick, 2)) & 1
        won = won + jnp.where(table.tricks > trick, own, 0)
    # The trick keeps only the strength of the winning card: find the card.
    empty = table.led == NO_SUIT
    suit, above = jnp.asarray(SUIT[: deck.num_cards]), (jnp.asarray(ABOVE[: deck.num_cards]),)
    best = fence(_best_card(table.best, (table.led ^ first) & 3))
    best_suit, best_above = outlook.winning(suit, above, deck, best)
    look = Outlook(
        hand=hand,
        legal=sets.fence_set(renamed(first, legal)),
        unseen=unseen,
        suit=suit,
        above=above,
        trump=jnp.uint32(0),
        led=jnp.where(empty, jnp.uint32(NO_SUIT), table.led ^ first),
        best_suit=best_suit,
        best_above=best_above,
        winner_ally=((side >> table.winner) & 1).astype(jnp.float32),
        seats=seats,
    )
    # Cards on the table: active seats that no longer wait.
    placed = jax.lax.population_count(call.active) - jax.lax.population_count(table.waiting)
    return View(
        outlook=look,
        first=first,
        seat=me,
        hand=hand,
        attacks=(makers >> me) & 1 == 1,
        maker=call.maker == me,
        position=jnp.where(empty, 0, placed),
        made=won,
        lost=table.tricks - won,
    )


def _best_card(best: jax.Array, led: jax.Array) -> jax.Array:
    """Return the card of the led suit, or the trump, of a strength; see `deck.suit_and_strength`."""
    # Strengths above TRUMP number the trumps; others are ranks of the led suit, from 1 on.
    trump = lookup(TRUMPS, jnp.subtract(best, TRUMP + 1) & 7)
    return jnp.where(best > TRUMP, trump, led * LANE + best - 1) & 31


def _open_hand(seen: Observation, seating: Seating) -> CardSet:
    """Return the cards that remain in the dummy's open hand."""
    assert seen.dummy is not None and seating.dummy_seat is not None
    return seen.dummy - seen.played_by[seating.dummy_seat]


def _seats(
    rules: EuchreRules,
    seen: Observation,
    first: jax.Array,
    others: list[jax.Array],
    side: jax.Array,
) -> tuple[CardSet, tuple[outlook.Seat, ...]]:
    """Return the cards that others may hold, and the facts about each other seat."""
    public = seen.public
    seating, deck, call = seating_of(rules), deck_of(rules), public.calls
    me = call.seat
    played = seen.played_by[0]
    for more in seen.played_by[1:]:
        played = played | more
    hidden = CardSet.full(deck) - seen.hand - seen.discards - played
    up = CardSet(deck, [jnp.uint32(1) << public.up_card])
    nothing = CardSet.empty(deck)
    dealer_plays = (call.active >> public.dealer) & 1 == 1
    # A card turned down is out of play. A card picked up is the dealer's, who rarely discards it.
    picked = sets.select(public.picked_up & dealer_plays, hidden & up, nothing)
    hidden = hidden - up
    # In a pool, the maker who takes the dummy may hold its cards; another dummy lies open.
    dummys = nothing
    opened = nothing
    if seating.pool:
        assert seen.dummy is not None
        takes = (call.alone == 0) & (call.phase >= EXCHANGE)
        if rules.mode == "dummy_pool":
            takes = takes & (call.maker == 0)
        dummys = sets.select(takes & (call.maker != me), hidden & seen.dummy, nothing)
        hidden = hidden - seen.dummy
    elif seating.dummy_seat is not None:
        opened = sets.select(me == seating.dummy_seat, seen.hand, _open_hand(seen, seating))
        hidden = hidden - _open_hand(seen, seating)
    # From here on all sets have renamed suits: a handful of words.
    hidden, picked, dummys, opened = (
        sets.fence_set(renamed(first, held)) for held in (hidden, picked, dummys, opened)
    )
    # A seat may hold the hidden cards, except those of suits in which it is known to be void.
    possible, sizes, plays, ally, shown = [], [], [], [], []
    for seat in others:
        active = (call.active >> seat) & 1 == 1
        voids = swap_bits(first, field(public.voids, seat, 4))
        held = hidden.words[0] | jnp.where(seat == public.dealer, picked.words[0], 0)
        held = held | jnp.where(seat == call.maker, dummys.words[0], 0)
        for suit, word in enumerate(SUIT_WORDS):
            held = held & ~jnp.where((voids >> suit) & 1 == 1, jnp.uint32(word), 0)
        is_open = jnp.zeros((), bool)
        if seating.dummy_seat is not None:
            dummy = seating.dummy_seat
            # The dummy lies open; while it acts, the player knows its own hand, that of seat 0.
            is_open = (seat == dummy) | ((me == dummy) & (seat == 0))
        left = HAND_SIZE - by_seat(seen.played_by, seat).count()
        possible.append(CardSet(deck, [fence(jnp.where(active & ~is_open, held, 0))]))
        sizes.append(jnp.where(active & ~is_open, left, 0))
        plays.append((public.tricks.waiting >> seat) & 1 == 1)
        ally.append(((side >> seat) & 1).astype(jnp.float32))
        shown.append(is_open & active)
    # Unseen cards are those that another seat may hold, an open hand included.
    unseen = opened if seating.dummy_seat is not None else nothing
    for cards_ in possible:
        unseen = unseen | cards_
    # Cards that fit into no hand are aside.
    in_hands = sizes[0]
    for size in sizes[1:]:
        in_hands = in_hands + size
    pool = hidden | picked | dummys
    aside = jnp.maximum(pool.count() - in_hands, 0)
    classes = [pool & CardSet(deck, [jnp.uint32(word)]) for word in SUIT_WORDS]
    found = outlook.seats(classes, possible, sizes, plays, ally, aside)
    if seating.dummy_seat is not None:
        found = tuple(
            outlook.laid_open(seat, opened, SUIT_WORDS, is_open)
            for seat, is_open in zip(found, shown, strict=True)
        )
    return sets.fence_set(unseen), found
