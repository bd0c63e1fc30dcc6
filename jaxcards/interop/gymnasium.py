"""One seat against fixed opponents in Gymnasium: an Env for one table, a VectorEnv for many.

Both use `jaxcards.interop.seat.OneSeat`. The VectorEnv steps its whole batch in one compiled call,
including the deals that follow finished ones.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.cards.arguments import check_range
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.interop.extras import Compiled, require
from jaxcards.interop.seat import OneSeat, opposed
from jaxcards.xla import prng

_gymnasium = require("gymnasium", "gymnasium", "Gymnasium")
_MODES = ["ansi", "svg"]
_RENDER_FPS = 2
_AXIS = "tables"


def to_env(
    game: Game,
    opponents: Agent | Sequence[Agent] | None = None,
    params: Any = (),
    *,
    seat: int | None = 0,
    scale: float = 1.0,
    render_mode: str | None = None,
) -> "CardEnv":
    """Return a `gymnasium.Env`: the learner has one seat, our agents have the others.

    * An observation is int8[num_features] of 0 and 1, the features of the learner.
    * Actions have the names of the features; see `interop.turns`. `info["action_mask"]` has the legal
      ones, as int8[num_actions], and `action_masks()` as bool. An illegal action is not an error: a
      legal one replaces it (`turns.legal_one`), and `info["illegal"]` is True.
    * The reward is `Game.returns` of the seat at the end of the deal, times `scale`, and 0 before.

    Args:
      game: a game, or a `Match`, whose episodes are matches.
      opponents: an agent for all other seats, or one for each seat; random play if None.
      params: its parameters, or those of each.
      seat: the learner's seat; None for a random one in each episode.
      scale: factor of the rewards.
      render_mode: "ansi" (text) or "svg" (a picture as text), each as the learner sees the table; or
        None.

    Raises:
      UserError: see `OneSeat`; also for an unknown render mode.
    """
    table, given = opposed(game, opponents, params, seat, scale)
    return CardEnv(table, given, render_mode)


def to_vector_env(
    game: Game,
    num_envs: int,
    opponents: Agent | Sequence[Agent] | None = None,
    params: Any = (),
    *,
    seat: int | None = None,
    scale: float = 1.0,
) -> "CardVectorEnv":
    """Return a `gymnasium.vector.VectorEnv` that steps whole batches in one compiled call.

    Observations, actions, masks and rewards are those of `to_env`, with a leading axis. The environment
    resets in the same step: after a step that ends a deal, the observation is that of the next deal.
    `infos["final_obs"]` has the last one of the old deal, in the rows of `infos["_final_obs"]`.
    Observations are read-only views of JAX's memory if possible.

    Args:
      game, opponents, params, seat, scale: see `to_env`.
      num_envs: number of tables, 1 or more.

    Raises:
      UserError: see `OneSeat`; also for zero tables.
    """
    if num_envs < 1:
        raise UserError(f"num_envs must be at least 1, not {num_envs}")
    table, given = opposed(game, opponents, params, seat, scale)
    return CardVectorEnv(table, given, num_envs)


def _spaces(game: Game) -> tuple[Any, Any]:
    observations = _gymnasium.spaces.Box(0, 1, (game.num_features,), np.int8)
    return observations, _gymnasium.spaces.Discrete(game.num_actions)


def _seen(turn: Any) -> tuple[jax.Array, jax.Array]:
    return turn.features.astype(jnp.int8), turn.mask.astype(jnp.int8)


@functools.lru_cache(maxsize=16)
def _single(table: OneSeat) -> tuple[Any, Any]:
    def reset(params: Any, key: jax.Array) -> Any:
        state, turn = table.reset(params, key)
        return state, *_seen(turn)

    def step(params: Any, state: Any, action: jax.Array) -> Any:
        done = table.step(params, state, action)
        return done.state, *_seen(done.turn), done.reward, done.done, done.illegal

    return xla.jit(reset), xla.jit(step)


class CardEnv(Compiled, _gymnasium.Env):  # type: ignore[misc, name-defined]
    """Initialise; see `to_env`."""

    metadata = {"render_modes": _MODES, "render_fps": _RENDER_FPS}

    def __init__(self, table: OneSeat, params: Sequence[Any], render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in _MODES:
            raise UserError(f"render_mode must be None or one of {_MODES}, not {render_mode!r:.20}")
        self.table, self._params, self.render_mode = table, params, render_mode
        self.observation_space, self.action_space = _spaces(table.game)
        self._state: Any = None

    def _make_programs(self) -> tuple[Any, Any]:
        return _single(self.table)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict]:
        """Begin a fresh deal. See `gymnasium.Env.reset`; `options` is ignored."""
        super().reset(seed=seed)
        # Gymnasium's generator gives the key, so that a seed repeats all deals after it.
        words = self.np_random.integers(0, 2**32, 2, np.uint32)
        begin, _ = self._programs
        self._state, *seen = begin(self._params, jnp.asarray(words))
        features, self._mask = jax.device_get(seen)
        return features, {"action_mask": self._mask}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Play an action. See `gymnasium.Env.step`.

        Raises:
          UserError: if the action does not exist, or no deal was begun.
        """
        if self._state is None:
            raise UserError("the first deal has not begun: call reset")
        check_range("the action", action, self.action_space.n)
        _, advance = self._programs
        found = advance(self._params, self._state, jnp.int32(action))
        self._state = found[0]
        features, self._mask, reward, done, illegal = jax.device_get(found[1:])
        info = {"action_mask": self._mask, "illegal": bool(illegal)}
        return features, float(reward), bool(done), False, info

    def action_masks(self) -> np.ndarray:
        """Return the legal actions: bool[num_actions]. MaskablePPO of sb3-contrib calls this method."""
        return self._mask.astype(bool)

    def render(self) -> str | None:
        """Return the table as the learner sees it, as text or as SVG; None without a render mode."""
        if self.render_mode is None or self._state is None:
            return None
        game, seat = self.table.game, int(self._state.seat)
        if self.render_mode == "svg":
            return str(game.to_svg(self._state.deal, seat))
        from jaxcards.pictures.svg import describe

        return describe(game.view(self._state.deal, seat))


class CardVectorEnv(Compiled, _gymnasium.vector.VectorEnv):  # type: ignore[misc, name-defined]
    """Initialise; see `to_vector_env`."""

    metadata = {"autoreset_mode": _gymnasium.vector.AutoresetMode.SAME_STEP}

    def __init__(self, table: OneSeat, params: Sequence[Any], num_envs: int) -> None:
        self.table, self._params, self.num_envs = table, params, num_envs
        self.single_observation_space, self.single_action_space = _spaces(table.game)
        batched = _gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, num_envs)
        self.action_space = batched(self.single_action_space, num_envs)
        self._state: Any = None

    def _make_programs(self) -> tuple[Any, Any]:
        return _batched(self.table, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: Any = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin fresh deals at all tables. See `VectorEnv.reset`; a seed is one number."""
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise UserError("the seed of all tables is one number")
        super().reset(seed=seed)
        key = jnp.asarray(self.np_random.integers(0, 2**32, 2, np.uint32))
        begin, _ = self._programs
        self._state, *seen = begin(self._params, key)
        features, mask = map(np.asarray, seen)
        return features, {"action_mask": mask}

    def step(self, actions: Any) -> tuple[np.ndarray, ...]:
        """Play an action at each table. See `VectorEnv.step`.

        Raises:
          UserError: unless there is one integer for each table, or if no deals were begun.
        """
        if self._state is None:
            raise UserError("the first deals have not begun: call reset")
        if np.shape(actions) != (self.num_envs,):
            raise UserError(f"{self.num_envs} actions are needed, not {list(np.shape(actions))}")
        if np.asarray(actions).dtype.kind not in "iu":
            raise UserError(f"actions must be integers, not {np.asarray(actions).dtype}")
        _, advance = self._programs
        found = advance(self._params, self._state, jnp.asarray(actions, jnp.int32))
        self._state = found[0]
        features, mask, reward, done, illegal, final, seat = map(np.asarray, found[1:])
        infos: dict[str, Any] = {"action_mask": mask, "illegal": illegal, "seat": seat}
        if done.any():
            infos |= {"final_obs": final, "_final_obs": done, "final_info": {}, "_final_info": done}
        return features, reward, done, np.zeros_like(done), infos  # type: ignore[return-value]


class _Tables(NamedTuple):
    """All tables of a VectorEnv.

    Attributes:
      now: the current episodes; every leaf has a leading axis.
      waiting: for each table the next episode, and the learner's turn there.
      used: bool[num_envs], whether the waiting episode has begun.
      key: uint32[2], of all episodes.
      deals: uint32, how often episodes have been dealt.
    """

    now: Any
    waiting: tuple[Any, Any]
    used: jax.Array
    key: jax.Array
    deals: jax.Array


@functools.lru_cache(maxsize=16)
def _batched(table: OneSeat, num: int) -> tuple[Any, Any]:
    table = dataclasses.replace(table, axis=_AXIS)
    numbers = jnp.arange(num, dtype=jnp.uint32)
    step = jax.vmap(table.step, in_axes=(None, 0, 0), axis_name=_AXIS)

    def keys(key: jax.Array, time: jax.Array) -> prng.KeyWords:
        # A sub-stream for each time of dealing, and within it one for each table.
        at = prng.fold((key[0], key[1]), time)
        return jax.vmap(lambda number: prng.fold(at, number))(numbers)

    def begin(params: Any, key: jax.Array) -> Any:
        # words: uint32[num, 2], a raw key for each table.
        words = jnp.stack(keys(key, jnp.uint32(0)), axis=-1)
        reset = jax.vmap(table.reset, in_axes=(None, 0), axis_name=_AXIS)
        state, turn = reset(params, words)
        # The waiting episodes count as used, so that the first finished deal has others dealt.
        again = jax.tree.map(jnp.copy, (state, turn))
        tables = _Tables(state, again, jnp.ones(num, bool), key, jnp.uint32(1))
        return tables, *_seen(turn)

    def fresh(params: Any, words: prng.KeyWords) -> tuple[Any, Any]:
        state = table.deal(params, words)
        return state, table.look(state)

    def advance(params: Any, tables: _Tables, actions: jax.Array) -> Any:
        found = step(params, tables.now, actions)
        over = found.done

        def deal(carry: tuple[Any, jax.Array, jax.Array]) -> tuple[Any, jax.Array, jax.Array]:
            waiting, used, deals = carry
            others = jax.vmap(fresh, in_axes=(None, 0), axis_name=_AXIS)(
                params, keys(tables.key, deals)
            )
            # Skip a deal in which the learner has nothing to decide.
            return _where(used, others, waiting), used & others[0].deal.terminated, deals + 1

        # Dealing costs as much as a step. It runs only while a table lacks an episode, that is, when
        # one ends its second episode since the last dealing.
        waiting, used, deals = jax.lax.while_loop(
            lambda carry: (over & carry[1]).any(), deal, (tables.waiting, tables.used, tables.deals)
        )
        now, turn = _where(over, waiting, (found.state, found.turn))
        final = found.turn.features.astype(jnp.int8)
        after = _Tables(now, waiting, used | over, tables.key, deals)
        return after, *_seen(turn), found.reward, over, found.illegal, final, now.seat

    # Donated: the new tables take the memory of the old ones.
    return xla.jit(begin), xla.jit(advance, donate_argnums=1)


def _where(condition: jax.Array, yes: Any, no: Any) -> Any:
    """Return the leaves of `yes` at the tables where a condition holds, else those of `no`."""

    def choose(a: jax.Array, b: jax.Array) -> jax.Array:
        # Append axes to the condition, so that it selects whole tables.
        return jnp.where(condition.reshape(-1, *[1] * (a.ndim - 1)), a, b)

    return jax.tree.map(choose, yes, no)
