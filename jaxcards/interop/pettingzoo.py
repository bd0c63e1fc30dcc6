"""Our games as AEC environments of PettingZoo: `to_aec(jaxcards.make("jass"))`."""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.cards.arguments import is_integer
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.interop import turns
from jaxcards.interop.extras import Compiled, require

_pettingzoo = require("pettingzoo", "pettingzoo", "PettingZoo")
_spaces = require("gymnasium.spaces", "pettingzoo", "PettingZoo")


def to_aec(game: Game, render_mode: str | None = None) -> "CardAEC":
    """Return an AEC environment that plays a game or a match.

    * Agents are `player_0` and so on; they stay until the end.
    * An observation is a dict. `observation`, int8[num_features], has the agent's features of 0 and 1.
      `action_mask`, int8[num_actions], has the legal actions: all 0 for agents that are not to act, and
      all 1 at the end.
    * Actions have the names of the features; see `interop.turns`.
    * Rewards are `Game.returns` at the end, and 0 before.

    Args:
      game: a game, such as `jaxcards.make("jass")`, or a `Match`.
      render_mode: "ansi" (text) or "svg" (a picture as text), all hands open; or None.

    Raises:
      UserError: if `game` is not a game, or the render mode is unknown.
    """
    return CardAEC(turns.check_game(game), render_mode)


@functools.lru_cache(maxsize=16)
def _compiled(game: Game) -> tuple[Any, Any]:
    def seen(state: Any) -> Any:
        features, masks = turns.of_all(game, state)
        return (
            features.astype(jnp.int8),
            masks.astype(jnp.int8),
            state.current_player,
            state.terminated,
            game.returns(state),
        )

    def reset(key: jax.Array) -> Any:
        state = game.init(key)
        return state, seen(state)

    def step(state: Any, action: jax.Array) -> Any:
        after = turns.play(game, state, action)
        return after, seen(after)

    return xla.jit(reset), xla.jit(step)


class CardAEC(Compiled, _pettingzoo.AECEnv):  # type: ignore[misc, name-defined]
    """Initialise; see `to_aec`."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        super().__init__()
        modes = ["ansi", "svg"]
        if render_mode is not None and render_mode not in modes:
            raise UserError(f"render_mode must be None or one of {modes}, not {render_mode!r:.20}")
        self.game, self.render_mode = game, render_mode
        name = f"jaxcards_{game.name}_v1"
        self.metadata = {"name": name, "render_modes": modes, "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._observations() for agent in self.possible_agents}
        self.action_spaces = {
            agent: _spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        self._random = np.random.default_rng()

    def _make_programs(self) -> tuple[Any, Any]:
        return _compiled(self.game)

    def _observations(self) -> Any:
        return _spaces.Dict(
            {
                "observation": _spaces.Box(0, 1, (self.game.num_features,), np.int8),
                "action_mask": _spaces.Box(0, 1, (self.game.num_actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a fresh deal. See `AECEnv.reset`; `options` is ignored."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        words = self._random.integers(0, 2**32, 2, np.uint32)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        reset, _ = self._programs
        self._see(reset(jnp.asarray(words)))

    def _see(self, found: Any) -> None:
        """Store a state and its observations."""
        self._state, seen = found[0], jax.device_get(found[1])
        self._features, self._masks, player, over, self._returns = seen
        self._over = bool(over)
        self.agent_selection = self.possible_agents[int(player)]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the observation of an agent; see `to_aec`."""
        seat = self.possible_agents.index(agent)
        return {"observation": self._features[seat], "action_mask": self._masks[seat]}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to act. See `AECEnv.step`.

        Raises:
          UserError: if the action is not legal.
        """
        agent = self.agent_selection
        # After the end, PettingZoo asks each agent for one more action, None, and removes the agent.
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._check(agent, action)
        # An agent that acts has read its rewards so far.
        self._cumulative_rewards[agent] = 0.0
        _, advance = self._programs
        self._see(advance(self._state, jnp.int32(action)))
        if self._over:
            returns = zip(self.agents, self._returns.tolist(), strict=True)
            self.rewards = {one: float(earned) for one, earned in returns}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def _check(self, agent: str, action: Any) -> None:
        legal = np.flatnonzero(self.observe(agent)["action_mask"]).tolist()
        if not is_integer(action) or int(action) not in legal:
            raise UserError(f"{agent} chose {action!r:.20}, which is not legal here; legal are {legal}")

    def render(self) -> str | None:
        """Return the table, all hands open, as text or as SVG; None without a render mode."""
        if self.render_mode is None:
            return None
        if self.render_mode == "svg":
            return str(self.game.to_svg(self._state))
        return self.game.to_string(self._state)

    def close(self) -> None:
        """Do nothing; the environment holds no resources."""
