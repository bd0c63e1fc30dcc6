"""Our games as environments of JaxMARL: `to_jaxmarl(jaxcards.make("jass"))`.

All seats are agents. One acts at a time, as in JaxMARL's own Hanabi.
"""

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.game import Game
from jaxcards.interop import turns
from jaxcards.interop.extras import require

_base = require("jaxmarl.environments.multi_agent_env", "jaxmarl", "JaxMARL")
_spaces = require("jaxmarl.environments.spaces", "jaxmarl", "JaxMARL")


def to_jaxmarl(game: Game, *, scale: float = 1.0) -> "CardMultiAgentEnv":
    """Return a `MultiAgentEnv` that plays a game or a match.

    * Agents are `agent_0` and so on. A state is one of the game.
    * An observation is float32[num_features + num_actions] of 0 and 1: the features of the agent,
      followed by its legal actions, all 0 for agents that are not to act.
    * Actions have the names of the features; see `interop.turns`. The last action, number
      `num_actions` of the game, is a no-op.
    * Available actions are the legal ones. Agents that are not to act have the no-op alone, and any
      action of theirs is ignored.
    * A legal action replaces an illegal one (`turns.legal_one`), and `infos["illegal"]`,
      bool[num_agents], marks the agent.
    * Rewards are `Game.returns` at the end of the deal, times `scale`, and 0 before.

    Args:
      game: a game, such as `jaxcards.make("jass")`, or a `Match`, whose episodes are matches.
      scale: factor of the rewards.

    Raises:
      UserError: if `game` is not a game.
    """
    return CardMultiAgentEnv(turns.check_game(game), scale)


# Environments are static arguments of jax.jit: equal ones share compiled code.
@dataclasses.dataclass(unsafe_hash=True)
class CardMultiAgentEnv(_base.MultiAgentEnv):  # type: ignore[misc, name-defined]
    """Initialise; see `to_jaxmarl`."""

    game: Game
    scale: float = 1.0

    def __post_init__(self) -> None:
        super().__init__(self.game.num_players)
        shape = (self.game.num_features + self.game.num_actions,)
        for agent in self.agents:
            self.observation_spaces[agent] = _spaces.Box(0.0, 1.0, shape, jnp.float32)
            self.action_spaces[agent] = _spaces.Discrete(self.game.num_actions + 1)

    @partial(jax.jit, static_argnums=0)
    def reset(self, key: jax.Array) -> tuple[dict[str, jax.Array], Any]:
        """Return the observations and the state at the beginning of a deal."""
        state = self.game.init(key)
        return self.get_obs(state), state

    def step_env(self, key: jax.Array, state: Any, actions: dict[str, Any]) -> Any:
        """Return observations, state, rewards, dones and infos; `step` also begins the next deal."""
        del key  # the cards are dealt at the start
        action = jnp.stack([actions[agent] for agent in self.agents])[state.current_player]
        after, illegal = turns.play_legal(self.game, state, action)
        ends = after.terminated & ~state.terminated
        rewards = jnp.where(ends, self.game.returns(after) * self.scale, 0.0).astype(jnp.float32)
        dones = dict.fromkeys([*self.agents, "__all__"], after.terminated)
        acts = jnp.arange(self.num_agents, dtype=jnp.int32) == state.current_player
        # One entry for each agent: JaxMARL's baselines reshape all infos to [num_agents * num_envs].
        return self.get_obs(after), after, self._named(rewards), dones, {"illegal": acts & illegal}

    def get_obs(self, state: Any) -> dict[str, jax.Array]:
        """Return the observation of every agent."""
        return self._named(jax.vmap(turns.Turn.flat)(turns.of_all(self.game, state)))

    @partial(jax.jit, static_argnums=0)
    def get_avail_actions(self, state: Any) -> dict[str, jax.Array]:
        """Return the available actions of every agent: bool[num_actions + 1]."""
        mask = turns.of_all(self.game, state).mask
        # An agent without a legal action has the no-op, which comes last.
        return self._named(jnp.concatenate([mask, ~mask.any(-1, keepdims=True)], -1))

    # Under this name JaxMARL's baselines for Hanabi ask for them.
    get_legal_moves = get_avail_actions

    def _named(self, values: jax.Array) -> dict[str, jax.Array]:
        return dict(zip(self.agents, values, strict=True))

    @property
    def name(self) -> str:
        """The id of the game."""
        return turns.env_id(self.game)

    @property
    def agent_classes(self) -> dict[str, list[str]]:
        """The agents, in one class."""
        return {"player": self.agents}
