"""Which action was taken at a moment of a deal that went on."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.games.belote.calls import CALL_BITS, NAME, PASS
from jaxcards.games.belote.state import State


def action_taken(state: State, later: State) -> jax.Array:
    """Returns what the player to act did then: uint32; see `Game.action_taken`."""
    card = history.card_at(later.public.history, state.public.num_played)
    return jnp.where(state.playing, card, _call(state, later))


def _call(state: State, later: State) -> jax.Array:
    """Returns the call of a player (docs/belote.md, 3)."""
    public, number = later.public, state.public.num_calls
    if public.calls is not None:
        return PASS + history.card_at(public.calls, number.astype(jnp.uint32), bits=CALL_BITS)
    # Every call but the last was a pass.
    names = public.playing & (number + 1 == public.num_calls)
    return jnp.where(names, NAME + public.mode, jnp.uint32(PASS))
