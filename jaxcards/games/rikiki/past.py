"""Which action was taken at a moment of a deal that went on."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.state import State, bid_of


def action_taken(state: State, later: State) -> jax.Array:
    """Returns what the player to act did then: uint32; see `Game.action_taken`."""
    card = history.card_at(later.public.history, state.public.num_played)
    seat = state.current_player.astype(jnp.uint32)
    bid = BID + bid_of(later.public.bids, seat, state.num_players)
    return jnp.where(state.playing, card, bid)
