"""The interface of an agent, a pair of pure functions; and the agent that plays at random."""

import dataclasses
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionSet
from jaxcards.cards.arguments import describe, is_integer
from jaxcards.contract.forms import forms_of
from jaxcards.errors import UserError, quote
from jaxcards.game import Game
from jaxcards.match import deal_of
from jaxcards.xla import prng


@runtime_checkable
class Agent(Protocol):
    """A player. Agents are hashable, so that compiled functions may be cached by them.

    Random play, heuristics, networks and searches all have this form. `params` are the learned
    parameters, `observation` is the player's knowledge, and all randomness comes from `key`.

    If an agent was made for one game, its attribute `game` is that game; see `check_agent`.
    """

    def init(self, key: jax.Array, game: Game) -> Any:
        """Return the parameters of an untrained agent: any pytree, perhaps ()."""
        ...

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action of one deal. Batch it with `jax.vmap`.

        Args:
          params: from `init` or from learning.
          observation: `game.observe(state, player)` of the player to act.
          legal: the legal actions; `legal.mask()` is bool[num_actions].
          key: a typed PRNG key of this decision, as for `legal.sample_logits(key, logits)`.

        Returns:
          int32 scalar, an action of `legal`.
        """
        ...


@dataclasses.dataclass(frozen=True)
class RandomAgent:
    """A player that chooses uniformly among the legal actions."""

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        # The first word of a decision's key is itself random; see `prng.fold`.
        return legal.sample_word(prng.first_word(key))

    def probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        """Return the probability of each action: float32[num_actions]."""
        return legal.mask() / jnp.maximum(legal.count(), 1).astype(jnp.float32)


@runtime_checkable
class OpenHandsAgent(Protocol):
    """A player that sees the whole deal, all hands open: an upper bound for honest players.

    `rollout` and evaluations pass it the state. It has no `act`, so that it cannot be used as an
    `Agent` by mistake.
    """

    def init(self, key: jax.Array, game: Game) -> Any:
        """Return its parameters: any pytree, perhaps ()."""
        ...

    def act_with_open_hands(
        self, params: Any, state: Any, legal: ActionSet, key: jax.Array
    ) -> jax.Array:
        """Choose an action of one deal; see `Agent.act`.

        Args:
          state: the deal, or the match, hidden cards included.
        """
        ...


@runtime_checkable
class CostlyAgent(Agent, Protocol):
    """A slow agent that is told which of its decisions are used.

    In a batch of deals every agent is called at every step, even if another one is to act.
    """

    def act_if_asked(
        self, params: Any, observation: Any, legal: ActionSet, key: jax.Array, asked: jax.Array
    ) -> jax.Array:
        """Choose as `act` does if `asked`, a bool scalar; otherwise return any int32 as cheaply as
        possible.
        """
        ...


@runtime_checkable
class CallReader(Protocol):
    """An agent that infers others' cards from their calls, assuming that they call as it would."""

    def without_calls(self) -> Agent:
        """Return the agent for a table where another player makes all calls: it infers nothing from
        them.
        """
        ...


def check_game(game: Any) -> Game:
    """Return a game or a match. Raise `UserError` for other values, such as an id."""
    if isinstance(game, Game):
        return game
    raise UserError(f"a game is needed, such as jaxcards.make('jass'), not {quote(game)}")


def check_agent(agent: Any, game: Game) -> None:
    """Raise `UserError` unless an object is an agent that can play a game.

    An agent with an attribute `game` plays equivalent games: games of the same name and number of
    players, with the same actions and the same form of observations.
    """
    check_game(game)
    if isinstance(agent, type):
        raise UserError(f"{agent.__name__} is a class, not an agent: pass {agent.__name__}(...)")
    if not any(callable(getattr(agent, name, None)) for name in ("act", "act_with_open_hands")):
        raise UserError(
            f"an agent is an object with the methods `init` and `act` (see jaxcards.agent.Agent), "
            f"not {quote(agent)}"
        )
    own = getattr(agent, "game", None)
    if isinstance(own, Game) and not _look_alike(deal_of(own), deal_of(game)):
        raise UserError(
            f"{type(agent).__name__} was made for {own.id or f'other rules of {own.name}'} and cannot "
            f"play {game.id or game.name}: make an agent for this game"
        )


def _look_alike(one: Game, other: Game) -> bool:
    """Return whether two games of single deals look the same to players."""
    if one == other:
        return True
    same_table = (one.name, one.num_players) == (other.name, other.num_players)
    forms = [found and found.observation for found in map(forms_of, (one, other))]
    return same_table and one.action_layout == other.action_layout and forms[0] == forms[1]


def act(
    agent: Agent | OpenHandsAgent, params: Any, state: Any, observation: Any, legal: ActionSet,
    key: jax.Array, asked: Callable[[], jax.Array],
) -> jax.Array:  # fmt: skip
    """Return the action of an agent of any kind for its part of the state: an integer scalar.

    `asked` returns whether the action is used, a bool scalar; an unused action need not be legal.

    Raises:
      UserError: if the agent does not return a single integer.
    """
    # The special kinds come first: a costly agent is an `Agent` as well.
    if isinstance(agent, OpenHandsAgent):
        action = agent.act_with_open_hands(params, state, legal, key)
    elif isinstance(agent, CostlyAgent):
        action = agent.act_if_asked(params, observation, legal, key, asked())
    else:
        action = agent.act(params, observation, legal, key)
    if not is_integer(action):
        raise UserError(
            f"{type(agent).__name__} returned {describe(action)}: an agent returns one action, an "
            "int32 scalar; of logits, return legal.sample_logits(key, logits)"
        )
    return jnp.asarray(action)
