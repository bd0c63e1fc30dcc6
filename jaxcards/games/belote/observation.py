"""What a Belote player sees (contract section 5.2)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.history import last_cards
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet
from jaxcards.cards.tricks import Trick, unpack
from jaxcards.games.belote import calls as auction
from jaxcards.games.belote import declarations
from jaxcards.games.belote.deck import DECK, KING, QUEEN
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import (
    DECLARED_BITS,
    DECLARED_PUBLIC,
    NUM_SEATS,
    State,
)

ANNOUNCED_BITS = 5
NOT_ANNOUNCED = 31


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """All that a player may know at a moment of a deal; every leaf is a scalar.

    Seats are absolute. The order of all calls and of all cards played is in it: nothing is forgotten.

    Attributes:
      player: int32, whose view this is.
      hand: the cards that the player holds and has seen.
      played_by: for each seat, the cards that it has played.
      history: uint32 words, the cards in the order of play; see `State.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far.
      num_calls: uint8, calls so far.
      calls: uint32 words, the calls in order; see `State.calls`. None without contracts.
      dealer: uint8.
      mode: uint32, 0 to 5, 6 during the auction, 7 if everybody passed.
      bidder: uint8, the seat that plays for its bid; 4 before there is one.
      contract: uint32, see `State.contract`. None without contracts.
      turn_up: uint8, the card turned up. None without one.
      table: uint32, the trick on the table; see `tricks.pack`.
      points: uint32, eight bits a team: card points of tricks won.
      winners: uint32, two bits a trick: the seat that won it.
      lacks: for each seat, cards that the play has shown it not to hold; see `State.lacks`.
      announced: uint32, five bits a seat: points in tens of its best declaration, 31 while not
        public. None without declarations.
      declared: uint32, once it is public: points in tens that the teams score for declarations
        before any capot, and `DECLARED_PUBLIC`; else 0. None without declarations.
      shown: for each seat, the cards of its declarations that have been laid open. None without
        declarations.
      belote: for each seat, the kings and queens of trumps that it has announced. None if they do
        not count.
      totals: uint16 for each team, the match totals before the deal.
      carry: uint32, points that wait for the winner of this deal. None without litige.
    """

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    num_calls: jax.Array
    calls: tuple[jax.Array, ...] | None
    dealer: jax.Array
    mode: jax.Array
    bidder: jax.Array
    contract: jax.Array | None
    turn_up: jax.Array | None
    table: jax.Array
    points: jax.Array
    winners: jax.Array
    lacks: tuple[CardSet, ...]
    announced: jax.Array | None
    declared: jax.Array | None
    shown: tuple[CardSet, ...] | None
    belote: tuple[CardSet, ...] | None
    totals: tuple[jax.Array, ...]
    carry: jax.Array | None

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return unpack(self.table)


def observe(rules: BeloteRules, state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    player = jnp.asarray(player, jnp.int32)
    announced, declared, shown = None, None, None
    if state.declared is not None:
        announced, declared, shown = public_declarations(rules, state)
    return Observation(
        player=player,
        hand=by_seat(visible_hands(state), player),
        played_by=tuple(hand & state.played for hand in state.hands),
        history=state.history,
        current_player=state.current_player,
        num_played=state.num_played,
        num_calls=state.num_calls,
        calls=state.calls,
        dealer=state.dealer,
        mode=state.mode,
        bidder=auction.bidder(rules, state).astype(jnp.uint8),
        contract=state.contract,
        turn_up=None if state.turn_up is None else auction.turned_up(state).astype(jnp.uint8),
        table=state.table,
        points=state.points,
        winners=state.winners,
        lacks=state.lacks,
        announced=announced,
        declared=declared,
        shown=shown,
        belote=announced_belote(rules, state) if rules.belote else None,
        totals=state.totals,
        carry=state.carry,
    )


def visible_hands(state: State) -> tuple[CardSet, ...]:
    """Returns for each seat the cards that it holds, without its talon as long as that lies there."""
    gone = state.played
    if state.talon is not None:
        gone = gone | sets.select(state.playing, CardSet.empty(DECK), state.talon)
    return tuple(hand - gone for hand in state.hands)


def public_declarations(
    rules: BeloteRules, state: State
) -> tuple[jax.Array, jax.Array, tuple[CardSet, ...]]:
    """Returns `announced`, `declared` and `shown` as in `Observation`."""
    playing = state.playing
    found = [declarations.find(rules, hand, state.mode) for hand in state.hands]
    scored = declarations.scored(rules, state, found)
    laid_open = declarations_public(rules, state)
    announced = jnp.uint32(0)
    shown = []
    for seat, hand in enumerate(state.hands):
        public = playing
        if rules.decl_reveal == "after_first_trick":
            public = playing & (hand & state.played).any()
        best = jnp.where(public, found[seat].best, NOT_ANNOUNCED)
        announced = announced | best << (ANNOUNCED_BITS * seat)
        opens = laid_open & (scored[seat % 2] > 0)
        shown.append(sets.select(opens, declarations.cards_of(found[seat]), CardSet.empty(DECK)))
    declared = scored[0] | scored[1] << DECLARED_BITS | DECLARED_PUBLIC
    return announced, jnp.where(laid_open, declared, 0), tuple(shown)


def declarations_public(rules: BeloteRules, state: State) -> jax.Array:
    """Returns whether everybody knows which declarations score: bool."""
    if rules.decl_reveal == "before_play":
        return state.playing
    return state.num_played >= NUM_SEATS


def announced_belote(rules: BeloteRules, state: State) -> tuple[CardSet, ...]:
    """Returns for each seat the kings and queens of trumps of which it has played the first."""
    announced = []
    for hand in state.hands:
        queens = declarations.pairs(rules, hand, state.mode).words[0]
        first = (state.played.words[0] | state.played.words[0] >> (KING - QUEEN)) & queens
        announced.append(CardSet(DECK, [first | first << (KING - QUEEN)]))
    return tuple(announced)


def table_cards(observation: Observation) -> CardSet:
    """Returns the cards on the table."""
    on_table = observation.num_played & 3
    return last_cards(observation.history, DECK, observation.num_played, on_table, 3)
