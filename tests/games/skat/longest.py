"""A deal with the largest number of decisions: every bid is answered, and Kontra comes last."""

import jax.numpy as jnp
import numpy as np

from games.skat.reference import BID, GAMES, KONTRA, LEVELS, NULL, PASS, RE, TAKE
from jaxcards.games.skat.play import FIRST_DISCARD, SECOND_DISCARD
from jaxcards.testing.deals import quick_jit

# The first of these that is legal. With `auction="first"` the last player declares Null Ouvert.
_WANTED = (TAKE, GAMES + NULL, GAMES, LEVELS + 3, RE, BID, PASS)


def longest_deal(game) -> list:
    """Return the states of such a deal, from the first to the last: for `check_length`."""
    step, mask = quick_jit(game.step), quick_jit(game.legal_action_mask)
    first = game.rules.auction == "first"
    wanted = [one for one in _WANTED if one != GAMES + NULL or game.rules.null_ouvert]
    states = [game.init_from_deck(_deck(), 2)]
    while not states[-1].terminated:
        legal = np.flatnonzero(mask(states[-1])).tolist()
        number = len(states) - 1
        if first and number < 2:
            action = PASS
        elif KONTRA in legal:  # the first opponent passes
            action = KONTRA if states[-1].public.current_player == _second(states[-1]) else PASS
        else:
            phase = int(states[-1].public.phase)
            discards = phase in (FIRST_DISCARD, SECOND_DISCARD)
            card = max(legal, key=_null_rank) if discards else legal[0]
            action = next((one for one in wanted if one in legal), card)
        states.append(step(states[-1], jnp.int32(action)))
    return states


def _null_rank(card: int) -> int:
    return "789TJQKA".index("789QKTAJ"[card % 8])


def _second(state) -> int:
    return (int(state.public.declarer) + 2) % 3


def _deck() -> np.ndarray:
    """Return a deck in which rearhand gets the lowest cards, and wins no trick of Null."""
    order = sorted(range(32), key=_null_rank)
    low, rest = order[:10], order[10:]
    return np.array([*rest[:20], *low, *rest[20:]])
