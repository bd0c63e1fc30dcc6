"""A deal with the largest number of decisions: each bid is doubled and redoubled late."""

import jax.numpy as jnp
import numpy as np

from jaxcards.testing.deals import quick_jit

PASS, DOUBLE, REDOUBLE, BID = 52, 53, 54, 55


def longest_deal(game) -> list:
    """Return the states of such a deal, from the first to the last: for `check_length`."""
    step, mask = quick_jit(game.step), quick_jit(game.legal_action_mask)
    states, passes = [game.init_from_deck(np.arange(52), 2)], 0
    while not states[-1].terminated:
        legal = np.flatnonzero(mask(states[-1])).tolist()
        action = next_call(legal, passes, first=len(states) <= 4)
        passes = passes + 1 if action == PASS else 0
        states.append(step(states[-1], jnp.int32(action)))
    return states


def next_call(legal, passes: int, first: bool) -> int:
    """Return a redouble, a double or the lowest bid, after all passes that the auction allows."""
    if PASS not in legal:
        return legal[0]  # a card
    if passes < (3 if first else 2):
        return PASS
    found = [call for call in (REDOUBLE, DOUBLE) if call in legal]
    return next(iter([*found, *(call for call in legal if call >= BID)]), PASS)
