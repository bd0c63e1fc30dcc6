"""The state of a deal of Euchre, what a player sees of it, and how both are packed."""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import NO_SUIT, CardSet, select
from jaxcards.games.euchre.deck import NUM_SUITS, turned_suit
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import SEATINGS, Seating
from jaxcards.kit import TrickGame, TrickObservation
from jaxcards.stages import Stage, Staged
from jaxcards.xla.bitfields import pack, unpack
from jaxcards.xla.pytrees import pytree

BID1, BID2, NAME_BLIND, DISCARD, ALONE, EXCHANGE, DEFEND, PLAY, DONE = range(9)  # phases
NOBODY = 7  # stands for a seat


class Call(NamedTuple):
    """What has been said, and whose turn it is; all uint32.

    Attributes:
      phase: `BID1` to `DONE`.
      seat: the seat to act.
      trump: the trump suit; `NO_SUIT` before it is named.
      maker: the seat that named it; 0 before.
      alone: 1 if the maker plays alone.
      defender: the seat that defends alone, or `NOBODY`.
      active: the seats that do not sit out, as bits; while trumps are being named, those that bid.
    """

    phase: jax.Array
    seat: jax.Array
    trump: jax.Array
    maker: jax.Array
    alone: jax.Array
    defender: jax.Array
    active: jax.Array


class Table(NamedTuple):
    """The cards on the table, as far as the rules need them, and the tricks won; all uint32.

    Attributes:
      led: the suit to follow; `NO_SUIT` while the table is empty.
      best: the strength of the winning card; 0 while the table is empty.
      winner: the seat that played it.
      waiting: the seats that have still to play to the trick, as bits.
      tricks: the number of complete tricks.
      winners: two bits a trick: the seat that won it, first trick lowest.
    """

    led: jax.Array
    best: jax.Array
    winner: jax.Array
    waiting: jax.Array
    tricks: jax.Array
    winners: jax.Array


_CALL_BITS = Call(phase=4, seat=2, trump=3, maker=2, alone=1, defender=3, active=4)  # type: ignore
_EVERY_TRICK = 0b01_01_01_01_01  # the lower bit of each trick in `winners`
_TABLE_BITS = Table(led=3, best=5, winner=2, waiting=4, tricks=3, winners=10)  # type: ignore


def pack_call(call: Call) -> jax.Array:
    """Return a call as one uint32 word below 2**19."""
    return pack(call, _CALL_BITS)  # type: ignore[arg-type]


def unpack_call(word: jax.Array) -> Call:
    """Return the call of a word of `pack_call`."""
    return Call(*unpack(word, _CALL_BITS))  # type: ignore[arg-type]


def pack_table(table: Table) -> jax.Array:
    """Return a table as one uint32 word below 2**27."""
    return pack(table, _TABLE_BITS)  # type: ignore[arg-type]


def unpack_table(word: jax.Array) -> Table:
    """Return the table of a word of `pack_table`."""
    return Table(*unpack(word, _TABLE_BITS))  # type: ignore[arg-type]


EMPTY_TABLE = NO_SUIT  # the word of a table without cards, before the play


@pytree
@dataclasses.dataclass(frozen=True)
class Public:
    """What everybody sees of a deal (docs/euchre.md, 11.1); every leaf is a scalar.

    Seats are absolute. All bids follow from `call` and the dealer, since only one player ever names a
    suit, and the order of all cards played is in `history`: nothing is forgotten.

    Attributes:
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
      up_card: uint32, the card turned up.
      dealer: uint32, the seat that dealt.
      call: uint32, what has been said and whose turn it is; see `Call`.
      table: uint32, the trick on the table and the tricks won; see `Table`.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
      totals: uint16 for each side (for each player where everyone plays alone), the match totals
        before the deal.
    """

    history: tuple[jax.Array, ...]
    up_card: jax.Array
    dealer: jax.Array
    call: jax.Array
    table: jax.Array
    voids: jax.Array
    totals: tuple[jax.Array, ...]

    @property
    def calls(self) -> Call:
        """What has been said, and whose turn it is."""
        return unpack_call(self.call)

    @property
    def phase(self) -> jax.Array:
        """uint32: what is to be decided: `BID1` to `DONE`."""
        return self.calls.phase

    @property
    def tricks(self) -> Table:
        """The trick on the table and the tricks won."""
        return unpack_table(self.table)

    @property
    def picked_up(self) -> jax.Array:
        """bool: the dealer has taken the up-card."""
        return picked_up(self.up_card, self.calls)


@pytree
@dataclasses.dataclass(frozen=True)
class State(Staged):
    """A deal of Euchre; every leaf is a scalar (a batch axis comes from `jax.vmap`).

    Leaves that a rule set has no use for are None.

    Attributes:
      public: what everybody sees.
      hands: the cards dealt to each seat, the dealer's with the up-card; constant.
      dummy: the five open cards beside the hands; constant. None without such cards.
      aside: cards in no hand and not played: the kitty, discards, and, as long as nobody has taken
        them, the up-card and the dummy.
      played: all cards played, those on the table included.
      mode: the mode of the rules (static).
    """

    public: Public
    hands: tuple[CardSet, ...]
    dummy: CardSet | None
    aside: CardSet
    played: CardSet
    mode: str = dataclasses.field(metadata={"static": True})

    ends_early = True  # where somebody plays alone, or nobody names a suit

    def idle(self, stage: Stage) -> jax.Array:
        """See `Staged.idle`. A trick of few cards waits before its last one."""
        idle = super().idle(stage)
        if stage.after is None:
            return idle
        waiting = jax.lax.population_count(self.public.tricks.waiting)
        return idle | (waiting <= stage.after)

    @property
    def seating(self) -> Seating:
        """Who sits where."""
        return SEATINGS[self.mode]

    @property
    def calls(self) -> Call:
        """What has been said, and whose turn it is."""
        return self.public.calls

    def calls_in(self, stage: Stage) -> Call:
        """Return `calls`, in the phase that the stage names if it names one."""
        call = self.calls
        return call if stage.phase is None else call._replace(phase=jnp.uint32(stage.phase))

    @property
    def current_player(self) -> jax.Array:
        """int32: the agent to act."""
        return self.seating.agent_of(self.calls.seat)

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        return self.public.phase == DONE

    @property
    def playing(self) -> jax.Array:
        """bool: the cards are being played, or have been."""
        return self.public.phase >= PLAY

    @property
    def num_played(self) -> jax.Array:
        """uint32: cards played so far."""
        return self.played.count().astype(jnp.uint32)


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """What `TrickObservation` has, and the leaves below. Those without a use are None.

    `player` is an agent, `hand` the cards at its own seat; none while it names a suit blindly.

    Attributes:
      discards: the cards that the player has laid aside.
      dummy: the open cards as they were dealt: beside the hands, or the hand that lies open. None
        without a dummy.
      num_discarded: uint32, cards that the maker has laid down for the dummy's. None without a dummy
        that can be taken.
    """

    public: Public
    discards: CardSet
    dummy: CardSet | None
    num_discarded: jax.Array | None


EuchreGame = TrickGame[EuchreRules, State, Observation]


def observe(game: EuchreGame, state: State, player: jax.Array) -> Observation:
    """Return what a player may know."""
    public, call, deck = state.public, state.calls, state.aside.deck
    seating = state.seating
    player = jnp.asarray(player, jnp.int32)
    seat = seating.seat_of(player)
    hands, dummy, exchanged = state.hands, state.dummy, None
    if dummy is not None:
        taken = took_dummy(state.mode, call)
        nothing = CardSet.empty(deck)
        hands = tuple(
            cards | select(taken & (call.maker == owner), dummy, nothing)
            for owner, cards in enumerate(hands)
        )
        exchanged = jnp.where(taken, num_discarded(state), 0)
    elif seating.dummy_seat is not None:
        dummy = hands[seating.dummy_seat]
    own = by_seat(hands, seat)
    hand = own - state.aside - state.played
    if game.rules.joker:
        blind = (call.phase == NAME_BLIND) & (seat == public.dealer)
        hand = select(blind, CardSet.empty(deck), hand)
    # The up-card counts as dealt to the dealer, and lies aside as long as it is not picked up.
    open_card = jnp.where(picked_up(public.up_card, call), 0, jnp.uint32(1) << public.up_card)
    return Observation(
        public=public,
        player=player,
        hand=hand,
        discards=own & (state.aside - CardSet(deck, [open_card])),
        dummy=dummy,
        num_discarded=exchanged,
        played_by=tuple(cards & state.played for cards in hands),
    )


def picked_up(up_card: jax.Array, call: Call) -> jax.Array:
    """Return whether the dealer has taken the up-card into the hand: bool.

    Only the first round of bidding, or the joker, makes the suit of the up-card trumps.
    """
    turned = turned_suit(up_card)
    return (call.trump == turned) | ((turned == NUM_SUITS) & (call.phase != NAME_BLIND))


def took_dummy(mode: str, call: Call) -> jax.Array:
    """Return whether the maker has taken the open cards beside the hands: bool."""
    if not SEATINGS[mode].pool:
        return jnp.zeros((), bool)
    may = (call.alone == 0) & (call.trump != NO_SUIT)
    if mode == "dummy_pool":
        may = may & (call.maker == 0)
    return may & ((call.phase == EXCHANGE) | (call.phase >= PLAY))


def dealt_to(state: State, seat: jax.Array) -> CardSet:
    """Return all cards that a seat had or may still come to have.

    They are those dealt to it, the up-card if it is the dealer, and the dummy if it is the maker. What
    of them is `aside` or `played` it does not hold.
    """
    dealt = by_seat(state.hands, seat)
    if state.dummy is None:
        return dealt
    taken = jnp.where(seat == state.calls.maker, state.dummy.words[0], 0)
    return dealt | CardSet(dealt.deck, [taken])


def hand_of(state: State, seat: jax.Array) -> CardSet:
    """Return the cards that a seat holds."""
    return dealt_to(state, seat) - state.aside - state.played


def tricks_of(public: Public, seats: jax.Array) -> jax.Array:
    """Return the number of tricks that seats, given as bits, have won: uint32."""
    table = public.tricks
    low, high = table.winners, table.winners >> 1  # the winner's two bits, at the place of each trick
    won = jnp.uint32(0)
    for seat in range(4):
        theirs = (low if seat & 1 else ~low) & (high if seat & 2 else ~high)
        won = won | jnp.where((seats >> seat) & 1 == 1, theirs, 0)
    complete = (jnp.uint32(1) << (2 * table.tricks)) - 1
    return jax.lax.population_count(won & complete & _EVERY_TRICK)


def makers(state: State) -> jax.Array:
    """Return the seats on the makers' side as bits: uint32."""
    maker = state.calls.maker
    return jnp.uint32(1) << maker | state.seating.partner_bit(maker)


def num_discarded(state: State) -> jax.Array:
    """Return how many cards the maker has laid down since it took the dummy: uint32, 0 to 5.

    Means nothing unless it has taken it.
    """
    # Beside the hands lie the kitty and, from the bidding, one card more.
    left = state.aside.deck.num_cards - 5 * (state.seating.num_seats + 1)
    return state.aside.count().astype(jnp.uint32) - left
