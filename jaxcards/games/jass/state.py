"""The state of a deal of Jass and how it is packed."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass.deck import HAND_SIZE, UNDECIDED
from jaxcards.stages import Stage, Staged

NUM_SEATS = 4
NUM_CARDS_PLAYED = NUM_SEATS * HAND_SIZE
POINTS_BITS = 8  # a seat's card points, at most 157
_EVERY_TRICK = 0b01_01_01_01_01_01_01_01_01  # the lower bit of each trick in `winners`
NO_WINNER = 2


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State(Staged):
    """A deal of Jass; every leaf is a scalar (a batch axis comes from `jax.vmap`).

    Leaves that a rule set has no use for are None.

    Attributes:
      hands: the cards dealt to each seat; constant.
      played: all cards played, those on the table included.
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far, 0 to 36.
      num_calls: uint8, pushes and choices (Differenzler: predictions) so far.
      dealer: uint8, the seat that dealt.
      mode: uint32, 0 to 7, or 8 while undecided.
      table: uint32, the trick on the table; see `tricks.pack`.
      points: uint32, eight bits a seat: card points of the tricks it won.
      winners: uint32, two bits a trick: the seat that won it, first trick lowest.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit
        (apart, perhaps, from the jack of trumps).
      weis: uint32, see `weis.contest` and, after the choice of a mode, `weis.settle`; None without
        Weis.
      totals: uint16 for each team, the match totals before the deal; None without a target.
      match_winner: uint8, team that was first to reach the target, or 2; None without a target.
      predictions: uint32, eight bits a seat; None except in Differenzler.
      ends_early: whether a winner of the match ends the deal (static).
      stage: what is known of the next decision (static).
    """

    hands: tuple[CardSet, ...]
    played: CardSet
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    num_calls: jax.Array
    dealer: jax.Array
    mode: jax.Array
    table: jax.Array
    points: jax.Array
    winners: jax.Array
    voids: jax.Array
    weis: jax.Array | None
    totals: tuple[jax.Array, ...] | None
    match_winner: jax.Array | None
    predictions: jax.Array | None
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=False)
    stage: Stage = dataclasses.field(metadata={"static": True}, default=stages.ANY)

    @property
    def public(self) -> "State":
        """What everybody sees is not yet apart."""
        return self

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        over = self.num_played == NUM_CARDS_PLAYED
        if self.ends_early and self.match_winner is not None:
            over = over | (self.match_winner != NO_WINNER)
        return over

    @property
    def playing(self) -> jax.Array:
        """bool: the cards are being played; else a call is due."""
        if self.predictions is not None:
            return self.num_calls == NUM_SEATS
        return self.mode != UNDECIDED

    @property
    def forehand(self) -> jax.Array:
        """uint32: the seat after the dealer."""
        return (self.dealer.astype(jnp.uint32) + 1) & 3


def card_points(state: State, seat: int) -> jax.Array:
    """Returns the card points of the tricks a seat has won: uint32."""
    return field(state.points, seat, POINTS_BITS)


def tricks_won(state: State, seat: int) -> jax.Array:
    """Returns the number of tricks a seat has won: uint32."""
    other = state.winners ^ (_EVERY_TRICK * seat)
    complete = (jnp.uint32(1) << (2 * (state.num_played >> 2))) - 1
    return jax.lax.population_count(~(other | other >> 1) & _EVERY_TRICK & complete)


def team_points(state: State) -> tuple[jax.Array, jax.Array]:
    """Returns the card points of both teams: uint32."""
    seats = [card_points(state, seat) for seat in range(NUM_SEATS)]
    return seats[0] + seats[2], seats[1] + seats[3]


def all_tricks(state: State) -> tuple[jax.Array, jax.Array]:
    """Returns for both teams whether they won all nine tricks: bool."""
    teams = state.winners & _EVERY_TRICK  # the lower bit of a seat is its team
    over = state.num_played == NUM_CARDS_PLAYED
    return over & (teams == 0), over & (teams == _EVERY_TRICK)
