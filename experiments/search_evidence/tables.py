"""What studies of decisions share: tables at which deals are played, decision by decision."""

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.game import Game
from jaxcards.rollouts import deal_keys
from jaxcards.xla import prng

TABLES = 32
"""Deals side by side."""


def decisions(
    game: Game, look: Callable, params: Any, deals: int, seed: int
) -> Iterator[tuple[np.ndarray, Any]]:
    """Plays deals, and yields what was found at all tables, step by step.

    Args:
      game: the game of single deals.
      look: from parameters, a state and a key to the next state and anything else, of one table. It is
        called for deals that are over, too.
      params: its first argument.
      deals: how many, in groups of `TABLES`.
      seed: of the deals.

    Yields:
      The numbers of the deals, uint32[TABLES], and what `look` found at them, as arrays of NumPy.
    """
    step = xla.jit(jax.vmap(look, in_axes=(None, 0, 0)))
    start = xla.jit(jax.vmap(game.init))
    keys = xla.jit(jax.vmap(lambda word: prng.wrap(prng.fold((word, word), 0))))
    for first in range(0, deals, TABLES):
        numbers = first + np.arange(TABLES, dtype=np.uint32)
        states = start(deal_keys(jnp.uint32(seed), jnp.asarray(numbers)))
        for time in range(game.max_steps):
            words = prng.mix(jnp.asarray(numbers * np.uint32(game.max_steps) + np.uint32(time)))
            states, found = step(params, states, keys(words))
            yield numbers, jax.tree.map(np.asarray, found)
            if bool(states.terminated.all()):
                break
        print(f"{first + TABLES} of {deals} deals", flush=True)
