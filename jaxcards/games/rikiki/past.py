"""Which actions were taken in a deal, as its states and what a player sees of them tell."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.history import History
from jaxcards.cards.seats import seat_after
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.state import Observation, State, bid_of


def action_taken(state: State, later: State) -> jax.Array:
    """Return the action of the player to act: uint32; see `Game.action_taken`."""
    card = history.card_at(later.public.history, state.public.num_played)
    seat = state.current_player.astype(jnp.uint32)
    bid = BID + bid_of(later.public.bids, seat, state.num_players)
    return jnp.where(state.playing, card, bid)


def history_of(seen: Observation, max_steps: int) -> History:
    """See `Game.history`: bids, then cards; everybody sees all of them."""
    public, players = seen.public, seen.num_players
    seats = seat_after(public.dealer.astype(jnp.uint32), jnp.arange(players) + 1, players)
    bids = history.part(BID + bid_of(public.bids, seats, players), seats, public.num_bids)
    plays = history.plays(public.history, max_steps - players, public.num_played, seen.played_by)
    return history.joined(max_steps, [bids, plays])
