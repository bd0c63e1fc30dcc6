"""The state of a deal of tricks, its public part, and the observation of one player."""

import dataclasses
from functools import reduce
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import history, tricks
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet, Deck
from jaxcards.stages import Staged
from jaxcards.xla.pytrees import pytree


@pytree
@dataclasses.dataclass(frozen=True)
class TrickPublic:
    """The public part of a deal of tricks; every leaf is a scalar. Games add their own fields.

    Seats are absolute. The full order of the cards played is kept.

    Attributes:
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far.
      table: uint32, the trick on the table; see `jaxcards.cards.tricks.pack`.
    """

    history: history.Packed
    current_player: jax.Array
    num_played: jax.Array
    table: jax.Array

    @property
    def trick(self) -> tricks.Trick:
        """The trick on the table."""
        return tricks.unpack(self.table)

    def table_cards(self, deck: Deck, num_seats: int) -> CardSet:
        """Return the cards on the table, except cards that lie face down."""
        on_table = self.num_played % num_seats
        # A complete trick is cleared at once, so at most num_seats - 1 cards lie on the table.
        return history.last_cards(self.history, deck, self.num_played, on_table, num_seats - 1)


def first_public(num_plays: int, player: jax.Array) -> dict[str, Any]:
    """Return the fields of a `TrickPublic` before the first card.

    Args:
      num_plays: static, the largest number of cards played in a deal.
      player: integer scalar, the seat that acts first.
    """
    return {
        "history": history.empty(num_plays),
        "current_player": player.astype(jnp.int32),
        "num_played": jnp.uint32(0),
        "table": jnp.uint32(tricks.EMPTY_TABLE),
    }


@pytree
@dataclasses.dataclass(frozen=True)
class TrickState(Staged):
    """A deal of tricks; every leaf is a scalar. Games add their own fields.

    The defaults are those of a game without calls, in which every card of the deck is played.

    Attributes:
      public: the part that everybody sees.
      hands: the cards dealt to each seat; constant.
      played: all cards played, those on the table included.
    """

    public: Any
    hands: tuple[CardSet, ...]
    played: CardSet

    ends_early = False

    @property
    def playing(self) -> jax.Array:
        """bool: the calls are over."""
        return jnp.ones((), bool)

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        # Hands are equal, and each card of them is played.
        seats = len(self.hands)
        # The rounded division leaves out the cards that equal hands do not use.
        return self.public.num_played == self.played.deck.num_cards // seats * seats

    def hand_of(self, seat: jax.Array) -> CardSet:
        """Return the cards that a seat holds."""
        return by_seat(self.hands, seat) - self.played

    @property
    def played_by(self) -> tuple[CardSet, ...]:
        """For each seat, the cards that it has played."""
        return tuple(hand & self.played for hand in self.hands)


@pytree
@dataclasses.dataclass(frozen=True)
class TrickObservation:
    """All that a player may know at a moment of a deal. Games add their own fields.

    Attributes:
      public: the part that everybody sees.
      player: int32, the observing player.
      hand: the cards that the player holds.
      played_by: for each seat, the cards that it has played.
    """

    public: Any
    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]

    @property
    def played(self) -> CardSet:
        """All cards played."""
        return reduce(CardSet.__or__, self.played_by)

    @property
    def unseen(self) -> CardSet:
        """The cards that are hidden from the player: not in its hand and not seen played."""
        return CardSet.full(self.hand.deck) - self.hand - self.played


def observed(state: TrickState, player: Any) -> dict[str, Any]:
    """Return the fields of the `TrickObservation` of a player."""
    player = jnp.asarray(player, jnp.int32)
    return {
        "public": state.public,
        "player": player,
        "hand": state.hand_of(player),
        "played_by": state.played_by,
    }
