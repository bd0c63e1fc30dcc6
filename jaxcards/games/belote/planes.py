"""A Belote position as a tensor of cards by seats, and a hand of the auction as one-hot vectors.

| row | seat | | plane | content |
| --- | --- | --- | --- | --- |
| 0 | partner | | 0 | available: 1 held for certain, 1/3 possibly |
| 1 | left opponent, who plays before | | 1 | unavailable: played in a finished trick |
| 2 | right opponent, who plays next | | 2 | on the table, except for the observer |
| 3 | the observer | | | |

The names left and right are those of a table at which the play goes round to the right. The card turned
up and an announced belote are not used.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote.deck import DECK
from jaxcards.games.belote.state import NO_SEAT, NUM_SEATS, Observation

_PLACES = (2, 3, 1)  # partner, left, right: places after the observer


class Planes(NamedTuple):
    """What a player knows of the cards, of trumps and of the bidder.

    Attributes:
      cards: float32[4, 3, 32], see the table of this module.
      trump: float32[4], one-hot by suit; zeros without a trump suit.
      bidder: float32[4], one-hot: the observer, right opponent, partner, left opponent; zeros before
        there is a bidder.
    """

    cards: jax.Array
    trump: jax.Array
    bidder: jax.Array


def row(observation: Observation) -> jax.Array:
    """Return float32[392]: the numbers of `Planes`, one field after the other."""
    return jnp.concatenate([field.reshape(-1) for field in planes(observation)])


def planes(observation: Observation) -> Planes:
    """Return the tensor of the observing player."""
    public = observation.public
    table = public.table_cards(DECK, NUM_SEATS)
    shown = observation.shown or (CardSet.empty(DECK),) * 4
    held = [a - b for a, b in zip(shown, observation.played_by, strict=True)]
    unknown = CardSet.full(DECK) - observation.hand
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
    nothing = jnp.zeros(DECK.num_cards, jnp.float32)
    rows.append([observation.hand.mask(), (own - table).mask(), nothing])
    bidder = observation.bidder.astype(jnp.int32)
    relative = jnp.where(bidder == NO_SEAT, NO_SEAT, (bidder - observation.player) & 3)
    return Planes(
        cards=jnp.stack([jnp.stack([plane.astype(jnp.float32) for plane in row]) for row in rows]),
        trump=(jnp.arange(4, dtype=jnp.uint32) == public.mode).astype(jnp.float32),
        bidder=(jnp.arange(4, dtype=jnp.int32) == relative).astype(jnp.float32),
    )


def hand_plane(observation: Observation) -> jax.Array:
    """Return float32[4, 8], the cards in hand by suit and rank: six in the auction of Bela."""
    return observation.hand.mask().reshape(4, DECK.ranks_per_suit).astype(jnp.float32)
