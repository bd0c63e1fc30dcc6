"""One seat against fixed opponents for gymnax, and for PureJaxRL, which has its older signature.

    to_gymnax(game)      step gives (observation, state, reward, terminated, truncated, info): gymnax 1
    to_purejaxrl(game)   step gives (observation, state, reward, done, info): PureJaxRL, gymnax 0

Both start a new deal when a deal is over. The table behind them is `interop.seat.OneSeat`.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from flax import struct

from jaxcards.agent import Agent
from jaxcards.game import Game
from jaxcards.interop.extras import require
from jaxcards.interop.seat import OneSeat, opposed
from jaxcards.interop.turns import env_id

_environment = require("gymnax.environments.environment", "gymnax", "gymnax")
_spaces = require("gymnax.environments.spaces", "gymnax", "gymnax")


@struct.dataclass
class EnvParams:
    """The parameters that gymnax passes to every call.

    Attributes:
      opponents: the parameters of each opponent.
      max_steps_in_episode: longer than any deal, so that deals are never cut off.
    """

    opponents: Any = ((),)
    max_steps_in_episode: int = struct.field(pytree_node=False, default=2**30)


@struct.dataclass
class EnvState:
    """A state of gymnax: an episode, and the number of the learner's decisions in it."""

    episode: Any
    time: jax.Array


def to_gymnax(
    game: Game,
    opponents: Agent | Sequence[Agent] | None = None,
    params: Any = (),
    *,
    seat: int | None = None,
    scale: float = 1.0,
) -> tuple["CardEnvironment", EnvParams]:
    """Return an environment of gymnax and its parameters, as `gymnax.make` does.

    * An observation is float32[num_features + num_actions] of 0 and 1: the features of the learner,
      followed by the mask of legal actions. A policy with a mask takes it from there, one without sees
      it.
    * Actions have the names of the features; see `interop.turns`. A legal action replaces an illegal
      one (`turns.legal_one`), and `info["illegal"]` is True.
    * The reward is `Game.returns` of the seat at the end of the deal, times `scale`, and 0 before.

    Args:
      game: a game, or a `Match`, whose episodes are matches.
      opponents: an agent for all other seats, or one for each seat; random play if None.
      params: its parameters, or those of each; they are passed on in `EnvParams`.
      seat: the learner's seat; None for a random one in each episode.
      scale: factor of the rewards.

    Raises:
      UserError: see `OneSeat`.
    """
    table, given = opposed(game, opponents, params, seat, scale)
    return CardEnvironment(table), EnvParams(opponents=given)


def to_purejaxrl(
    game: Game,
    opponents: Agent | Sequence[Agent] | None = None,
    params: Any = (),
    *,
    seat: int | None = None,
    scale: float = 1.0,
) -> tuple["PureEnvironment", EnvParams]:
    """Return the same environment with the signature that PureJaxRL expects of `gymnax.make`.

    Args, errors: as for `to_gymnax`.
    """
    env, env_params = to_gymnax(game, opponents, params, seat=seat, scale=scale)
    return PureEnvironment(env.table), env_params


# Environments are static arguments of jax.jit: equal ones share compiled code.
@dataclasses.dataclass(frozen=True)
class CardEnvironment(_environment.Environment):  # type: ignore[misc, name-defined]
    """Initialise; see `to_gymnax`."""

    table: OneSeat

    @property
    def default_params(self) -> EnvParams:
        """Return the default parameters, for opponents without parameters such as random play."""
        return EnvParams(opponents=((),) * len(self.table.opponents))

    def reset_env(self, key: jax.Array, params: EnvParams) -> tuple[jax.Array, EnvState]:
        """Return the first observation and state of an episode."""
        episode, turn = self.table.reset(params.opponents, key)
        return turn.flat(), EnvState(episode=episode, time=jnp.int32(0))

    def step_env(self, key: jax.Array, state: EnvState, action: Any, params: EnvParams) -> Any:
        """Return observation, state, reward, whether the deal is over, and info."""
        del key  # the key of an episode is fixed when it begins
        found = self.table.step(params.opponents, state.episode, action)
        after = EnvState(episode=found.state, time=state.time + 1)
        info = {"illegal": found.illegal, "discount": 1.0 - found.done}
        return found.turn.flat(), after, found.reward, found.done, info

    def observe(self, key: jax.Array, state: EnvState, action: Any, params: EnvParams) -> jax.Array:
        """Return the observation of a state."""
        return self.table.look(state.episode).flat()

    def is_terminated(self, state: EnvState, params: EnvParams) -> jax.Array:
        """Return whether the deal is over."""
        return state.episode.deal.terminated

    @property
    def name(self) -> str:
        """The id of the game."""
        return env_id(self.table.game)

    @property
    def num_actions(self) -> int:
        """Number of actions."""
        return self.table.game.num_actions

    def action_space(self, params: EnvParams | None = None) -> Any:
        """Return the space of actions."""
        return _spaces.Discrete(self.num_actions)

    def observation_space(self, params: EnvParams | None = None) -> Any:
        """Return the space of observations."""
        size = self.table.game.num_features + self.num_actions
        return _spaces.Box(0.0, 1.0, (size,), jnp.float32)


class PureEnvironment(CardEnvironment):
    """Initialise; see `to_purejaxrl`."""

    def step(  # type: ignore[override]
        self, key: jax.Array, state: EnvState, action: Any, params: EnvParams | None = None
    ) -> tuple[jax.Array, EnvState, jax.Array, jax.Array, dict]:
        """Return observation, state, reward, done and info; start a new deal when a deal is over."""
        found = super().step(key, state, action, params)
        observation, after, reward, terminated, truncated, info = found
        return observation, after, reward, terminated | truncated, info
