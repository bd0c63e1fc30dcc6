"""Which actions were taken in a deal, as its states and what a player sees of them tell."""

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.history import History
from jaxcards.games.belote.calls import CALL_BITS, NAME, PASS, longest
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import NUM_CARDS_PLAYED, Observation, Public, State


def action_taken(state: State, later: State) -> jax.Array:
    """Return the action of the player to act: uint32; see `Game.action_taken`."""
    card = history.card_at(later.public.history, state.public.num_played)
    return jnp.where(state.playing, card, _call(state, later))


def _call(state: State, later: State) -> jax.Array:
    """Return the call of a player (docs/belote.md, 3)."""
    public, number = later.public, state.public.num_calls
    if public.calls is not None:
        return PASS + history.card_at(public.calls, number.astype(jnp.uint32), bits=CALL_BITS)
    return _named(public, number)


def _named(public: Public, number: jax.Array) -> jax.Array:
    """Return the call of a number in an auction in which every call but the last was a pass."""
    names = public.playing & (number + 1 == public.num_calls)
    return jnp.where(names, NAME + public.mode, jnp.uint32(PASS))


def history_of(rules: BeloteRules, seen: Observation, max_steps: int) -> History:
    """See `Game.history`: calls, then cards; everybody sees all of them."""
    public, number = seen.public, jnp.arange(longest(rules), dtype=jnp.uint32)
    if public.calls is None:
        actions = _named(public, number)
    else:
        actions = PASS + history.cards(public.calls, len(number), bits=CALL_BITS)
    calls = history.part(actions, (public.forehand + number) & 3, public.num_calls)
    plays = history.plays(public.history, NUM_CARDS_PLAYED, public.num_played, seen.played_by)
    return history.joined(max_steps, [calls, plays])
