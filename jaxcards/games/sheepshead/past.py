"""Which action was taken at a moment of a deal that went on."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
)
from jaxcards.games.sheepshead.deck import NO_CARD
from jaxcards.games.sheepshead.state import (
    BURY,
    CALL,
    CRACK,
    LONER,
    PICK,
    PLAY,
    RECRACK,
    UNKNOWN,
    State,
)
from jaxcards.xla.lowest import lowest_place


def action_taken(state: State, later: State) -> jax.Array:
    """Returns what the player to act did then: uint32; see `Game.action_taken`.

    Of the cards of a bury the lowest is the first.
    """
    phase = state.public.phase
    card = history.card_at(later.public.history, state.public.num_played)
    if later.unknown is not None:
        card = jnp.where(card == NO_CARD, later.unknown, card)
        card = jnp.where(phase == UNKNOWN, later.unknown, card)
    if later.public.called is not None:
        card = jnp.where(phase == CALL, later.public.called, card)
    buried = later.buried.words[0] & ~state.buried.words[0]
    card = jnp.where(phase == BURY, lowest_place(buried), card)
    chooses_card = (phase == PLAY) | (phase == BURY) | (phase == CALL) | (phase == UNKNOWN)
    return jnp.where(chooses_card, card, _said(state, later))


def _said(state: State, later: State) -> jax.Array:
    """Returns what was said: pick, partner, crack, re-crack, or not (docs/sheepshead.md, 6)."""
    phase, public = state.public.phase, later.public
    seat = state.current_player.astype(jnp.uint32)
    does, action = (phase == PICK) & (public.picker == seat), jnp.uint32(PICK_ACTION)
    if public.cracker is not None:
        cracks = (phase == CRACK) & (public.cracker == seat)
        does, action = does | cracks, jnp.where(cracks, CRACK_ACTION, action)
    if public.recracked is not None:
        recracks = (phase == RECRACK) & public.recracked
        does, action = does | recracks, jnp.where(recracks, RECRACK_ACTION, action)
    said = jnp.where(does, action, PASS_ACTION)
    if public.called is not None:
        # A card is called right after that, if any is.
        partner = (public.called < NO_CARD) | (public.phase == CALL)
        answer = jnp.where(partner, jnp.uint32(PARTNER_ACTION), jnp.uint32(ALONE_ACTION))
        said = jnp.where(phase == LONER, answer, said)
    return said.astype(jnp.uint32)
