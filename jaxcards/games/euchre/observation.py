"""What a Euchre player sees (contract section 11)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import CardSet, select
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.games.euchre.seating import seating_of
from jaxcards.games.euchre.state import (
    NAME_BLIND,
    Call,
    State,
    Table,
    num_discarded,
    picked_up,
    took_dummy,
    unpack_call,
    unpack_table,
)


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Observation:
    """All that a player may know at a moment of a deal; every leaf is a scalar.

    Seats are absolute. All bids follow from `call` and the dealer, since only one player ever names a
    suit, and the order of all cards played is in `history`: nothing is forgotten.

    Attributes:
      player: int32, the agent whose view this is.
      hand: the cards that the player holds at its own seat; none while it names a suit blindly.
      discards: the cards that the player has laid aside.
      dummy: the open cards as they were dealt: beside the hands, or the hand that lies open. None
        without a dummy.
      num_discarded: uint32, cards that the maker has laid down for the dummy's. None without a dummy
        that can be taken.
      played_by: for each seat, the cards that it has played.
      history: uint32 words, the cards in the order of play; see `State.history`.
      up_card: uint32, the card turned up.
      dealer: uint32, the seat that dealt.
      call: uint32, what has been said and whose turn it is; see `state.Call`.
      table: uint32, the trick on the table and the tricks won; see `state.Table`.
      voids: uint32, bit 4 * seat + suit: known to have no card of the suit; see `State.voids`.
      totals: uint16 for each side, the match totals before the deal; see `State.totals`.
    """

    player: jax.Array
    hand: CardSet
    discards: CardSet
    dummy: CardSet | None
    num_discarded: jax.Array | None
    played_by: tuple[CardSet, ...]
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
    def tricks(self) -> Table:
        """The trick on the table and the tricks won."""
        return unpack_table(self.table)

    @property
    def picked_up(self) -> jax.Array:
        """bool: the dealer has taken the up-card."""
        return picked_up(self.up_card, self.calls)


def observe(rules: EuchreRules, state: State, player: jax.Array) -> Observation:
    """Returns what a player may know."""
    seating, call, deck = seating_of(rules), state.calls, state.aside.deck
    player = jnp.asarray(player, jnp.int32)
    seat = seating.seat_of(player)
    hands, dummy, exchanged = state.hands, state.dummy, None
    if dummy is not None:
        taken = took_dummy(rules.mode, call)
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
    if rules.joker:
        blind = (call.phase == NAME_BLIND) & (seat == state.dealer)
        hand = select(blind, CardSet.empty(deck), hand)
    # The up-card counts as dealt to the dealer, and lies aside as long as it is not picked up.
    open_card = jnp.where(picked_up(state.up_card, call), 0, jnp.uint32(1) << state.up_card)
    return Observation(
        player=player,
        hand=hand,
        discards=own & (state.aside - CardSet(deck, [open_card])),
        dummy=dummy,
        num_discarded=exchanged,
        played_by=tuple(cards & state.played for cards in hands),
        history=state.history,
        up_card=state.up_card,
        dealer=state.dealer,
        call=state.call,
        table=state.table,
        voids=state.voids,
        totals=state.totals,
    )
