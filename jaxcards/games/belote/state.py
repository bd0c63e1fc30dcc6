"""The state of a deal of Belote and how it is packed."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote.deck import HAND_SIZE, UNDECIDED, VOID
from jaxcards.stages import Stage, Staged

NUM_SEATS = 4
NUM_CARDS_PLAYED = NUM_SEATS * HAND_SIZE
POINTS_BITS = 8  # a team's card points, at most 162
DECLARED_BITS = 7  # a team's points of declarations, in tens
DECLARED_PUBLIC = 1 << (2 * DECLARED_BITS)
NO_SEAT = 4
_EVERY_TRICK = 0b01_01_01_01_01_01_01_01  # the lower bit of each trick in `winners`


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State(Staged):
    """A deal of Belote; every leaf is a scalar (a batch axis comes from `jax.vmap`).

    Leaves that a rule set has no use for are None.

    Attributes:
      hands: the cards dealt to each seat, those of its talon included. With a card turned up, seven
        cards that are certain, and all eight once a trump suit is named; else constant.
      talon: the cards that lie face down until a trump suit is named. None in contract auctions.
      played: all cards played, those on the table included.
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      current_player: int32, the seat to act.
      num_played: uint32, cards played so far, 0 to 32.
      num_calls: uint8, calls so far, passes included.
      calls: uint32 words, the calls in order, each its action less 32; see `auction.CALL_BITS`. None
        unless there are contracts: elsewhere every call but the last was a pass.
      dealer: uint8, the seat that dealt.
      mode: uint32, 0 to 5, 6 during the auction, 7 if everybody passed.
      contract: uint32, the auction so far; see `auction.Contract`. None without contracts.
      turn_up: uint32, four cards of five bits: three that are dealt last, by position, then the
        one turned up. None unless a card is turned up.
      table: uint32, the trick on the table; see `tricks.pack`.
      points: uint32, eight bits a team: card points of the tricks it won.
      winners: uint32, two bits a trick: the seat that won it, first trick lowest.
      lacks: for each seat, cards that the play has shown it not to hold.
      declared: uint32, 0, or what is public of the points of declarations and must not change when
        hidden cards are dealt anew: those of both teams in tens, seven bits each, and
        `DECLARED_PUBLIC`. None without declarations.
      straights: uint32, four bits a suit: 8 + seat of who holds all eight cards. None unless that
        wins the match.
      totals: uint16 for each team, the match totals before the deal.
      carry: uint32, points that wait for the winner of this deal. None without litige.
      can_be_void: whether everybody may pass (static).
      stage: what is known of the next decision (static).
    """

    hands: tuple[CardSet, ...]
    talon: CardSet | None
    played: CardSet
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    num_played: jax.Array
    num_calls: jax.Array
    calls: tuple[jax.Array, ...] | None
    dealer: jax.Array
    mode: jax.Array
    contract: jax.Array | None
    turn_up: jax.Array | None
    table: jax.Array
    points: jax.Array
    winners: jax.Array
    lacks: tuple[CardSet, ...]
    declared: jax.Array | None
    straights: jax.Array | None
    totals: tuple[jax.Array, ...]
    carry: jax.Array | None
    can_be_void: bool = dataclasses.field(metadata={"static": True}, default=False)
    stage: Stage = dataclasses.field(metadata={"static": True}, default=stages.ANY)

    @property
    def ends_early(self) -> bool:
        """Whether a deal can be over without all cards played: void, or by a straight of a suit."""
        return self.can_be_void or self.straights is not None

    @property
    def public(self) -> "State":
        """What everybody sees is not yet apart."""
        return self

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        over = self.num_played == NUM_CARDS_PLAYED
        if self.can_be_void:
            over = over | (self.mode == VOID)
        if self.straights is not None:
            over = over | ((self.straights != 0) & self.playing)
        return over

    @property
    def playing(self) -> jax.Array:
        """bool: the auction is over, and a mode is settled."""
        return self.mode < UNDECIDED

    @property
    def forehand(self) -> jax.Array:
        """uint32: the seat after the dealer."""
        return (self.dealer.astype(jnp.uint32) + 1) & 3


def team_points(state: State) -> tuple[jax.Array, jax.Array]:
    """Returns the card points of both teams: uint32."""
    return field(state.points, 0, POINTS_BITS), field(state.points, 1, POINTS_BITS)


def all_tricks(state: State) -> tuple[jax.Array, jax.Array]:
    """Returns for both teams whether they won all eight tricks: bool."""
    teams = state.winners & _EVERY_TRICK  # the lower bit of a seat is its team
    over = state.num_played == NUM_CARDS_PLAYED
    return over & (teams == 0), over & (teams == _EVERY_TRICK)


def find_straights(hands: tuple[CardSet, ...]) -> jax.Array:
    """Returns `State.straights` of four hands of eight cards."""
    word = jnp.uint32(0)
    for suit in range(4):
        for seat, hand in enumerate(hands):
            whole = hand.suit(suit) == (1 << HAND_SIZE) - 1
            word = word | jnp.where(whole, jnp.uint32((8 + seat) << (4 * suit)), 0)
    return word
