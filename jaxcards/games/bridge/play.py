"""The pack, the state of a deal, and the play of a card (docs/bridge.md, 2 and 4)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards.packs import FRENCH
from jaxcards.cards.seats import seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.bridge.rules import BridgeRules
from jaxcards.stages import Stage
from jaxcards.xla.bitfields import bits_of
from jaxcards.xla.pytrees import pytree

DECK, SEATS, HAND = FRENCH, 4, 13
BID, PLAY, DONE = range(3)
LEVELS, STRAINS = 7, 5  # strains: the suits in the order of the pack, then no trump
NUM_BIDS = LEVELS * STRAINS
WON_BITS = 4  # the tricks of a side


@pytree
@dataclasses.dataclass(frozen=True)
class Public(kit.TrickPublic):
    """The public part of a deal; every leaf is a scalar (docs/bridge.md, 9).

    `current_player` is the seat whose card or call is next; `State.current_player` acts for it.
    """

    phase: jax.Array  # uint32, `BID`, `PLAY` or `DONE`
    dealer: jax.Array  # uint32, the seat that dealt and calls first
    auction: tuple[jax.Array, ...]  # a uint32 for each level, see `calls`
    last: jax.Array  # uint32 of bits, see the properties from `num_bids` on
    namers: jax.Array  # uint32, two bits for each strain of each side: 1 + seat // 2 of the first namer
    won: jax.Array  # uint32, `WON_BITS` a side: tricks won
    voids: jax.Array  # uint32, bit 4 * seat + suit: the play has shown that the seat lacks the suit
    totals: tuple[jax.Array, ...]  # int32 for each side, before the deal

    num_bids = bits_of("last", 0, 6)  # 1 more than the last bid, 0 before the first one
    bidder = bits_of("last", 6, 2)  # the seat of the last bid
    doubled = bits_of("last", 8, 2)  # 1 after a double of the last bid, 2 after a redouble
    passes = bits_of("last", 10, 3)  # since the last other call
    vulnerability = bits_of("last", 13, 2)  # bit 0 for the side of seats 0 and 2, bit 1 for the other
    deal = bits_of("last", 15, 2)  # in Chicago: the number of the deal, from 0

    @property
    def part_scores(self) -> tuple[jax.Array, jax.Array]:
        """uint32: what each side of a rubber has below the line before the deal, in tens."""
        return (self.last >> 15) & 15, (self.last >> 19) & 15

    @property
    def level(self) -> jax.Array:
        """uint32: the level of the last bid; 0 before the first one."""
        return jax.lax.div(self.num_bids + STRAINS - 1, jnp.uint32(STRAINS))

    @property
    def strain(self) -> jax.Array:
        """uint32: the strain of the last bid; undefined before the first one."""
        return jax.lax.rem(self.num_bids + STRAINS - 1, jnp.uint32(STRAINS))

    @property
    def declarer(self) -> jax.Array:
        """uint32: the seat that first named the strain of the last bid, of the side that bid last."""
        side = self.bidder & 1
        first = (self.namers >> (2 * (STRAINS * side + self.strain))) & 3
        return side + 2 * (jnp.maximum(first, 1) - 1)

    @property
    def dummy(self) -> jax.Array:
        """uint32: the partner of the declarer."""
        return seat_after(self.declarer, 2, SEATS)

    def won_by(self, side: int | jax.Array) -> jax.Array:
        """Return the tricks of a side: int32."""
        shift = WON_BITS * jnp.asarray(side).astype(jnp.uint32)
        return ((self.won >> shift) & ((1 << WON_BITS) - 1)).astype(jnp.int32)


@pytree
@dataclasses.dataclass(frozen=True)
class State(kit.TrickState):
    """A deal of Bridge."""

    ends_early = True

    @property
    def current_player(self) -> jax.Array:
        """int32: the player to act; the declarer plays the cards of the dummy."""
        public = self.public
        by_declarer = (public.phase == PLAY) & (public.current_player == public.dummy.astype(jnp.int32))
        declarer = public.declarer.astype(jnp.int32)
        return jnp.where(by_declarer, declarer, public.current_player)

    @property
    def playing(self) -> jax.Array:
        return self.public.phase >= PLAY

    @property
    def terminated(self) -> jax.Array:
        return self.public.phase == DONE


@pytree
@dataclasses.dataclass(frozen=True)
class Observation(kit.TrickObservation):
    """All that a player may know.

    Attributes:
      dummy: the cards that the dummy holds, once they lie open; else empty.
    """

    dummy: CardSet

    @property
    def unseen(self) -> CardSet:
        return super().unseen - self.dummy


BridgeGame = kit.TrickGame[BridgeRules, State, Observation]


def legal_cards(game: BridgeGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the player to act may play (docs/bridge.md, 4)."""
    hand = state.hand_of(state.public.current_player)
    return hand if stage.last else kit.follow_suit(hand, state.trick(stage).led)


def play(game: BridgeGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/bridge.md, 4)."""
    after, trick, complete = kit.play_by_rank(
        state, stage, card, trump=state.public.strain, points=jnp.uint32(0)
    )
    public = after.public
    one = jnp.uint32(1) << (WON_BITS * (trick.winner & 1))
    over = complete & (public.num_played == SEATS * game.hand_size)
    return after.with_public(
        won=public.won + jnp.where(complete, one, 0),
        phase=jnp.where(over, DONE, public.phase).astype(jnp.uint32),
    )


def dummy_cards(state: State) -> CardSet:
    """Return the cards of the dummy, which lie open from the first lead on; else the empty set."""
    public = state.public
    return state.hand_of(public.dummy).where((public.phase == PLAY) & (public.num_played > 0))
