"""The pack, the state of a deal, and the play of the cards (docs/euchre.md, 3, 6 and 7)."""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.seats import by_seat, vector
from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import SEATINGS, Seating, seating_of
from jaxcards.kit import TrickGame, TrickObservation
from jaxcards.stages import Stage, Staged, known
from jaxcards.xla.bitfields import Layout
from jaxcards.xla.lookup import lookup
from jaxcards.xla.pytrees import pytree

DECK = dataclasses.replace(FRENCH, ranks="9TJQKA")
DECK_WITH_JOKER = dataclasses.replace(DECK, extra=("JK",))

JOKER = 24
NUM_SUITS = 4
HAND_SIZE = 5
NUM_TRICKS = 5
JACK = 2  # a rank
NINES_AND_TENS = sum(3 << 6 * suit for suit in range(NUM_SUITS))  # as a word
COLOUR = 3  # suit ^ COLOUR is the other suit of the same colour

# Trumps from the weakest: the left bower stands between the ace and the right bower.
_LEFT_BOWER = 6
_TRUMP_STRENGTH = {"9": 1, "T": 2, "Q": 3, "K": 4, "A": 5, "J": 7, "joker": 8}
_BY_RANK = tuple(_TRUMP_STRENGTH[rank] for rank in (*DECK.ranks, "joker"))


def deck_of(rules: EuchreRules) -> Deck:
    return DECK_WITH_JOKER if rules.joker else DECK


def turned_suit(up_card: jax.Array) -> jax.Array:
    """Return the suit of an up-card: uint32; 4 for the joker."""
    return (up_card * 11) >> 6  # a division by 6 for numbers up to 24


def left_bower(trump: jax.Array) -> jax.Array:
    """Return the jack of the other suit of the trumps' colour, as a word of one card."""
    return jnp.uint32(1 << JACK) << (((trump ^ COLOUR) & 3) * DECK.ranks_per_suit)


def suit_cards(deck: Deck, suit: jax.Array, trump: jax.Array) -> CardSet:
    """Return the cards that belong to a suit under a trump; empty for `NO_SUIT` with a trump."""
    (printed,) = CardSet.suit_of(deck, suit).words
    left = left_bower(trump)
    added = left | jnp.uint32(1 << JOKER) if deck.extra else left
    return CardSet(deck, [jnp.where(suit == trump, printed | added, printed & ~left)])


def suit_and_strength(
    deck: Deck, card: jax.Array, trump: jax.Array, led: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return the suit that a card belongs to and its strength in a trick: uint32 each.

    `led` is the suit that was led, `NO_SUIT` if this card leads. The strength is `TRUMP` + 1 to
    `TRUMP` + 8 for a trump, 1 to 6 for a card of the led suit, else 0.
    """
    printed, rank = deck.suit_and_rank(card)
    left = (rank == JACK) & (printed == (trump ^ COLOUR))
    is_trump = (printed == trump) | left
    if deck.extra:
        is_trump = is_trump | (card == JOKER)
    suit = jnp.where(is_trump, trump, printed)
    # On an empty table the card leads, and has the strength of the suit led.
    follows = (led == suit) | (led >= NUM_SUITS)
    plain = jnp.where(follows, rank + 1, 0)
    # The joker has rank 6 of the last suit, and so the last entry of the table.
    high = jnp.where(left, jnp.uint32(_LEFT_BOWER), lookup(_BY_RANK, rank))
    return suit, jnp.where(is_trump, TRUMP + high, plain)


BID1, BID2, NAME_BLIND, DISCARD, ALONE, EXCHANGE, DEFEND, PLAY, DONE = range(9)  # phases
NOBODY = 7  # stands for a seat


class Call(NamedTuple):
    """The calls so far, and the player to act; all uint32."""

    phase: jax.Array  # `BID1` to `DONE`
    seat: jax.Array  # the seat to act
    trump: jax.Array  # the trump suit; `NO_SUIT` before it is named
    maker: jax.Array  # the seat that named it; 0 before
    # 1 if the maker plays alone, or, before trumps are named, `seat` has asked for a new deal
    alone: jax.Array
    defender: jax.Array  # the seat that defends alone, or `NOBODY`
    # The seats that do not sit out, as bits; while trumps are being named, those that bid.
    active: jax.Array


class Table(NamedTuple):
    """The cards on the table, as far as the rules need them, and the tricks won; all uint32."""

    led: jax.Array  # the suit to follow; `NO_SUIT` while the table is empty
    best: jax.Array  # the strength of the winning card; 0 while the table is empty
    winner: jax.Array  # the seat that played it
    waiting: jax.Array  # the seats that have still to play to the trick, as bits
    tricks: jax.Array  # the number of complete tricks
    winners: jax.Array  # two bits a trick: the seat that won it, first trick lowest


CALL_WORD = Layout(Call, phase=4, seat=2, trump=3, maker=2, alone=1, defender=3, active=4)
TABLE_WORD = Layout(Table, led=3, best=5, winner=2, waiting=4, tricks=3, winners=10)
EMPTY_TABLE = NO_SUIT  # the word of a table without cards, before the play


@pytree
@dataclasses.dataclass(frozen=True)
class Public:
    """The public part of a deal (docs/euchre.md, 12.3); every leaf is a scalar.

    Seats are absolute. All bids follow from `call` and the dealer, since only one player ever names a
    suit, and the order of all cards played is in `history`: nothing is forgotten.
    """

    # uint32 words, the cards in the order of play; see `jaxcards.cards.history`.
    history: tuple[jax.Array, ...]
    up_card: jax.Array  # uint32, the card turned up
    dealer: jax.Array  # uint32, the seat that dealt
    call: jax.Array  # uint32, what has been said and whose turn it is; see `Call`
    table: jax.Array  # uint32, the trick on the table and the tricks won; see `Table`
    # uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
    voids: jax.Array
    # uint16 for each side (for each player where everyone plays alone), the match totals before the
    # deal.
    totals: tuple[jax.Array, ...]

    @property
    def calls(self) -> Call:
        """The calls so far, and the player to act."""
        return CALL_WORD.unpack(self.call)

    @property
    def phase(self) -> jax.Array:
        """uint32: what is to be decided: `BID1` to `DONE`."""
        return self.calls.phase

    @property
    def tricks(self) -> Table:
        """The trick on the table and the tricks won."""
        return TABLE_WORD.unpack(self.table)

    @property
    def picked_up(self) -> jax.Array:
        """bool: the dealer has taken the up-card."""
        return picked_up(self.up_card, self.calls)


@pytree
@dataclasses.dataclass(frozen=True)
class State(Staged):
    """A deal of Euchre; every leaf is a scalar (a batch axis comes from `jax.vmap`).

    Leaves that a rule set has no use for are None.
    """

    public: Public
    hands: tuple[CardSet, ...]  # the cards dealt to each seat, the dealer's with the up-card; constant
    dummy: CardSet | None  # the five open cards beside the hands; constant. None without such cards
    # cards in no hand and not played: the kitty, discards, and, until a player takes them, the
    # up-card and the dummy.
    aside: CardSet
    played: CardSet  # all cards played, those on the table included
    mode: str = dataclasses.field(metadata={"static": True})  # the mode of the rules (static)

    ends_early = True  # if a player goes alone, or all pass

    def idle(self, stage: Stage) -> jax.Array:
        """See `Staged.idle`. A trick of few cards waits before its last one."""
        idle = super().idle(stage)
        if stage.after is None:
            return idle
        waiting = jax.lax.population_count(self.public.tricks.waiting)
        return idle | (waiting <= stage.after)

    @property
    def seating(self) -> Seating:
        return SEATINGS[self.mode]

    @property
    def calls(self) -> Call:
        """The calls so far, and the player to act."""
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
        return self.public.phase == DONE

    @property
    def playing(self) -> jax.Array:
        return self.public.phase >= PLAY

    @property
    def num_played(self) -> jax.Array:
        """uint32: cards played so far."""
        return self.played.count().astype(jnp.uint32)


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """The fields of `TrickObservation`, and the leaves below. Unused leaves are None.

    `player` is an agent, `hand` the cards at its own seat; none while it names a suit blindly.
    """

    public: Public
    discards: CardSet  # the cards that the player has laid aside
    # The open cards as they were dealt: beside the hands, or the hand that lies open. None without a
    # dummy.
    dummy: CardSet | None
    # uint32, cards that the maker has laid down for the dummy's. None without a dummy that can be
    # taken.
    num_discarded: jax.Array | None


EuchreGame = TrickGame[EuchreRules, State, Observation]


def picked_up(up_card: jax.Array, call: Call) -> jax.Array:
    """Return whether the dealer has taken the up-card into the hand: bool.

    Only the first round of bidding, or the joker, makes the suit of the up-card trumps.
    """
    turned = turned_suit(up_card)
    return (call.trump == turned) | ((turned == NUM_SUITS) & (call.phase != NAME_BLIND))


def dealt_again(call: Call) -> jax.Array:
    """Return whether a player with a farmer's hand has asked for a new deal: bool."""
    return (call.trump == NO_SUIT) & (call.alone == 1)


def took_dummy(mode: str, call: Call) -> jax.Array:
    """Return whether the maker has taken the open cards beside the hands: bool."""
    if not SEATINGS[mode].pool:
        return jnp.zeros((), bool)
    may = (call.alone == 0) & (call.trump != NO_SUIT)
    # In this mode only seat 0 may take it.
    if mode == "dummy_pool":
        may = may & (call.maker == 0)
    return may & ((call.phase == EXCHANGE) | (call.phase >= PLAY))


def hand_of(state: State, seat: jax.Array) -> CardSet:
    """Return the cards that a seat holds."""
    hand = by_seat(state.hands, seat)
    if state.dummy is not None:
        hand = hand | state.dummy.where(seat == state.calls.maker)
    return hand - state.aside - state.played


def num_discarded(state: State) -> jax.Array:
    """Return the number of cards that a maker with the dummy has laid down: uint32, 0 to 5."""
    # Beside the hands lie the kitty and, from the bidding, one card more.
    left = state.aside.deck.num_cards - state.seating.num_dealt
    return state.aside.count().astype(jnp.uint32) - left


def legal_cards(rules: EuchreRules, state: State, stage: Stage) -> CardSet:
    """Return the cards that may be laid aside or played (docs/euchre.md, 6 and 7.3)."""
    public = state.public
    call, table = state.calls_in(stage), public.tricks
    hand = hand_of(state, call.seat)
    if stage.leads or stage.last:
        return hand
    follow = hand & suit_cards(hand.deck, table.led, call.trump)
    # On an empty table nothing is led, so nothing can follow and every card is free.
    free = hand
    if not rules.discard_upcard and not stage.plays:
        discards = call.phase == DISCARD
        up_card = jnp.uint32(1) << public.up_card
        (word,) = hand.words
        free = CardSet(hand.deck, [word & ~jnp.where(discards, up_card, 0)])
    return sets.select(follow.any(), follow, free)


def cards_to_play(game: EuchreGame, state: State) -> jax.Array:
    """See `Game.cards_to_play`; a hand for each seat. A seat that sits out has no card to play."""
    rules = game.rules
    active = state.calls.active
    held = []
    for seat in range(seating_of(rules).num_seats):
        plays = (active >> seat) & 1 == 1
        held.append(jnp.where(plays, hand_of(state, jnp.uint32(seat)).count(), 0))
    return jnp.where(state.playing, vector(held), deck_of(rules).num_cards)


def table_after(
    rules: EuchreRules, state: State, plays: jax.Array, card: jax.Array, stage: Stage
) -> tuple[Table, jax.Array, jax.Array]:
    """Return the table after a card, a suit shown to be missing, and whether the trick is over: bool.

    The suit is a bit in the layout of `Public.voids`. Of a complete trick only the winner stays.
    """
    call, table = state.calls, state.public.tricks
    # A known lead starts with an empty table, as constants.
    if stage.leads:
        table = table._replace(led=jnp.uint32(NO_SUIT), best=jnp.uint32(0))
    suit, strength = suit_and_strength(deck_of(rules), card, call.trump, table.led)
    wins = plays & (strength > table.best)
    leads = known(stage.leads, table.led == NO_SUIT)
    after = table._replace(
        led=jnp.where(plays & leads, suit, table.led),
        best=jnp.where(wins, strength, table.best),
        winner=jnp.where(wins, call.seat, table.winner),
        waiting=table.waiting & ~(plays.astype(jnp.uint32) << call.seat),
    )
    complete = plays & known(stage.completes, after.waiting == 0)
    # A card of another suit than the one led shows a void.
    lacks = jnp.where(plays & ~leads & (suit != table.led), jnp.uint32(1) << table.led, 0)
    cleared = after._replace(
        led=jnp.where(complete, jnp.uint32(NO_SUIT), after.led),
        best=jnp.where(complete, 0, after.best),
        waiting=jnp.where(complete, call.active, after.waiting),
        tricks=after.tricks + complete.astype(jnp.uint32),
        winners=after.winners | jnp.where(complete, after.winner << (2 * after.tricks), 0),
    )
    return cleared, lacks << (4 * call.seat), complete
