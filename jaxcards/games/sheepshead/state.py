"""The state of a deal of Sheepshead and how it is packed."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import stages
from jaxcards.cards.seats import by_seat, field, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead.deck import DECK
from jaxcards.stages import Stage, Staged

# Phases of a deal, in their order (contract section 6).
PICK, LONER, CALL, UNKNOWN, BURY, CRACK, RECRACK, PLAY, DONE = range(9)
PHASE_NAMES = ("pick", "loner", "call", "unknown", "bury", "crack", "recrack", "play", "done")

NO_SEAT = 7
POINTS_BITS = 8  # a seat's card points, at most 120
SEATS_PER_WORD = 32 // POINTS_BITS
WINNER_BITS = 3  # a trick's winner
CLASS_BITS = 5  # a seat's missing classes


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State(Staged):
    """A deal of Sheepshead; every leaf is a scalar (a batch axis comes from `jax.vmap`).

    Leaves that a rule set has no use for are None. A set of cards is one word.

    Attributes:
      hands: the cards dealt to each seat; constant.
      blind: the cards dealt to nobody; constant. The picker adds them to its hand.
      played: all cards played, those on the table included.
      buried: the cards that the picker has laid aside.
      history: uint32 words, the cards in the order of play; see `jaxcards.cards.history`. The
        unknown is entered as `NO_CARD`, face down.
      current_player: int32, the seat to act.
      phase: uint32, `PICK` to `DONE`.
      num_played: uint32, cards played so far.
      dealer: uint32, the seat that dealt.
      stakes: uint32, the multiplier that the deal began with, 1 without doublers.
      queue: uint32, doubled deals still to come, this one included; None unless doublers queue.
      totals: int32 for each seat, the match totals before the deal.
      picker: uint32, the seat that picked, or `NO_SEAT`.
      called: uint32, the card whose holder is the partner (the jack of diamonds where that is the
        rule and the picker is not known to be alone), or `NO_CARD`; None without partners.
      unknown: uint32, the picker's unknown card, or `NO_CARD`; None where there is none.
      unknown_taker: uint32, the seat that took the trick with the unknown, or `NO_SEAT`; or None.
      keeps: bool, the picker is bound to hold a card of the called suit (the unknown counts); None
        unless cards are called.
      cracker: uint32, the seat that cracked, or `NO_SEAT`; None without cracking.
      recracked: bool, the picker answered; None without re-cracking.
      table: uint32, the trick on the table; see `tricks.pack`. The unknown counts no points.
      points: uint32 words, eight bits a seat, four seats in each: card points of the tricks it won,
        0 for the unknown.
      winners: uint32, three bits a trick: the seat that won it, first trick lowest.
      voids: uint32, bit 5 * seat + class: the play has shown that the seat has no card of the class.
      ends_early: whether a deal in which nobody picks is not played (static).
      stage: what is known of the next decision (static).
    """

    hands: tuple[CardSet, ...]
    blind: CardSet
    played: CardSet
    buried: CardSet
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    phase: jax.Array
    num_played: jax.Array
    dealer: jax.Array
    stakes: jax.Array
    queue: jax.Array | None
    totals: tuple[jax.Array, ...]
    picker: jax.Array
    called: jax.Array | None
    unknown: jax.Array | None
    unknown_taker: jax.Array | None
    keeps: jax.Array | None
    cracker: jax.Array | None
    recracked: jax.Array | None
    table: jax.Array
    points: tuple[jax.Array, ...]
    winners: jax.Array
    voids: jax.Array
    ends_early: bool = dataclasses.field(metadata={"static": True})
    stage: Stage = dataclasses.field(metadata={"static": True}, default=stages.ANY)

    @property
    def public(self) -> "State":
        """What everybody sees is not yet apart."""
        return self

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        return self.phase == DONE

    @property
    def playing(self) -> jax.Array:
        """bool: the cards are being played, or have been."""
        return self.phase >= PLAY


def num_seats(state: State) -> int:
    """Returns the number of players."""
    return len(state.hands)


def leader(state: State) -> jax.Array:
    """Returns the seat to the left of the dealer, which asks and leads first: uint32."""
    return seat_after(state.dealer, 1, num_seats(state))


def hand_of(state: State, seat: jax.Array) -> jax.Array:
    """Returns the cards that a seat holds, as a word: uint32; the picker's with what it picked up."""
    seat = seat.astype(jnp.uint32)
    dealt = by_seat(state.hands, seat).words[0]
    picked_up = jnp.where(seat == state.picker, state.blind.words[0], 0)
    return (dealt | picked_up) & ~(state.played.words[0] | state.buried.words[0])


def single(card: jax.Array) -> jax.Array:
    """Returns the set of one card, as a word: uint32; empty for `NO_CARD`."""
    return CardSet.single(DECK, card).words[0]


def seat_points(points: tuple[jax.Array, ...], seat: int) -> jax.Array:
    """Returns the card points of a known seat of `State.points`: uint32."""
    return field(points[seat // SEATS_PER_WORD], seat % SEATS_PER_WORD, POINTS_BITS)


def trick_winner(winners: jax.Array, trick: int) -> jax.Array:
    """Returns the winner of a trick of `State.winners`, counted from 0: uint32."""
    return field(winners, trick, WINNER_BITS)
