"""A Jass position as 72 integers, the form of the public data set of Swisslos games.

| slice | content |
| --- | --- |
| 0-31 | cards of finished tricks in the order of play |
| 32-34 | cards of the current trick in the order of play |
| 35-43 | own hand, ascending |
| 44-52, 53-61, 62-70 | cards that the next player, the partner, the previous one have shown and hold |
| 71 | mode + 1; 0 before the choice |

A card is its number + 1; 0 stands for none. As one-hot vectors of 36 (of 6 for the mode) these are the
2562 inputs that networks for this data set use.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass.deck import DECK, HAND_SIZE, UNDECIDED
from jaxcards.games.jass.state import NUM_SEATS, Observation, Public

_FINISHED = 32
_ON_TABLE = 3


def swisslos_row(observation: Observation) -> jax.Array:
    """Return int32[72] for the observing player."""
    public = observation.public
    played = _in_order(public)
    order = jnp.arange(DECK.num_cards, dtype=jnp.uint32)
    finished = public.num_played >> 2 << 2
    past = jnp.where(order < finished, played, 0)[:_FINISHED]
    shifted = jnp.roll(jnp.where(order < public.num_played, played, 0), -finished.astype(jnp.int32))
    table = jnp.where(order[:_ON_TABLE] < (public.num_played & 3), shifted[:_ON_TABLE], 0)
    parts = [past, table, _ascending(observation.hand)]
    for k in range(1, NUM_SEATS):
        parts.append(_ascending(_known(observation, (observation.player + k) & 3)))
    mode = jnp.where(public.mode < UNDECIDED, public.mode + 1, 0).astype(jnp.int32)
    return jnp.concatenate([*parts, mode[None]])


def _known(observation: Observation, seat: jax.Array) -> CardSet:
    if observation.shown is None:
        return CardSet.empty(DECK)
    return by_seat(observation.shown, seat) - by_seat(observation.played_by, seat)


def _in_order(public: Public) -> jax.Array:
    """Return int32[36], the codes of the cards played; beyond them the entries mean nothing."""
    return history.cards(public.history, DECK.num_cards).astype(jnp.int32) + 1


def _ascending(hand: CardSet) -> jax.Array:
    """Return int32[9], the codes of at most nine cards in ascending order, then zeros."""
    none = DECK.num_cards + 1
    codes = jnp.where(hand.mask(), jnp.arange(1, none, dtype=jnp.int32), none)
    first = jnp.sort(codes)[:HAND_SIZE]
    return jnp.where(first < none, first, 0)
