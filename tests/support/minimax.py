"""Minimax without pruning: every line of play of some endings, depth by depth. Slow, and plain."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from support import quick

from jaxcards.agent import RandomAgent
from jaxcards.agents.search.endgame import is_solvable
from jaxcards.rollouts import chooser
from jaxcards.stages import ANY
from jaxcards.xla import prng

_CHUNK = 2048


def endings(game: Any, cards: int, number: int, seed: int) -> Any:
    """Return solvable states of random play at random moments, at most `number` of them."""

    def deal(key: jax.Array) -> Any:
        choose = chooser(game, RandomAgent(), (), key, None)
        late = prng.below(prng.random_word(prng.key_words(key), 9999), jnp.uint32(game.num_players), 8)

        def turn(carry: Any, _: None) -> Any:
            (state, place), kept, found, wait = carry
            now = is_solvable(game, state, cards)
            takes = now & ~found & (wait == 0)
            kept = jax.tree.map(lambda a, b: jnp.where(takes, a, b), state, kept)
            action, _ = choose(game, (state, place), ANY)
            carry = game.step(state, action), place + jnp.uint32(prng.PLACE_STEP)
            return (carry, kept, found | takes, wait - (now & (wait > 0))), None

        state = game.init(key)
        start = (state, prng.place(prng.key_words(key), 0)), state, jnp.zeros((), bool), late
        (_, kept, found, _), _ = jax.lax.scan(turn, start, length=game.max_steps)
        return kept, found

    states, found = quick.jit(jax.vmap(deal))(jax.random.split(jax.random.key(seed), number))
    return jax.tree.map(lambda leaf: np.asarray(leaf)[np.asarray(found)], states)


def values(game: Any, states: Any) -> np.ndarray:
    """Return the value of each legal action of some states, with all hands open and best play.

    This is the return of the side of the player to act less that of the others:
    float[n, num_actions], nan where an action is not legal.
    """
    look, step = _programs(game)
    levels, now = [], states
    while len(jax.tree.leaves(now)[0]):
        over, mask, mover, side, returns = _chunked(look, (now,))
        row, action = np.nonzero(mask & ~over[:, None])
        levels.append((over, row, action, mover, side, returns))
        parents = jax.tree.map(lambda leaf, row=row: leaf[row], now)
        now = _chunked(step, (parents, action.astype(np.int32)))
    below = np.zeros((0,))  # what the first side gets, less what the others get
    for depth in reversed(range(len(levels))):
        over, row, action, mover, side, returns = levels[depth]
        worth = np.where(side == 0, returns, -returns).sum(1)
        first = side[np.arange(len(mover)), mover] == 0
        if depth == 0:
            found = np.full((len(over), game.num_actions), np.nan)
            found[row, action] = np.where(first[row], below, -below)
            return found
        best = np.where(over, worth, np.where(first, -np.inf, np.inf))
        np.maximum.at(best, row[first[row]], below[first[row]])
        np.minimum.at(best, row[~first[row]], below[~first[row]])
        below = best
    raise AssertionError("no states")


def worth(game: Any, states: Any, returns: np.ndarray) -> np.ndarray:
    """Return the returns of the player's side less those of the others: float[n, num_actions].

    Args:
      returns: float[n, num_actions, num_players].
    """
    _, _, mover, side, _ = _chunked(_programs(game)[0], (states,))
    own = side == side[np.arange(len(mover)), mover][:, None]
    return np.where(own[:, None], returns, -returns).sum(-1)


_kept: dict[Any, Any] = {}


def _programs(game: Any) -> Any:
    def look(state: Any) -> Any:
        mask, player = game.legal_action_mask(state), state.current_player
        return state.terminated, mask, player, game.sides_of(state), game.returns(state)

    if game not in _kept:
        _kept[game] = quick.jit(jax.vmap(look)), quick.jit(jax.vmap(game.step))
    return _kept[game]


def _chunked(function: Any, arguments: Any) -> Any:
    """Apply a function to rows in groups, so that it is compiled for few shapes."""
    number, parts = len(jax.tree.leaves(arguments)[0]), []
    for first in range(0, max(number, 1), _CHUNK):
        rows = np.minimum(np.arange(first, first + _CHUNK), max(number - 1, 0))
        if number == 0:
            arguments = jax.tree.map(lambda x: np.zeros((1, *x.shape[1:]), x.dtype), arguments)
        done = function(*jax.tree.map(lambda leaf, rows=rows: leaf[rows], arguments))
        rest = number - first
        parts.append(jax.tree.map(lambda x, rest=rest: np.asarray(x)[:rest], done))
    return jax.tree.map(lambda *all: np.concatenate(all), *parts)
