"""What a Rikiki player sees (contract section 9)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards.history import last_cards
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.cards.tricks import Trick, unpack
from jaxcards.games.rikiki.deck import DECK
from jaxcards.games.rikiki.state import State


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """All that a player may know at a moment of a deal; every leaf is a scalar.

    Seats are absolute. The order of all cards played is in it: nothing is forgotten.

    Attributes:
      player: int32, whose view this is.
      hand: the cards that the player holds.
      played_by: for each seat, the cards that it has played.
      history: uint32 words, the cards in the order of play; see `State.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far.
      num_bids: uint32, bids made so far; `state.has_bid` says by whom.
      bids: uint32, `state.count_bits` a seat: the bids made.
      tricks_won: uint32, `state.count_bits` a seat: tricks won so far.
      table: uint32, the trick on the table; see `State.table`.
      voids: uint32, bit 4 * seat + suit: known to have no card of the suit; see `State.voids`.
      hand_size: uint32, cards dealt to each seat.
      trump: uint32, 0 to 3, or 4 for no trump.
      turnup: uint8, the card turned up, or 52 for none.
      dealer: uint8.
      round: uint8, the number of the deal in the schedule.
      totals: int32 for each seat, the match totals before the deal. None with a single round.
    """

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
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
    def num_players(self) -> int:
        return len(self.played_by)

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return unpack(self.table)


def observe(state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    player = jnp.asarray(player, jnp.int32)
    return Observation(
        player=player,
        hand=by_seat(state.hands, player) - state.played,
        played_by=tuple(hand & state.played for hand in state.hands),
        history=state.history,
        current_player=state.current_player,
        num_played=state.num_played,
        num_bids=state.num_bids,
        bids=state.bids,
        tricks_won=state.tricks_won,
        table=state.table,
        voids=state.voids,
        hand_size=state.hand_size,
        trump=state.trump,
        turnup=state.turnup,
        dealer=state.dealer,
        round=state.round,
        totals=state.totals,
    )


def unseen_cards(observation: Observation) -> CardSet:
    """Returns the cards of which the player knows no place: hands of others and cards not dealt."""
    turnup = CardSet.single(DECK, observation.turnup)
    unseen = CardSet.full(DECK) - observation.hand - turnup
    for played in observation.played_by:
        unseen = unseen - played
    return unseen


def table_cards(observation: Observation) -> CardSet:
    """Returns the cards on the table."""
    on_table = observation.trick.points
    return last_cards(
        observation.history, DECK, observation.num_played, on_table, observation.num_players - 1
    )
