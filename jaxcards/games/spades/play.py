"""The pack, the state of a deal, and the play of a card (docs/spades.md, 2 and 4)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import sets
from jaxcards.cards.packs import FRENCH as DECK
from jaxcards.cards.seats import field
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.spades.rules import SpadesRules
from jaxcards.stages import Stage
from jaxcards.xla.pytrees import pytree

SPADES = 3
BITS = 5  # a seat's bid or tricks, at most 18


def spades() -> CardSet:
    """Return all spades."""
    return CardSet.suit_of(DECK, jnp.uint32(SPADES))


@pytree
@dataclasses.dataclass(frozen=True)
class Public(kit.TrickPublic):
    """The public part of a deal; every leaf is a scalar (docs/spades.md, 7)."""

    dealer: jax.Array  # uint32, the seat that dealt; it bids last
    bids: jax.Array  # uint32, `BITS` a seat: 0 before its bid, then 1 more than the bid
    # uint32, bit s: seat s has bid nil blind; bit 4 + s: it has chosen to look at its cards first.
    # None if the rules have no blind nil.
    blind: jax.Array | None
    won: jax.Array  # uint32, `BITS` a seat: tricks won
    voids: jax.Array  # uint32, bit 4 * seat + suit: the play has shown that the seat lacks the suit
    totals: tuple[jax.Array, ...]  # int32 for each side, before the deal; the last digit counts bags

    def bid_of(self, seat: int | jax.Array) -> jax.Array:
        """Return the bid of a seat: int32, -1 before it."""
        return field(self.bids, seat, BITS).astype(jnp.int32) - 1

    def won_by(self, seat: int | jax.Array) -> jax.Array:
        """Return the tricks that a seat has won: int32."""
        return field(self.won, seat, BITS).astype(jnp.int32)


@pytree
@dataclasses.dataclass(frozen=True)
class State(kit.TrickState):
    """A deal of Spades."""

    @property
    def playing(self) -> jax.Array:
        """bool: the calls are over, because the dealer bids last."""
        return self.public.bid_of(self.public.dealer) >= 0


Observation = kit.TrickObservation
SpadesGame = kit.TrickGame[SpadesRules, State, Observation]


def legal_cards(game: SpadesGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/spades.md, 4)."""
    hand = state.hand_of(state.current_player)
    if stage.last:
        return hand
    led, others = state.trick(stage).led, hand
    # The limits for spades apply to leads only.
    if stage.leads is not False:
        leads = kit.lead_other(hand, closed(game.rules, state.played))
        others = sets.select(led == NO_SUIT, leads, hand)
    return kit.follow_suit(hand, led, others)


def closed(rules: SpadesRules, played: CardSet) -> CardSet:
    """Return the cards that may not be led yet: the spades, or none."""
    nothing = CardSet.empty(DECK)
    if rules.lead_spades == "broken":
        return sets.select((played & spades()).any(), nothing, spades())
    return spades() if rules.lead_spades == "last" else nothing


def play(game: SpadesGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/spades.md, 4)."""
    barred = closed(game.rules, state.played)
    after, trick, complete = kit.play_by_rank(
        state, stage, card, trump=SPADES, points=jnp.uint32(0), closed=barred
    )
    won = jnp.where(complete, jnp.uint32(1) << (BITS * trick.winner), 0)
    return after.with_public(won=state.public.won + won)
