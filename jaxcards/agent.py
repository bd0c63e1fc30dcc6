"""The interface of an agent, a pair of pure functions; and the agent that plays at random."""

import dataclasses
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import jax

from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.xla import prng


@runtime_checkable
class Agent(Protocol):
    """A player. Agents are hashable, so that compiled functions may be cached by them.

    Random play, heuristics, networks and searches all have this form: `params` is what the agent has
    learned, `observation` is what it may know, and all its randomness comes from `key`.
    """

    def init(self, key: jax.Array, game: Game) -> Any:
        """Returns the parameters of an untrained agent: any pytree, perhaps ()."""
        ...

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Chooses an action of one deal. Batches come from `jax.vmap`.

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
    """Plays uniformly at random among the legal actions."""

    def init(self, key: jax.Array, game: Game) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        # The first word of a decision's key is a random word by itself; see `prng.fold`.
        return legal.sample_word(prng.first_word(key))


@runtime_checkable
class OpenHandsAgent(Protocol):
    """A player that sees the whole deal, all hands open: a bound for honest players, and none itself.

    `rollout` and evaluations ask it with the state. It has no `act`, so that nothing takes it for an
    `Agent` by mistake.
    """

    def init(self, key: jax.Array, game: Game) -> Any:
        """Returns its parameters: any pytree, perhaps ()."""
        ...

    def act_with_open_hands(
        self, params: Any, state: Any, legal: ActionSet, key: jax.Array
    ) -> jax.Array:
        """Chooses an action of one deal; see `Agent.act`.

        Args:
          state: the deal, or the match, hidden cards included.
        """
        ...


@runtime_checkable
class CostlyAgent(Agent, Protocol):
    """An agent that takes so long that it is told which of its decisions anybody uses.

    In a batch of deals every agent is asked at every step, also where another one is to act.
    """

    def act_if_asked(
        self, params: Any, observation: Any, legal: ActionSet, key: jax.Array, asked: jax.Array
    ) -> jax.Array:
        """Chooses as `act` does if `asked`, a bool scalar; else any int32, for as little as it can."""
        ...


@runtime_checkable
class CallReader(Protocol):
    """An agent that concludes what others hold from their calls, as if it had made them itself."""

    def without_calls(self) -> Agent:
        """Returns the agent for a table where another player makes all calls, which tell it nothing."""
        ...


def act(
    agent: Agent | OpenHandsAgent, params: Any, state: Any, observation: Any, legal: ActionSet,
    key: jax.Array, asked: Callable[[], jax.Array],
) -> jax.Array:  # fmt: skip
    """Returns the action of an agent of any kind, with what it may see: int32 scalar.

    `asked` returns whether anybody uses it, a bool scalar; if not, it need not be legal.
    """
    if isinstance(agent, OpenHandsAgent):
        return agent.act_with_open_hands(params, state, legal, key)
    if isinstance(agent, CostlyAgent):
        return agent.act_if_asked(params, observation, legal, key, asked())
    return agent.act(params, observation, legal, key)
