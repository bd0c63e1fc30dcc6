"""A deal with the largest number of decisions: everyone who may bid nil blind looks first."""

import jax.numpy as jnp
import numpy as np

from jaxcards.testing.deals import quick_jit


def longest_deal(game) -> list:
    """Return the states of such a deal, from the first to the last: for `check_length`."""
    step, mask = quick_jit(game.step), quick_jit(game.legal_action_mask)
    totals = [0] * (game.rules.num_sides - 1) + [game.rules.blind_behind]
    states = [game.init_from_deck(np.arange(52), 0, totals=totals)]
    while not states[-1].terminated:
        # To look is the last of the legal calls.
        states.append(step(states[-1], jnp.int32(np.flatnonzero(mask(states[-1]))[-1])))
    return states
