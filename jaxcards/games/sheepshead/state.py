"""The state of a deal of Sheepshead, what a player sees of it, and how both are packed."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.seats import by_seat, field, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead.deck import DECK, NO_CARD
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.kit import TrickGame, TrickObservation, TrickPublic, TrickState
from jaxcards.stages import Stage
from jaxcards.xla.pytrees import pytree

# Phases of a deal, in their order (docs/sheepshead.md, 6).
PICK, LONER, CALL, UNKNOWN, BURY, CRACK, RECRACK, PLAY, DONE = range(9)
PHASE_NAMES = ("pick", "loner", "call", "unknown", "bury", "crack", "recrack", "play", "done")

NO_SEAT = 7
POINTS_BITS = 8  # a seat's card points, at most 120
SEATS_PER_WORD = 32 // POINTS_BITS
WINNER_BITS = 3  # a trick's winner
CLASS_BITS = 5  # a seat's missing classes


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """What everybody sees of a deal (docs/sheepshead.md, 12), and what `TrickPublic` has.

    From the seats and the record of picking and cracking follows who said what. The unknown is in the
    history as `NO_CARD`, face down, and counts no points on the table. Leaves that a rule set has no
    use for are None.

    Attributes:
      phase: uint32, `PICK` to `DONE`.
      dealer: uint32, the seat that dealt.
      stakes: uint32, the multiplier that the deal began with, 1 without doublers.
      queue: uint32, doubled deals still to come, this one included; None unless doublers queue.
      totals: int32 for each seat, the match totals before the deal.
      picker: uint32, the seat that picked, or `NO_SEAT`.
      called: uint32, the card whose holder is the partner (the jack of diamonds where that is the
        rule and the picker is not known to be alone), or `NO_CARD`; None without partners.
      unknown_taker: uint32, the seat that took the trick with the unknown, or `NO_SEAT`; or None.
      keeps: bool, the picker is bound to hold a card of the called suit (the unknown counts); None
        unless cards are called.
      cracker: uint32, the seat that cracked, or `NO_SEAT`; None without cracking.
      recracked: bool, the picker answered; None without re-cracking.
      points: uint32 words, eight bits a seat, four seats in each: card points of the tricks it won,
        0 for the unknown. What everybody can count at the end is `score.public_points`.
      winners: uint32, three bits a trick: the seat that won it, first trick lowest.
      voids: uint32, bit 5 * seat + class: the play has shown that the seat has no card of the class.
    """

    phase: jax.Array
    dealer: jax.Array
    stakes: jax.Array
    queue: jax.Array | None
    totals: tuple[jax.Array, ...]
    picker: jax.Array
    called: jax.Array | None
    unknown_taker: jax.Array | None
    keeps: jax.Array | None
    cracker: jax.Array | None
    recracked: jax.Array | None
    points: tuple[jax.Array, ...]
    winners: jax.Array
    voids: jax.Array


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Sheepshead: what `TrickState` has, and the leaves below. Those without a use are None.

    Attributes:
      blind: the cards behind the hands; constant. The picker adds them to its hand.
      buried: the cards that the picker has laid aside.
      unknown: uint32, the picker's unknown card, or `NO_CARD`; None where there is none.
      ends_early: whether a deal in which nobody picks is not played (static).
    """

    public: Public
    blind: CardSet
    buried: CardSet
    unknown: jax.Array | None
    ends_early: bool = dataclasses.field(metadata={"static": True}, default=False)

    @property
    def terminated(self) -> jax.Array:
        """bool: the deal is over."""
        return self.public.phase == DONE

    @property
    def playing(self) -> jax.Array:
        """bool: the cards are being played, or have been."""
        return self.public.phase >= PLAY

    def deciding(self, stage: Stage) -> jax.Array:
        """See `Staged.deciding`. Where no deal ends early, all play their cards side by side."""
        if stage.plays and not self.ends_early:
            return jnp.uint32(PLAY)
        return super().deciding(stage)


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(TrickObservation):
    """What `TrickObservation` has, and the leaves below. Those without a use are None.

    The unknown lies face down: until the end, it is in `played_by` for the picker only.

    Attributes:
      num_buried: uint32, cards that the picker has laid aside.
      partner: uint32, the picker's partner if this player knows it, else `NO_SEAT`. None without
        partners.
      has_unknown: bool, there is an unknown card. None where there is none.
      unknown: uint32, that card, for the picker, and for all at the end; else `NO_CARD`. Or None.
      blind: for the picker the cards it picked up; at the end the blind for all; else empty.
      buried: for the picker, and for all at the end, the cards laid aside; else empty.
    """

    public: Public
    num_buried: jax.Array
    partner: jax.Array | None
    has_unknown: jax.Array | None
    unknown: jax.Array | None
    blind: CardSet
    buried: CardSet


SheepsheadGame = TrickGame[SheepsheadRules, State, Observation]


def observe(game: SheepsheadGame, state: State, player: jax.Array) -> Observation:
    """Return what a player may know."""
    del game  # the same in all rules
    player, public = jnp.asarray(player, jnp.int32), state.public
    nothing = CardSet.empty(DECK)
    in_the_know = sees_aside(public, player)
    has_unknown = unknown = None
    played = state.played
    if state.unknown is not None:
        has_unknown = state.unknown != NO_CARD
        unknown = jnp.where(in_the_know, state.unknown, NO_CARD)
        face_down = jnp.where(in_the_know, 0, single(state.unknown))
        played = played - CardSet(DECK, [face_down])
    return Observation(
        public=public,
        player=player,
        hand=CardSet(DECK, [hand_of(state, player)]),
        played_by=tuple(cards & played for cards in owned(state)),
        num_buried=state.buried.count().astype(jnp.uint32),
        partner=_known_partner(state, player) if public.called is not None else None,
        has_unknown=has_unknown,
        unknown=unknown,
        blind=sets.select(in_the_know, state.blind, nothing),
        buried=sets.select(in_the_know, state.buried, nothing),
    )


def sees_aside(public: Public, player: jax.Array) -> jax.Array:
    """Return whether a player sees blind, bury and unknown: bool.

    The picker does from the pick on, everybody does at the end.
    """
    return (player.astype(jnp.uint32) == public.picker) | (public.phase == DONE)


def owned(state: State) -> list[CardSet]:
    """Return for each seat its cards, those that it picked up included, played and buried or not."""
    return [
        hand | sets.select(state.public.picker == seat, state.blind, CardSet.empty(DECK))
        for seat, hand in enumerate(state.hands)
    ]


def _known_partner(state: State, player: jax.Array) -> jax.Array:
    """Return the partner's seat if it has shown itself or is the player itself: uint32."""
    assert state.public.called is not None
    shown = single(state.public.called) & state.played.words[0] != 0
    partner = jnp.uint32(NO_SEAT)
    for seat, helps in enumerate(partner_seats(state)):
        known = helps & (shown | (player == seat) | (state.public.phase == DONE))
        partner = jnp.where(known, jnp.uint32(seat), partner)
    return partner


def partner_seats(state: State) -> list[jax.Array]:
    """Return for each seat whether it is the picker's partner: bool."""
    nobody = jnp.zeros((), bool)
    if state.public.called is None:
        return [nobody for _ in state.hands]
    card = single(state.public.called)
    return [
        (hand.words[0] & card != 0) & (state.public.picker != seat) & (state.public.picker != NO_SEAT)
        for seat, hand in enumerate(state.hands)
    ]


def blind_is_hidden(public: Public) -> jax.Array:
    """Return whether the blind still lies where it was dealt: bool; else the picker has had it."""
    return (public.phase == PICK) | (public.picker == NO_SEAT)


def num_seats(state: State) -> int:
    """Return the number of players."""
    return len(state.hands)


def leader(state: State) -> jax.Array:
    """Return the seat to the left of the dealer, which asks and leads first: uint32."""
    return seat_after(state.public.dealer, 1, num_seats(state))


def hand_of(state: State, seat: jax.Array) -> jax.Array:
    """Return the cards that a seat holds, as a word: uint32; the picker's with what it picked up."""
    seat = seat.astype(jnp.uint32)
    dealt = by_seat(state.hands, seat).words[0]
    picked_up = jnp.where(seat == state.public.picker, state.blind.words[0], 0)
    return (dealt | picked_up) & ~(state.played.words[0] | state.buried.words[0])


def single(card: jax.Array) -> jax.Array:
    """Return the set of one card, as a word: uint32; empty for `NO_CARD`."""
    return CardSet.single(DECK, card).words[0]


def seat_points(points: tuple[jax.Array, ...], seat: int) -> jax.Array:
    """Return the card points of a known seat of `Public.points`: uint32."""
    return field(points[seat // SEATS_PER_WORD], seat % SEATS_PER_WORD, POINTS_BITS)


def trick_winner(winners: jax.Array, trick: int) -> jax.Array:
    """Return the winner of a trick of `Public.winners`, counted from 0: uint32."""
    return field(winners, trick, WINNER_BITS)
