"""What a Sheepshead player sees (contract section 12)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.history import last_cards
from jaxcards.cards.sets import CardSet
from jaxcards.cards.tricks import Trick, unpack
from jaxcards.games.sheepshead.deck import DECK, NO_CARD
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.score import partner_seats, public_points
from jaxcards.games.sheepshead.state import DONE, NO_SEAT, PICK, State, hand_of, single


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """All that a player may know at a moment of a deal; every leaf is a scalar.

    Seats are absolute. The order of all cards played is in it, and from the seats and the record of
    picking and cracking follows who said what: nothing is forgotten.

    Attributes:
      player: int32, whose view this is.
      hand: the cards that the player holds.
      played_by: for each seat, the cards that it has played; without the unknown, which lies face
        down for all but the picker until the end.
      history: uint32 words, the cards in the order of play; the unknown is `NO_CARD`. See `State`.
      current_player: int32, the seat to act.
      phase: uint32, see `State.phase`.
      num_played: uint32, cards played so far.
      num_buried: uint32, cards that the picker has laid aside.
      dealer: uint32.
      stakes: uint32, the multiplier that the deal began with.
      queue: uint32, doubled deals to come, this one included. None unless doublers queue.
      totals: int32 for each seat, the match totals before the deal.
      picker: uint32, the seat that picked, or `NO_SEAT`.
      called: uint32, the called card, `NO_CARD` without one; see `State.called`. None without partners.
      partner: uint32, the picker's partner if this player knows it, else `NO_SEAT`. None without
        partners.
      has_unknown: bool, there is an unknown card. None where there is none.
      unknown: uint32, that card, for the picker, and for all at the end; else `NO_CARD`. Or None.
      unknown_taker: uint32, the seat that took the trick with the unknown, or `NO_SEAT`. Or None.
      keeps: bool, the picker is bound to hold a card of the called suit; see `State.keeps`. Or None.
      blind: for the picker the cards it picked up; at the end the blind for all; else empty.
      buried: for the picker, and for all at the end, the cards laid aside; else empty.
      cracker: uint32, the seat that cracked, or `NO_SEAT`. None without cracking.
      recracked: bool. None without re-cracking.
      table: uint32, the trick on the table; see `tricks.pack`. The unknown counts no points.
      points: uint32 words, eight bits a seat: card points of tricks won as far as all can count them:
        the unknown, and the blind of a leaster, count at the end only.
      winners: uint32, three bits a trick: the seat that won it.
      voids: uint32, bit 5 * seat + class: known to have no card of the class; see `State.voids`.
    """

    player: jax.Array
    hand: CardSet
    played_by: tuple[CardSet, ...]
    history: tuple[jax.Array, ...]
    current_player: jax.Array
    phase: jax.Array
    num_played: jax.Array
    num_buried: jax.Array
    dealer: jax.Array
    stakes: jax.Array
    queue: jax.Array | None
    totals: tuple[jax.Array, ...]
    picker: jax.Array
    called: jax.Array | None
    partner: jax.Array | None
    has_unknown: jax.Array | None
    unknown: jax.Array | None
    unknown_taker: jax.Array | None
    keeps: jax.Array | None
    blind: CardSet
    buried: CardSet
    cracker: jax.Array | None
    recracked: jax.Array | None
    table: jax.Array
    points: tuple[jax.Array, ...]
    winners: jax.Array
    voids: jax.Array

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return unpack(self.table)


def observe(rules: SheepsheadRules, state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    player = jnp.asarray(player, jnp.int32)
    nothing = CardSet.empty(DECK)
    over = state.phase == DONE
    picks = player.astype(jnp.uint32) == state.picker
    in_the_know = picks | over
    has_unknown = unknown = None
    played = state.played
    if state.unknown is not None:
        has_unknown = state.unknown != NO_CARD
        unknown = jnp.where(in_the_know, state.unknown, NO_CARD)
        face_down = jnp.where(in_the_know, 0, single(state.unknown))
        played = played - CardSet(DECK, [face_down])
    return Observation(
        player=player,
        hand=CardSet(DECK, [hand_of(state, player)]),
        played_by=tuple(cards_ & played for cards_ in owned(state)),
        history=state.history,
        current_player=state.current_player,
        phase=state.phase,
        num_played=state.num_played,
        num_buried=state.buried.count().astype(jnp.uint32),
        dealer=state.dealer,
        stakes=state.stakes,
        queue=state.queue,
        totals=state.totals,
        picker=state.picker,
        called=state.called,
        partner=_known_partner(state, player) if state.called is not None else None,
        has_unknown=has_unknown,
        unknown=unknown,
        unknown_taker=state.unknown_taker,
        keeps=state.keeps,
        blind=sets.select(in_the_know, state.blind, nothing),
        buried=sets.select(in_the_know, state.buried, nothing),
        cracker=state.cracker,
        recracked=state.recracked,
        table=state.table,
        points=public_points(rules, state),
        winners=state.winners,
        voids=state.voids,
    )


def owned(state: State) -> list[CardSet]:
    """Returns for each seat its cards, those that it picked up included, played and buried or not."""
    return [
        hand | sets.select(state.picker == seat, state.blind, CardSet.empty(DECK))
        for seat, hand in enumerate(state.hands)
    ]


def _known_partner(state: State, player: jax.Array) -> jax.Array:
    """Returns the partner's seat if it has shown itself or is the player itself: uint32."""
    assert state.called is not None
    shown = single(state.called) & state.played.words[0] != 0
    partner = jnp.uint32(NO_SEAT)
    for seat, helps in enumerate(partner_seats(state)):
        known = helps & (shown | (player == seat) | (state.phase == DONE))
        partner = jnp.where(known, jnp.uint32(seat), partner)
    return partner


def table_cards(rules: SheepsheadRules, observation: Observation) -> CardSet:
    """Returns the cards on the table, but for a card that lies face down."""
    on_table = observation.num_played % rules.num_players
    return last_cards(
        observation.history, DECK, observation.num_played, on_table, rules.num_players - 1
    )


def blind_is_hidden(seen: Observation) -> jax.Array:
    """Returns whether the blind still lies where it was dealt: bool; else the picker has had it."""
    return (seen.phase == PICK) | (seen.picker == NO_SEAT)
