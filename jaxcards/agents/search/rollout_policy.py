"""A policy network with a smaller network as its rollout policy.

A search asks its policy once for a move, and some thousand times to play out its worlds. For the
latter, a network that is nearly as good in a fraction of the time suffices: the rollout policy of
Silver et al. 2016. `jaxcards train GAME --learner distillation` makes one (docs/search.md).
"""

import dataclasses
from typing import Any, NamedTuple

import jax

from jaxcards.agent import Agent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game


class Policies(NamedTuple):
    """The parameters of a `WithRolloutPolicy`.

    Attributes:
      policy: those of the network that plays.
      rollout: those of the rollout policy.
    """

    policy: Any
    rollout: Any


@dataclasses.dataclass(frozen=True)
class WithRolloutPolicy(NetworkAgent):
    """A player by one network whose `fast_policy` is another one. Parameters are `Policies`.

    Attributes:
      rollout: the rollout policy, evaluated under one name of the suits.
    """

    rollout: NetworkAgent = dataclasses.field(kw_only=True)

    @classmethod
    def around(cls, agent: NetworkAgent, rollout: NetworkAgent) -> "WithRolloutPolicy":
        """Return a policy with a rollout policy.

        Args:
          agent: the policy that plays.
          rollout: the rollout policy, which keeps its own `greedy`.

        Raises:
          UserError: if one of them is another kind of agent, or they play different rules.
        """
        for one in (agent, rollout):
            # A subclass would lose its own fields and methods in `_settings`.
            if type(one) is not NetworkAgent:
                name = type(one).__name__
                raise UserError(f"both policies must be a NetworkAgent, not a {name}")
        if agent.game != rollout.game:
            own, other = (game.id or game.name for game in (agent.game, rollout.game))
            raise UserError(f"a policy of {own} needs a rollout policy of the same rules, not {other}")
        return cls(**_settings(agent), rollout=rollout)

    @property
    def fast_policy(self) -> NetworkAgent:
        """The rollout policy, which reads its part of the same parameters."""
        return _RolloutPolicy(**_settings(self.rollout) | {"symmetric": False})

    def for_similar_positions(self, params: Policies) -> tuple[NetworkAgent, Any]:
        return self.rollout.for_similar_positions(params.rollout)

    def init(self, key: jax.Array, game: Game) -> Policies:
        both = jax.random.split(key)
        return Policies(super().init(both[0], game), self.fast_policy.init(both[1], game))

    def _log_probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        return super()._log_probabilities(params.policy, observation, legal)


def policy_alone(agent: Agent, params: Any) -> tuple[Agent, Any]:
    """Return a policy without its rollout policy, and its parameters; other agents unchanged."""
    if isinstance(agent, WithRolloutPolicy):
        return NetworkAgent(**_settings(agent)), params.policy
    return agent, params


@dataclasses.dataclass(frozen=True)
class _RolloutPolicy(NetworkAgent):
    """A network with its own entry in `Policies`."""

    def _log_probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        return super()._log_probabilities(params.rollout, observation, legal)


def _settings(agent: NetworkAgent) -> dict[str, Any]:
    """Return the attributes of a `NetworkAgent`."""
    return {field.name: getattr(agent, field.name) for field in dataclasses.fields(NetworkAgent)}
