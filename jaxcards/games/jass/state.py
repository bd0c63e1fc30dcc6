"""The state of a deal of Jass, what a player sees of it, and how both are packed."""

import dataclasses
from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass import weis
from jaxcards.games.jass.deck import DECK, HAND_SIZE, UNDECIDED
from jaxcards.games.jass.rules import JassRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState
from jaxcards.kit.play import every_trick_won
from jaxcards.kit.state import observed
from jaxcards.xla.pytrees import pytree

NUM_SEATS = 4
NUM_CARDS_PLAYED = NUM_SEATS * HAND_SIZE
POINTS_BITS = 8  # a seat's card points, at most 157
ANNOUNCED_BITS = 7
NOT_ANNOUNCED = 127
NO_WINNER = 2


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """What everybody sees of a deal (docs/jass.md, 5.2), and what `TrickPublic` has.

    Attributes:
      num_calls: uint8, pushes and choices (Differenzler: predictions) so far.
      dealer: uint8, the seat that dealt.
      mode: uint32, 0 to 7, or 8 while undecided.
      points: uint32, eight bits a seat: card points of the tricks it won.
      winners: uint32, two bits a trick: the seat that won it, first trick lowest.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit
        (apart, perhaps, from the jack of trumps).
      totals: uint16 for each team, the match totals before the deal; None without a target.
    """

    num_calls: jax.Array
    dealer: jax.Array
    mode: jax.Array
    points: jax.Array
    winners: jax.Array
    voids: jax.Array
    totals: tuple[jax.Array, ...] | None

    @property
    def forehand(self) -> jax.Array:
        """uint32: the seat after the dealer."""
        return (self.dealer.astype(jnp.uint32) + 1) & 3


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Jass: what `TrickState` has, and the leaves below. Those without a use are None.

    Attributes:
      weis: uint32, see `weis.contest` and, after the choice of a mode, `weis.settle`; None without
        Weis.
      match_winner: uint8, team that was first to reach the target, or 2; None without a target.
      predictions: uint32, eight bits a seat; None except in Differenzler.
      ends_early: whether a winner of the match ends the deal (static).
    """

    public: Public
    weis: jax.Array | None
    match_winner: jax.Array | None
    predictions: jax.Array | None
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=False)

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        over = self.public.num_played == NUM_CARDS_PLAYED
        if self.ends_early and self.match_winner is not None:
            over = over | (self.match_winner != NO_WINNER)
        return over

    @property
    def playing(self) -> jax.Array:
        """bool: the cards are being played; else a call is due."""
        if self.predictions is not None:
            return self.public.num_calls == NUM_SEATS
        return self.public.mode != UNDECIDED


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """What `TrickObservation` has, and the leaves below. Those without a use are None.

    Attributes:
      announced: uint32, seven bits a seat: points in tens of its best Weis, 127 while not public.
        None without Weis.
      shown: for each seat, the cards of its Weis if they have been laid open. None without Weis.
      prediction: uint32, the player's own. None except in Differenzler.
      won: bool, a team has won the match, and so ended the deal. None unless a winner ends it.
    """

    public: Public
    announced: jax.Array | None
    shown: tuple[CardSet, ...] | None
    prediction: jax.Array | None
    won: jax.Array | None


JassGame = TrickGame[JassRules, State, Observation]


def observe(game: JassGame, state: State, player: jax.Array) -> Observation:
    """Return what a player may know."""
    announced, shown = public_weis(game.rules, state) if game.rules.weis else (None, None)
    prediction = won = None
    if state.predictions is not None:
        prediction = field(state.predictions, jnp.asarray(player, jnp.int32), POINTS_BITS)
    if state.ends_early and state.match_winner is not None:
        won = state.match_winner != NO_WINNER
    return Observation(
        **observed(state, player), announced=announced, shown=shown, prediction=prediction, won=won
    )


def public_weis(rules: JassRules, state: State) -> tuple[jax.Array, tuple[CardSet, ...]]:
    """Return what has been announced and shown of Weis, as in `Observation`."""
    assert state.weis is not None
    found = [weis.chosen(weis.find_melds(rules, hand), state.public.mode) for hand in state.hands]
    return weis_in_public(state.public, state.played_by, found, state.weis)


def weis_in_public(
    public: Public, played_by: Sequence[CardSet], found: Sequence[weis.Melds], settled: jax.Array
) -> tuple[jax.Array, tuple[CardSet, ...]]:
    """Return `announced` and `shown` as in `Observation`.

    A seat names the points of its best Weis with its first card; the scoring team lays its Weis
    open after the first trick.

    Args:
      public: what everybody sees.
      played_by: for each seat the cards that it has played.
      found: for each seat its Weis in the mode of the deal.
      settled: `State.weis`.
    """
    scores = weis.weis_points(settled)
    first_trick_over = public.num_played >= NUM_SEATS
    announced = jnp.uint32(0)
    shown = []
    for seat, melds in enumerate(found):
        points = jnp.where(played_by[seat].any(), melds.best, NOT_ANNOUNCED)
        announced = announced | points << (ANNOUNCED_BITS * seat)
        lays_open = first_trick_over & (scores[seat % 2] > 0)
        shown.append(sets.select(lays_open, weis.meld_cards(melds), CardSet.empty(DECK)))
    return announced, tuple(shown)


def card_points(public: Public, seat: int) -> jax.Array:
    """Return the card points of the tricks a seat has won: uint32."""
    return field(public.points, seat, POINTS_BITS)


def team_points(public: Public) -> tuple[jax.Array, jax.Array]:
    """Return the card points of both teams: uint32."""
    seats = [card_points(public, seat) for seat in range(NUM_SEATS)]
    return seats[0] + seats[2], seats[1] + seats[3]


def all_tricks(public: Public) -> tuple[jax.Array, jax.Array]:
    """Return for both teams whether they won all nine tricks: bool."""
    over = public.num_played == NUM_CARDS_PLAYED
    return every_trick_won(public.winners, over, HAND_SIZE)
