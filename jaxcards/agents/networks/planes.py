"""The planes of Belote: cards by seats as numbers, an input of networks other than features."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet

_SEATS = 4
_PLACES = (2, 3, 1)  # partner, left, right: places after the observer


class Planes(NamedTuple):
    """The knowledge of a player about cards, trumps and the bidder (docs/belote.md, 7.3)."""

    cards: jax.Array  # float32[4, 3, 32]: partner, left, right, observer; see `planes`
    trump: jax.Array  # float32[4], one-hot by suit; zeros without a trump suit
    # float32[4], one-hot: the observer, right opponent, partner, left opponent; zeros before there is a
    # bidder.
    bidder: jax.Array


def planes_row(observation: Any) -> jax.Array:
    """Return float32[392]: the numbers of `Planes`, one field after the other."""
    return jnp.concatenate([field.reshape(-1) for field in planes(observation)])


def planes(observation: Any) -> Planes:
    """Return cards available (1 held for certain, 1/3 possibly), gone in tricks, and on the table."""
    public, deck = observation.public, observation.hand.deck
    table = public.table_cards(deck, _SEATS)
    shown = observation.shown or (CardSet.empty(deck),) * _SEATS
    # Cards laid open that are still in a hand.
    held = [a - b for a, b in zip(shown, observation.played_by, strict=True)]
    # Cards of unknown place count for a third in each of the other hands.
    unknown = CardSet.full(deck) - observation.hand
    for known in (*observation.played_by, *held):
        unknown = unknown - known
    rows = []
    for places in _PLACES:
        seat = (observation.player + places) & 3
        played = by_seat(observation.played_by, seat)
        shown_now, maybe = (c.mask().astype(jnp.float32) for c in (by_seat(held, seat), unknown))
        available = shown_now + maybe / 3
        rows.append([available, (played - table).mask(), (played & table).mask()])
    own = by_seat(observation.played_by, observation.player)
    nothing = jnp.zeros(deck.num_cards, jnp.float32)
    rows.append([observation.hand.mask(), (own - table).mask(), nothing])
    bidder = observation.bidder.astype(jnp.int32)
    # Before there is a bidder its number is 4, which matches no seat.
    relative = jnp.where(bidder < _SEATS, (bidder - observation.player) & 3, _SEATS)
    return Planes(
        cards=jnp.stack([jnp.stack([plane.astype(jnp.float32) for plane in row]) for row in rows]),
        trump=(jnp.arange(4, dtype=jnp.uint32) == public.mode).astype(jnp.float32),
        bidder=(jnp.arange(4, dtype=jnp.int32) == relative).astype(jnp.float32),
    )
