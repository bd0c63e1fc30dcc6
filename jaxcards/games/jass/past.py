"""Which action was taken at a moment of a deal that went on."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.seats import field
from jaxcards.games.jass.calls import CHOOSE, CHOOSE_SLALOM, PREDICT, PUSH
from jaxcards.games.jass.deck import UNDECIDED
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import POINTS_BITS, State


def action_taken(rules: JassRules, state: State, later: State) -> jax.Array:
    """Returns what the player to act did then: uint32; see `Game.action_taken`."""
    card = history.card_at(later.public.history, state.public.num_played)
    if later.predictions is not None:
        seat = state.current_player.astype(jnp.uint32)
        said = PREDICT + field(later.predictions, seat, POINTS_BITS)
    else:
        said = _choice(rules, state, later)
    return jnp.where(state.playing, card, said)


def _choice(rules: JassRules, state: State, later: State) -> jax.Array:
    """Returns the choice of a mode, or the push (docs/jass.md, 3)."""
    public = later.public
    chosen = CHOOSE + public.mode
    if rules.slalom:
        chosen = jnp.where(chosen < PUSH, chosen, chosen - PUSH + CHOOSE_SLALOM)
    if not rules.push:
        return chosen
    pushed = (public.num_calls == 2) | (public.mode == UNDECIDED)
    return jnp.where(pushed & (state.public.num_calls == 0), PUSH, chosen).astype(jnp.uint32)
