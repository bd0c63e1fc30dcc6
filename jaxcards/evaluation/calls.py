"""Separate players for calls and for cards: if one player calls for all, only their cards differ."""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent, act
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game


class Calls(NamedTuple):
    """The player that makes the calls of all players in an evaluation.

    Attributes:
      name: its name in the result.
      agent, params: the player.
    """

    name: str
    agent: Agent
    params: Any


@dataclasses.dataclass(frozen=True)
class Parts:
    """A player that calls like one player and plays its cards like another; parameters are a pair.

    Calls are bids, passes, trumps, announcements, and cards that are passed on; see `Game.is_call`.

    Attributes:
      calls: decides calls.
      cards: decides otherwise.
      game: the game.
    """

    calls: Agent
    cards: Agent
    game: Game

    def init(self, key: jax.Array, game: Game) -> Any:
        return self.calls.init(key, game), self.cards.init(key, game)

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        return self.act_if_asked(params, observation, legal, key, jnp.ones((), bool))

    def act_if_asked(
        self, params: Any, observation: Any, legal: ActionSet, key: jax.Array, asked: jax.Array
    ) -> jax.Array:
        is_call = self.game.is_call(observation, legal)
        # Each part is asked only for its own decisions.
        said = act(self.calls, params[0], None, observation, legal, key, lambda: asked & is_call)
        played = act(self.cards, params[1], None, observation, legal, key, lambda: asked & ~is_call)
        return jnp.where(is_call, said, played)
