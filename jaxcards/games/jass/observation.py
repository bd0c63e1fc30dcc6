"""What a Jass player sees (contract section 5.2)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.history import last_cards
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet
from jaxcards.cards.tricks import Trick, unpack
from jaxcards.games.jass import weis
from jaxcards.games.jass.deck import DECK
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import NUM_SEATS, POINTS_BITS, State

ANNOUNCED_BITS = 7
NOT_ANNOUNCED = 127


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
      num_calls: uint8, pushes and choices (or predictions) so far.
      dealer: uint8.
      mode: uint32, 0 to 7, or 8 while undecided.
      table: uint32, the trick on the table; see `tricks.pack`.
      points: uint32, eight bits a seat: card points of tricks won.
      winners: uint32, two bits a trick: the seat that won it.
      voids: uint32, bit 4 * seat + suit: known to have no card of the suit; see `State.voids`.
      announced: uint32, seven bits a seat: points in tens of its best Weis, 127 while not public.
        None without Weis.
      shown: for each seat, the cards of its Weis if they have been laid open. None without Weis.
      totals: uint16 for each team, the match totals before the deal. None without a target.
      prediction: uint32, the player's own. None except in Differenzler.
    """

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
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
    announced: jax.Array | None
    shown: tuple[CardSet, ...] | None
    totals: tuple[jax.Array, ...] | None
    prediction: jax.Array | None

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return unpack(self.table)


def observe(rules: JassRules, state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    player = jnp.asarray(player, jnp.int32)
    announced, shown = public_weis(rules, state) if rules.weis else (None, None)
    prediction = None
    if state.predictions is not None:
        prediction = field(state.predictions, player, POINTS_BITS)
    return Observation(
        player=player,
        hand=by_seat(state.hands, player) - state.played,
        played_by=tuple(hand & state.played for hand in state.hands),
        history=state.history,
        current_player=state.current_player,
        num_played=state.num_played,
        num_calls=state.num_calls,
        dealer=state.dealer,
        mode=state.mode,
        table=state.table,
        points=state.points,
        winners=state.winners,
        voids=state.voids,
        announced=announced,
        shown=shown,
        totals=state.totals,
        prediction=prediction,
    )


def public_weis(rules: JassRules, state: State) -> tuple[jax.Array, tuple[CardSet, ...]]:
    """Returns what has been announced and shown of Weis, as in `Observation`.

    A seat names the points of its best Weis with its first card; the scoring team lays its Weis
    open after the first trick.
    """
    assert state.weis is not None
    scores = weis.weis_points(state.weis)
    first_trick_over = state.num_played >= NUM_SEATS
    announced = jnp.uint32(0)
    shown = []
    for seat, hand in enumerate(state.hands):
        melds = weis.chosen(weis.find_melds(rules, hand), state.mode)
        has_played = (hand & state.played).any()
        points = jnp.where(has_played, melds.best, NOT_ANNOUNCED)
        announced = announced | points << (ANNOUNCED_BITS * seat)
        lays_open = first_trick_over & (scores[seat % 2] > 0)
        shown.append(sets.select(lays_open, weis.meld_cards(melds), CardSet.empty(DECK)))
    return announced, tuple(shown)


def table_cards(observation: Observation) -> CardSet:
    """Returns the cards on the table."""
    on_table = observation.num_played & 3
    return last_cards(observation.history, DECK, observation.num_played, on_table, 3)
