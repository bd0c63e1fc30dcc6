"""The state of a deal of Belote, what a player sees of it, and how both are packed."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat, field
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import declarations
from jaxcards.games.belote.deck import DECK, HAND_SIZE, KING, QUEEN, UNDECIDED, VOID
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState
from jaxcards.kit.play import every_trick_won
from jaxcards.kit.state import observed
from jaxcards.xla import bitfields
from jaxcards.xla.pytrees import pytree

NUM_SEATS = 4
NUM_CARDS_PLAYED = NUM_SEATS * HAND_SIZE
POINTS_BITS = 8  # a team's card points, at most 162
TURN_UP_BITS = 5  # a card in `State.turn_up`
TURNED = 3  # the place in `State.turn_up` of the card turned up
DECLARED_BITS = 7  # a team's points of declarations, in tens
DECLARED_PUBLIC = 1 << (2 * DECLARED_BITS)
ANNOUNCED_BITS = 5
NOT_ANNOUNCED = 31
NO_SEAT = 4


class Contract(NamedTuple):
    """A contract auction so far.

    Attributes:
      level: uint32, 1 + level of the last bid; 0 before the first.
      mode: uint32, mode of the last bid.
      bidder: uint32, the seat of the last bid.
      doubled: uint32, 0, 1 after a coinche, 2 after a surcoinche.
      passes: uint32, passes since the last other call.
    """

    level: jax.Array
    mode: jax.Array
    bidder: jax.Array
    doubled: jax.Array
    passes: jax.Array


_CONTRACT_BITS = Contract(level=4, mode=3, bidder=2, doubled=2, passes=2)  # type: ignore[arg-type]


def pack_contract(contract: Contract) -> jax.Array:
    """Return a contract as one uint32 word."""
    return bitfields.pack(contract, _CONTRACT_BITS)  # type: ignore[arg-type]


def unpack_contract(word: jax.Array) -> Contract:
    """Return the contract of a word of `pack_contract`."""
    return Contract(*bitfields.unpack(word, _CONTRACT_BITS))  # type: ignore[arg-type]


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """What everybody sees of a deal (docs/belote.md, 5.2), and what `TrickPublic` has.

    The order of all calls is in it, too. Leaves that a rule set has no use for are None.

    Attributes:
      num_calls: uint8, calls so far, passes included.
      calls: uint32 words, the calls in order, each its action less 32; see `calls.CALL_BITS`. None
        unless there are contracts: elsewhere every call but the last was a pass.
      dealer: uint8, the seat that dealt.
      mode: uint32, 0 to 5, 6 during the auction, 7 if everybody passed.
      contract: uint32, the auction so far; see `Contract`. None without contracts.
      points: uint32, eight bits a team: card points of the tricks it won.
      winners: uint32, two bits a trick: the seat that won it, first trick lowest.
      lacks: for each seat, cards that the play has shown it not to hold.
      totals: uint16 for each team, the match totals before the deal.
      carry: uint32, points that wait for the winner of this deal. None without litige.
    """

    num_calls: jax.Array
    calls: tuple[jax.Array, ...] | None
    dealer: jax.Array
    mode: jax.Array
    contract: jax.Array | None
    points: jax.Array
    winners: jax.Array
    lacks: tuple[CardSet, ...]
    totals: tuple[jax.Array, ...]
    carry: jax.Array | None

    @property
    def playing(self) -> jax.Array:
        """bool: the auction is over, and a mode is settled."""
        return self.mode < UNDECIDED

    @property
    def forehand(self) -> jax.Array:
        """uint32: the seat after the dealer."""
        return (self.dealer.astype(jnp.uint32) + 1) & 3


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Belote: what `TrickState` has, and the leaves below. Those without a use are None.

    `hands` have the cards of their talons. With a card turned up, a hand has seven cards that are
    certain, and all eight once a trump suit is named.

    Attributes:
      talon: the cards that lie face down until a trump suit is named. None in contract auctions.
      played: all cards played, those on the table included.
      turn_up: uint32, four cards of five bits: three that are dealt last, by position, then the
        one turned up. None unless a card is turned up.
      declared: uint32, 0, or what is public of the points of declarations and must not change when
        `determinize` deals other hands: those of both teams in tens, seven bits each, and
        `DECLARED_PUBLIC`. None without declarations.
      straights: uint32, four bits a suit: 8 + the seat that holds all its eight cards. None unless that
        wins the match.
      can_be_void: whether everybody may pass (static).
    """

    public: Public
    talon: CardSet | None
    turn_up: jax.Array | None
    declared: jax.Array | None
    straights: jax.Array | None
    can_be_void: bool = dataclasses.field(metadata={"static": True}, default=False)

    @property
    def ends_early(self) -> bool:  # type: ignore[override]
        """Whether a deal can be over without all cards played: void, or by a straight of a suit."""
        return self.can_be_void or self.straights is not None

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        over = self.public.num_played == NUM_CARDS_PLAYED
        if self.can_be_void:
            over = over | (self.public.mode == VOID)
        if self.straights is not None:
            over = over | ((self.straights != 0) & self.playing)
        return over

    @property
    def playing(self) -> jax.Array:
        """bool: the auction is over, and a mode is settled."""
        return self.public.playing


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """What `TrickObservation` has, and the leaves below. Those without a use are None.

    `hand` has the cards that the player holds and has seen: not those of its talon.

    Attributes:
      bidder: uint8, the seat that plays for its bid; 4 before there is one.
      turn_up: uint8, the card turned up. None without one.
      announced: uint32, five bits a seat: points in tens of its best declaration, 31 while not
        public. None without declarations.
      declared: uint32, once it is public: points in tens that the teams score for declarations
        before any capot, and `DECLARED_PUBLIC`; else 0. None without declarations.
      shown: for each seat, the cards of its declarations that have been laid open. None without
        declarations.
      belote: for each seat, the kings and queens of trumps that it has announced. None if they do
        not count.
    """

    public: Public
    bidder: jax.Array
    turn_up: jax.Array | None
    announced: jax.Array | None
    declared: jax.Array | None
    shown: tuple[CardSet, ...] | None
    belote: tuple[CardSet, ...] | None


BeloteGame = TrickGame[BeloteRules, State, Observation]


def observe(game: BeloteGame, state: State, player: jax.Array) -> Observation:
    """Return what a player may know."""
    rules, announced, declared, shown = game.rules, None, None, None
    if state.declared is not None:
        announced, declared, shown = public_declarations(rules, state)
    seen = observed(state, player)
    return Observation(
        **seen | {"hand": by_seat(visible_hands(state), seen["player"])},
        bidder=bidder(state.public).astype(jnp.uint8),
        turn_up=None if state.turn_up is None else turned_up(state).astype(jnp.uint8),
        announced=announced,
        declared=declared,
        shown=shown,
        belote=announced_belote(rules, state) if rules.belote else None,
    )


def visible_hands(state: State) -> tuple[CardSet, ...]:
    """Return for each seat the cards that it holds, without its talon as long as that lies there."""
    gone = state.played
    if state.talon is not None:
        gone = gone | sets.select(state.playing, CardSet.empty(DECK), state.talon)
    return tuple(hand - gone for hand in state.hands)


def public_declarations(
    rules: BeloteRules, state: State
) -> tuple[jax.Array, jax.Array, tuple[CardSet, ...]]:
    """Return `announced`, `declared` and `shown` as in `Observation`."""
    found = [declarations.find(rules, hand, state.public.mode) for hand in state.hands]
    scored = declared_points(rules, state, found)
    return declarations_in_public(rules, state.public, state.played_by, found, scored)


def declarations_in_public(
    rules: BeloteRules,
    public: Public,
    played_by: Sequence[CardSet],
    found: Sequence[declarations.Declarations],
    scored: declarations.Teams,
) -> tuple[jax.Array, jax.Array, tuple[CardSet, ...]]:
    """Return `announced`, `declared` and `shown` as in `Observation`.

    Args:
      rules: the rules.
      public: what everybody sees.
      played_by: for each seat the cards that it has played.
      found: for each seat its declarations.
      scored: what both teams score for them before any capot, in tens.
    """
    laid_open = declarations_public(rules, public)
    announced = jnp.uint32(0)
    shown = []
    for seat, cards in enumerate(played_by):
        named = public.playing
        if rules.decl_reveal == "after_first_trick":
            named = named & cards.any()
        best = jnp.where(named, found[seat].best, NOT_ANNOUNCED)
        announced = announced | best << (ANNOUNCED_BITS * seat)
        opens = laid_open & (scored[seat % 2] > 0)
        shown.append(sets.select(opens, declarations.cards_of(found[seat]), CardSet.empty(DECK)))
    declared = scored[0] | scored[1] << DECLARED_BITS | DECLARED_PUBLIC
    return announced, jnp.where(laid_open, declared, 0), tuple(shown)


def declarations_public(rules: BeloteRules, public: Public) -> jax.Array:
    """Return whether everybody knows which declarations score: bool."""
    if rules.decl_reveal == "before_play":
        return public.playing
    return public.num_played >= NUM_SEATS


def announced_belote(rules: BeloteRules, state: State) -> tuple[CardSet, ...]:
    """Return for each seat the kings and queens of trumps of which it has played the first."""
    announced = []
    for hand in state.hands:
        queens = declarations.pairs(rules, hand, state.public.mode).words[0]
        first = (state.played.words[0] | state.played.words[0] >> (KING - QUEEN)) & queens
        announced.append(CardSet(DECK, [first | first << (KING - QUEEN)]))
    return tuple(announced)


def declared_points(
    rules: BeloteRules, state: State, found: Sequence[declarations.Declarations] | None = None
) -> declarations.Teams:
    """Return what both teams score for declarations before any capot, in tens: uint32.

    What was public when `determinize` dealt other hands stays; see `State.declared`.
    """
    if state.declared is None:
        return jnp.uint32(0), jnp.uint32(0)
    if found is None:
        found = [declarations.find(rules, hand, state.public.mode) for hand in state.hands]
    fresh = declarations.contest(rules, found, state.public.forehand)
    kept = state.declared != 0
    first, second = (
        jnp.where(kept, field(state.declared, team, DECLARED_BITS), fresh[team]) for team in (0, 1)
    )
    return first, second


def bidder(public: Public) -> jax.Array:
    """Return the seat that plays for its bid: uint32; `NO_SEAT` before the end of the auction."""
    if public.contract is not None:
        seat = unpack_contract(public.contract).bidder
    else:
        seat = (public.dealer.astype(jnp.uint32) + public.num_calls.astype(jnp.uint32)) & 3
    return jnp.where(public.playing, seat, NO_SEAT).astype(jnp.uint32)


def turned_up(state: State) -> jax.Array:
    """Return the card that was turned up: uint32."""
    assert state.turn_up is not None
    return field(state.turn_up, TURNED, TURN_UP_BITS)


def team_points(public: Public) -> tuple[jax.Array, jax.Array]:
    """Return the card points of both teams: uint32."""
    return field(public.points, 0, POINTS_BITS), field(public.points, 1, POINTS_BITS)


def all_tricks(public: Public) -> tuple[jax.Array, jax.Array]:
    """Return for both teams whether they won all eight tricks: bool."""
    over = public.num_played == NUM_CARDS_PLAYED
    return every_trick_won(public.winners, over, HAND_SIZE)


def find_straights(hands: tuple[CardSet, ...]) -> jax.Array:
    """Return `State.straights` of four hands of eight cards."""
    word = jnp.uint32(0)
    for suit in range(4):
        for seat, hand in enumerate(hands):
            whole = hand.suit(suit) == (1 << HAND_SIZE) - 1
            word = word | jnp.where(whole, jnp.uint32((8 + seat) << (4 * suit)), 0)
    return word
