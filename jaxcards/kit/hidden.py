"""The possible places of hidden cards, from the play so far."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.kit.state import TrickObservation


def possible_cards(
    seen: TrickObservation, unseen: CardSet, voids: jax.Array, hand_size: int | jax.Array,
    excused: CardSet | None = None,
) -> tuple[list[CardSet], list[jax.Array]]:  # fmt: skip
    """Return the unseen cards that each seat may hold, and the number it holds: int32.

    The entries of the player's own seat are undefined.

    Args:
      seen: the observation of a player.
      unseen: the cards whose place the player does not know.
      voids: uint32, bit num_suits * seat + suit: the seat is known to be void in the suit.
      hand_size: cards dealt to each seat.
      excused: cards that a void does not exclude, because they need not follow suit.
    """
    deck = unseen.deck
    num_suits = len(deck.suits)
    allowed, sizes = [], []
    for seat, played in enumerate(seen.played_by):
        possible = unseen
        for suit in range(num_suits):
            lacks = (field(voids, seat, num_suits) >> suit) & 1 == 1
            cards = CardSet.suit_of(deck, jnp.uint32(suit))
            if excused is not None:
                cards = cards - excused
            possible = sets.select(lacks, possible - cards, possible)
        allowed.append(possible)
        sizes.append(hand_size - played.count())
    return allowed, sizes


def dealt_hands(held: Sequence[CardSet], seen: TrickObservation) -> tuple[CardSet, ...]:
    """Return the cards dealt to each seat: those that it holds, and those that it has played."""
    return tuple(a | b for a, b in zip(held, seen.played_by, strict=True))
