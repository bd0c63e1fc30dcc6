"""The play of the cards: what is legal, and what a card does (docs/rikiki.md, 5 and 6)."""

import jax
import jax.numpy as jnp

from jaxcards.cards import tricks
from jaxcards.cards.sets import CardSet
from jaxcards.games.rikiki.deck import DECK
from jaxcards.games.rikiki.state import VOID_BITS, RikikiGame, State, count_bits
from jaxcards.kit import follow_suit, play_card, shown_void
from jaxcards.stages import Stage


def legal_cards(game: RikikiGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/rikiki.md, 5.3)."""
    del game  # the same in all rules
    hand = state.hand_of(state.current_player)
    return hand if stage.last else follow_suit(hand, state.trick(stage).led)


def play(game: RikikiGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/rikiki.md, 5.2, 5.3 and 6)."""
    public, plays = state.public, state.plays(card < DECK.num_cards, stage)
    suit, rank = DECK.suit_and_rank(card)
    before = state.trick(stage)
    strength = jnp.where(suit == tricks.lead_suit(before, suit), rank + 1, 0)
    strength = jnp.where(suit == public.trump, tricks.TRUMP + rank + 1, strength)
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit, strength=strength, points=jnp.uint32(1)
    )
    void = shown_void(before.led, suit) << (public.current_player.astype(jnp.uint32) * VOID_BITS)
    won = jnp.uint32(1) << (trick.winner * count_bits(game.num_players))
    return after.with_public(
        tricks_won=public.tricks_won + jnp.where(complete, won, 0),
        voids=public.voids | jnp.where(plays, void, 0),
    )
