"""Rewards of each player for a step of a deal, by the settings of the learner."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.qtable import euchre
from jaxcards.agents.learners.qtable.config import QTableConfig
from jaxcards.errors import UserError
from jaxcards.game import Game

_OF_EUCHRE = ("march_reward", "euchre_reward", "lone_reward")


def rewards_of(game: Game, config: QTableConfig) -> Callable[[Any, Any], jax.Array]:
    """Return the function from two consecutive states to the rewards: float32[num_players].

    A reward is the change of `game.returns`, plus the constants of the configuration.

    Raises:
      UserError: if a constant is for another game.
    """
    of_euchre = [getattr(config, name) for name in _OF_EUCHRE]
    if any(of_euchre) and game.name != "euchre":
        given = [name for name in _OF_EUCHRE if getattr(config, name)]
        raise UserError(f"{' and '.join(given)} must be 0 except in euchre: this is {game.name}")

    def score(state: Any) -> jax.Array:
        total = game.returns(state)
        if any(of_euchre):
            parts = zip(of_euchre, euchre.feats(game.rules, state), strict=True)
            total = total + sum((worth * feat for worth, feat in parts), jnp.float32(0))
        return total

    def rewards(state: Any, after: Any) -> jax.Array:
        change = score(after) - score(state)
        if config.trick_reward:
            # Progress is in card points or in tricks: with points, a trick worth none brings no reward.
            won = game.progress(after) > game.progress(state)
            change = change + jnp.float32(config.trick_reward) * won
        return change

    return rewards
