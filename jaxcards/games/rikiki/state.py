"""The state of a deal of Rikiki, what a player sees of it, and how both are packed."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards.history import last_cards
from jaxcards.cards.seats import by_seat, field, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.cards.tricks import Trick, unpack
from jaxcards.games.rikiki.deck import DECK
from jaxcards.stages import Staged
from jaxcards.xla.pytrees import pytree

VOID_BITS = 4  # a seat, one for each suit


def count_bits(num_players: int) -> int:
    """Returns how many bits of a word each seat has for a number of tricks, at most 52 / players."""
    return 32 // num_players


@pytree
@dataclasses.dataclass(frozen=True)
class Public:
    """What everybody sees of a deal (docs/rikiki.md, 9.1); every leaf is a scalar.

    Seats are absolute. The order of all cards played is in it: nothing is forgotten.

    Attributes:
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far.
      num_bids: uint32, bids made so far; `has_bid` says by whom.
      bids: uint32, `count_bits` a seat: what each seat has bid; 0 before that, too.
      tricks_won: uint32, `count_bits` a seat.
      table: uint32, the trick on the table; see `tricks.pack`. Its points are the number of its cards.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
      hand_size: uint32, cards dealt to each seat; constant.
      trump: uint32, 0 to 3, or 4 for no trump; constant.
      turnup: uint8, the card turned up, or 52 for none; constant.
      dealer: uint8, the seat that dealt.
      round: uint8, the number of the deal in the schedule.
      totals: int32 for each seat, the match totals before the deal; None with a single round.
    """

    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    num_bids: jax.Array
    bids: jax.Array
    tricks_won: jax.Array
    table: jax.Array
    voids: jax.Array
    hand_size: jax.Array
    trump: jax.Array
    turnup: jax.Array
    dealer: jax.Array
    round: jax.Array
    totals: tuple[jax.Array, ...] | None

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return unpack(self.table)


@pytree
@dataclasses.dataclass(frozen=True)
class State(Staged):
    """A deal of Rikiki; every leaf is a scalar (a batch axis comes from `jax.vmap`).

    Attributes:
      public: what everybody sees.
      hands: the cards dealt to each seat; constant.
      played: all cards played, those on the table included.
      bid_total: uint32, the sum of the bids.
      ends_early: whether other rounds have larger hands (static).
    """

    public: Public
    hands: tuple[CardSet, ...]
    played: CardSet
    bid_total: jax.Array
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=True)

    @property
    def num_players(self) -> int:
        return len(self.hands)

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        return self.public.num_played == self.public.hand_size * self.num_players

    @property
    def playing(self) -> jax.Array:
        """bool: all bids are made."""
        return self.public.num_bids == self.num_players


@pytree
@dataclasses.dataclass(frozen=True)
class Observation:
    """All that a player may know at a moment of a deal; every leaf is a scalar.

    Attributes:
      public: what everybody sees.
      player: int32, whose view this is.
      hand: the cards that the player holds.
      played_by: for each seat, the cards that it has played.
    """

    public: Public
    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]

    @property
    def num_players(self) -> int:
        return len(self.played_by)


def observe(state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    player = jnp.asarray(player, jnp.int32)
    return Observation(
        public=state.public,
        player=player,
        hand=by_seat(state.hands, player) - state.played,
        played_by=tuple(hand & state.played for hand in state.hands),
    )


def unseen_cards(observation: Observation) -> CardSet:
    """Returns the cards of which the player knows no place: hands of others and cards not dealt."""
    turnup = CardSet.single(DECK, observation.public.turnup)
    unseen = CardSet.full(DECK) - observation.hand - turnup
    for played in observation.played_by:
        unseen = unseen - played
    return unseen


def table_cards(public: Public, num_players: int) -> CardSet:
    """Returns the cards on the table."""
    on_table = public.trick.points
    return last_cards(public.history, DECK, public.num_played, on_table, num_players - 1)


def bid_of(bids: jax.Array, seat: int | jax.Array, num_players: int) -> jax.Array:
    """Returns the bid of a seat, of the word `Public.bids`: uint32."""
    return field(bids, seat, count_bits(num_players))


def tricks_of(tricks_won: jax.Array, seat: int | jax.Array, num_players: int) -> jax.Array:
    """Returns the tricks that a seat has won, of the word `Public.tricks_won`: uint32."""
    return field(tricks_won, seat, count_bits(num_players))


def has_bid(
    seat: int | jax.Array, dealer: jax.Array, num_bids: jax.Array, num_players: int
) -> jax.Array:
    """Returns whether a seat has made its bid: bool. The seat after the dealer bids first."""
    first = seat_after(dealer.astype(jnp.uint32), 1, num_players)
    return places_after(first, seat, num_players) < num_bids
