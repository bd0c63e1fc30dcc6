"""How a deal of Belote stands for one player: the trick, what cards are worth, who holds what."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristic.outlook import Outlook, masks_of, seats, showing
from jaxcards.cards import sets
from jaxcards.cards.history import card_at
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP, RankOrder
from jaxcards.games.belote.deck import (
    ALL_TRUMP,
    ALL_TRUMP_POINTS,
    DECK,
    HAND_SIZE,
    NO_TRUMP,
    NO_TRUMP_POINTS,
    NUM_TRICKS,
    PLAIN_ORDER,
    PLAIN_POINTS,
    TRUMP_ORDER,
    TRUMP_POINTS,
)
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import NUM_SEATS, Observation, Public
from jaxcards.xla.fence import fence
from jaxcards.xla.lookup import lookup_in

LANE = DECK.ranks_per_suit
NUM_SUITS = len(DECK.suits)
SUIT = np.repeat(np.arange(NUM_SUITS, dtype=np.uint32), LANE)
RANK = np.tile(np.arange(LANE, dtype=np.uint32), NUM_SUITS)


def _strength(order: RankOrder) -> np.ndarray:
    return np.array([order.low_to_high.index(DECK.ranks[rank]) for rank in RANK], np.uint32)


def _above(order: RankOrder) -> np.ndarray:
    strength = _strength(order)
    beats = (SUIT[:, None] == SUIT) & (strength > strength[:, None])
    return masks_of(DECK, beats)[0]


TRUMP_STRENGTH = _strength(TRUMP_ORDER)
_ABOVE_PLAIN, _ABOVE_TRUMP = _above(PLAIN_ORDER), _above(TRUMP_ORDER)


@dataclasses.dataclass(frozen=True)
class View:
    """A player's view of the play.

    Attributes:
      outlook: the trick; the other seats are the next player, the partner and the previous player.
      value: float32[32], points of each card.
      high: bool[32], the card has its place in the order of trumps.
      is_trump: bool[32], the card is a trump that ruffs.
      number: float32[32], own cards in the suit of each card.
      trumps: float32, own trumps.
      position: uint32, cards on the table.
      left: float32, cards in the own hand.
      from_bidder: uint32, places from the bidder to this player: 0 is the bidder, 2 its partner.
    """

    outlook: Outlook
    value: jax.Array
    high: jax.Array
    is_trump: jax.Array
    number: jax.Array
    trumps: jax.Array
    position: jax.Array
    left: jax.Array
    from_bidder: jax.Array


def view_of(rules: BeloteRules, seen: Observation, legal: CardSet) -> View:
    """Returns the view of the player whose observation this is.

    Args:
      rules: the rules.
      seen: what the player knows.
      legal: the cards that it may play; empty during the auction.
    """
    public = seen.public
    hand = sets.fence_set(seen.hand)
    is_trump = public.mode == SUIT
    high = is_trump | (public.mode == ALL_TRUMP) if rules.modes_nt_at else is_trump
    counts = [jax.lax.population_count(hand.suit(suit)) for suit in range(NUM_SUITS)]
    number, trumps = jnp.zeros(DECK.num_cards, jnp.float32), jnp.uint32(0)
    for suit, count in enumerate(counts):
        number = jnp.where(suit == SUIT, count.astype(jnp.float32), number)
        trumps = jnp.where(public.mode == suit, count, trumps)
    return View(
        outlook=_outlook(seen, hand, sets.fence_set(legal), high),
        value=_values(rules, public.mode, high),
        high=high,
        is_trump=is_trump,
        number=number,
        trumps=fence(trumps).astype(jnp.float32),
        position=fence(public.num_played & 3),
        left=hand.count().astype(jnp.float32),
        from_bidder=fence((seen.player.astype(jnp.uint32) - seen.bidder.astype(jnp.uint32)) & 3),
    )


def _outlook(seen: Observation, hand: CardSet, legal: CardSet, high: jax.Array) -> Outlook:
    public = seen.public
    me = seen.player.astype(jnp.uint32)
    played = seen.played_by[0]
    for others in seen.played_by[1:]:
        played = played | others
    unseen = sets.fence_set(CardSet.full(DECK) - hand - played)
    sure = [known_cards(seen, (me + places) & 3) & unseen for places in (1, 2, 3)]
    free = sets.fence_set(unseen - sure[0] - sure[1] - sure[2])
    possible, sizes = [], []
    for places, shown in zip((1, 2, 3), sure, strict=True):
        seat = (me + places) & 3
        possible.append(sets.fence_set(free - by_seat(public.lacks, seat)))
        size = HAND_SIZE - by_seat(seen.played_by, seat).count() - shown.count()
        sizes.append(fence(jnp.maximum(size, 0)))
    classes = [CardSet.suit_of(DECK, jnp.uint32(suit)) for suit in range(NUM_SUITS)]
    position = public.num_played & 3
    behind = seats(
        unseen=[free & suit for suit in classes],
        possible=possible,
        sizes=sizes,
        plays=[places <= 3 - position for places in (1, 2, 3)],
        ally=(0.0, 1.0, 0.0),
    )
    return Outlook(
        hand=hand,
        legal=legal,
        unseen=unseen,
        suit=jnp.asarray(SUIT),
        above=(jnp.where(high, _ABOVE_TRUMP, _ABOVE_PLAIN),),
        trump=jnp.where(public.mode < NO_TRUMP, public.mode, NO_SUIT).astype(jnp.uint32),
        led=public.trick.led,
        best=_best_card(public),
        winner_ally=(public.trick.winner == ((me + 2) & 3)).astype(jnp.float32),
        seats=tuple(
            showing(seat, sets.fence_set(s), classes) for seat, s in zip(behind, sure, strict=True)
        ),
    )


def known_cards(seen: Observation, seat: jax.Array) -> CardSet:
    """Returns cards that a seat is known to have been dealt: laid open, announced or turned up."""
    known = CardSet.empty(DECK)
    for announced in (seen.shown, seen.belote):
        if announced is not None:
            known = known | by_seat(announced, seat)
    if seen.turn_up is not None:
        taken = CardSet.single(DECK, seen.turn_up.astype(jnp.uint32))
        known = known | sets.select(seen.bidder == seat, taken, CardSet.empty(DECK))
    return known


def _best_card(public: Public) -> jax.Array:
    """Returns the card that is winning the trick: uint32; no card while the table is empty."""
    trick = public.trick
    ruffed = trick.best > TRUMP
    strength = (trick.best & (TRUMP - 1)) - (trick.best > 0).astype(jnp.uint32)
    tables = [[DECK.ranks.index(rank) for rank in o.low_to_high] for o in (TRUMP_ORDER, PLAIN_ORDER)]
    rank = lookup_in(tables, [ruffed | (public.mode == ALL_TRUMP)], strength)
    suit = jnp.where(ruffed, public.mode, trick.led)
    return fence(jnp.where(trick.best > 0, suit * LANE + rank, DECK.num_cards))


def _values(rules: BeloteRules, mode: jax.Array, high: jax.Array) -> jax.Array:
    plain, trumps, no_trump, all_trump = (
        jnp.asarray(np.tile(np.array(points, np.float32), NUM_SUITS))
        for points in (PLAIN_POINTS, TRUMP_POINTS, NO_TRUMP_POINTS, ALL_TRUMP_POINTS)
    )
    values = jnp.where(high, trumps, plain)
    if rules.modes_nt_at:
        values = jnp.where(mode == NO_TRUMP, no_trump, values)
        values = jnp.where(mode == ALL_TRUMP, all_trump, values)
    return values


def suits_led(seen: Observation) -> tuple[jax.Array, jax.Array]:
    """Returns the suits that the partner, and that an opponent, has led: uint32, bit s for suit s."""
    public = seen.public
    me = seen.player.astype(jnp.uint32)
    leader = public.forehand
    partners, opponents = jnp.uint32(0), jnp.uint32(0)
    for trick in range(NUM_TRICKS):
        if trick:
            leader = field(public.winners, trick - 1, 2)
        suit, _ = DECK.suit_and_rank(card_at(public.history, NUM_SEATS * trick))
        led = jnp.where(public.num_played > NUM_SEATS * trick, jnp.uint32(1) << suit, 0)
        partners = partners | jnp.where(leader == ((me + 2) & 3), led, 0)
        opponents = opponents | jnp.where((leader ^ me) & 1 == 1, led, 0)
    return fence(partners), fence(opponents)
