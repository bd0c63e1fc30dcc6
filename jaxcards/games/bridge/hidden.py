"""The observation of a player, and the possible places of hidden cards (docs/bridge.md, 9)."""

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import sets
from jaxcards.cards.places import CardPlaces
from jaxcards.cards.sets import CardSet
from jaxcards.games.bridge.play import SEATS, BridgeGame, Observation, State, dummy_cards
from jaxcards.kit.state import observed


def observe(game: BridgeGame, state: State, player: jax.Array) -> Observation:
    """Return an observation; all see the dummy after the first lead."""
    del game
    seen = observed(state, player)
    others = seen["player"].astype(jnp.uint32) != state.public.dummy
    return Observation(**seen, dummy=dummy_cards(state).where(others))


def card_places(game: BridgeGame, state: State) -> CardPlaces:
    """See `Game.card_places`; the declarer holds the cards of the dummy, once they lie open."""
    public, open_cards = state.public, dummy_cards(state)
    places = kit.TrickGame.card_places(game, state)
    hands = tuple(
        (hand - open_cards) | open_cards.where(public.declarer == seat)
        for seat, hand in enumerate(places.hands)
    )
    return places._replace(hands=hands, shown=(*places.shown, open_cards))


def possible_cards(game: BridgeGame, observation: Observation) -> tuple[list[CardSet], list[jax.Array]]:
    """See `TrickGame.possible_cards`; the cards of an open dummy are known."""
    seen, public = observation, observation.public
    allowed, sizes = kit.TrickGame.possible_cards(game, seen)
    is_open = seen.dummy.any()
    allowed = [
        sets.select(is_open & (public.dummy == seat), seen.dummy, cards)
        for seat, cards in zip(range(SEATS), allowed, strict=True)
    ]
    return allowed, sizes
