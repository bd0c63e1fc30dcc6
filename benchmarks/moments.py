"""Moments of heuristic play, for benchmarks of special situations."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agents.players import make_player
from jaxcards.rollouts import chooser, deal_keys
from jaxcards.stages import ANY
from jaxcards.xla import prng


def moments(game, wanted, number, seed, spare=8):
    """Return states that meet a condition, the first of each deal; leaves have a leading axis.

    Args:
      game: the game to play.
      wanted: the condition, a function of a state.
      number: of states, at most.
      seed: of the deals.
      spare: deals to play for each state, because some have no such state.
    """
    agent = make_player("heuristic", game)

    def deal(key):
        choose = chooser(game, agent, agent.init(key, game), key, None)

        def once(carry, _):
            (state, place), kept, found = carry
            takes = wanted(state) & ~found
            kept = jax.tree.map(lambda a, b: jnp.where(takes, a, b), state, kept)
            action, _ = choose(game, (state, place), ANY)
            place = place + jnp.uint32(prng.PLACE_STEP)
            return ((game.step(state, action), place), kept, found | takes), None

        state = game.init(key)
        start = (state, prng.place(prng.key_words(key), 0)), state, jnp.zeros((), bool)
        (_, kept, found), _ = jax.lax.scan(once, start, length=game.max_steps)
        return kept, found

    play = xla.jit(lambda numbers: jax.vmap(deal)(deal_keys(seed, numbers)))
    states, found = play(jnp.arange(spare * number, dtype=jnp.uint32))
    rows = np.flatnonzero(found)[:number]
    return jax.tree.map(lambda leaf: leaf[rows], states)
