"""Which actions were taken in a deal, as its states and what a player sees of them tell."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.history import History
from jaxcards.cards.seats import field
from jaxcards.games.jass.calls import CHOOSE, CHOOSE_SLALOM, PREDICT, PUSH
from jaxcards.games.jass.deck import UNDECIDED
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import (
    NUM_CARDS_PLAYED,
    NUM_SEATS,
    POINTS_BITS,
    Observation,
    Public,
    State,
)


def action_taken(rules: JassRules, state: State, later: State) -> jax.Array:
    """Return the action of the player to act: uint32; see `Game.action_taken`."""
    card = history.card_at(later.public.history, state.public.num_played)
    if later.predictions is not None:
        seat = state.current_player.astype(jnp.uint32)
        said = PREDICT + field(later.predictions, seat, POINTS_BITS)
    else:
        said = _choice(rules, state, later)
    return jnp.where(state.playing, card, said)


def _choice(rules: JassRules, state: State, later: State) -> jax.Array:
    """Return the choice of a mode, or the push (docs/jass.md, 3)."""
    public = later.public
    chosen = _chosen(rules, public)
    if not rules.push:
        return chosen
    return jnp.where(_pushed(public) & (state.public.num_calls == 0), PUSH, chosen).astype(jnp.uint32)


def _chosen(rules: JassRules, public: Public) -> jax.Array:
    """Return the choice of the mode that a deal has: uint32."""
    chosen = CHOOSE + public.mode
    if not rules.slalom:
        return chosen
    return jnp.where(chosen < PUSH, chosen, chosen - PUSH + CHOOSE_SLALOM)


def _pushed(public: Public) -> jax.Array:
    """Return whether the first call, if there was one, was a push: bool."""
    return (public.num_calls == 2) | (public.mode == UNDECIDED)


def history_of(rules: JassRules, seen: Observation, max_steps: int) -> History:
    """See `Game.history`: calls, then cards."""
    public = seen.public
    plays = history.plays(public.history, NUM_CARDS_PLAYED, public.num_played, seen.played_by)
    return history.joined(max_steps, [_calls(rules, seen), plays])


def _calls(rules: JassRules, seen: Observation) -> History:
    """Return the calls. Of the predictions, a player knows only its own."""
    public, forehand = seen.public, seen.public.forehand
    if seen.prediction is not None:
        players = (forehand + jnp.arange(NUM_SEATS)) & 3
        own = players == seen.player.astype(jnp.uint32)
        said = (PREDICT + seen.prediction).astype(jnp.int32)
        return history.part(jnp.where(own, said, history.UNKNOWN), players, public.num_calls)
    chosen = _chosen(rules, public)
    if not rules.push:
        return history.part(chosen[None], forehand, public.num_calls)
    actions = jnp.stack([jnp.where(_pushed(public), PUSH, chosen), chosen])
    return history.part(actions, (forehand + jnp.array([0, 2], jnp.uint32)) & 3, public.num_calls)
