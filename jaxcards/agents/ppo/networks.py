"""Policy and critic of one game, or of many games that share their parameters."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.mixture import Mixture
from jaxcards.agents.network import BitsNetwork, NetworkAgent, forward
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class Networks:
    """The networks that learn; their parameters are {"policy": ..., "critic": ...}.

    Attributes:
      mixture: the games.
      config: widths and precision.
    """

    mixture: Mixture
    config: PPOConfig

    def fresh(self, policy_key: jax.Array, critic_key: jax.Array) -> dict[str, Any]:
        """Returns parameters before the first update, for all games."""
        policy, critic = self.policy(self.mixture.games[0]), self.critic(self.mixture.games[0])
        words, full = self.mixture.policy, self.mixture.critic
        if words and full:
            policy = self._network(words.num_inputs, self.config.hidden, len(words.outputs))
            critic = self._network(full.num_inputs, self.config.critic_hidden, 1)
        return {"policy": policy.fresh(policy_key), "critic": critic.fresh(critic_key)}

    def agent(self, game: Game) -> NetworkAgent:
        """Returns the agent that plays the policy's likeliest action in one game."""
        config = self.config
        return NetworkAgent(game, config.hidden, True, config.precision, symmetric=config.symmetric)

    def policy(self, game: Game) -> BitsNetwork:
        """Returns the Flax module of the policy for one game."""
        return self.agent(game).network

    def critic(self, game: Game) -> BitsNetwork:
        """Returns the Flax module of the critic for one game."""
        return self._network(game.num_full_state_features, self.config.critic_hidden, 1)

    def policy_params(self, game: Game, params: Any) -> Any:
        """Returns the parameters of `policy(game)`, out of those of all games."""
        vocabulary = self.mixture.policy
        return vocabulary.for_game(game, params["policy"]) if vocabulary else params["policy"]

    def logits(self, game: Game, params: Any, features: jax.Array) -> jax.Array:
        """Returns the policy's logits: float32[..., num_actions] of uint32[..., words]."""
        return forward(self.policy(game), self.policy_params(game, params), features)

    def values(self, game: Game, params: Any, full: jax.Array) -> jax.Array:
        """Returns the critic's values: float32[...] of uint32[..., words]."""
        vocabulary, own = self.mixture.critic, params["critic"]
        own = vocabulary.for_critic(game, own) if vocabulary else own
        return forward(self.critic(game), own, full)[..., 0]

    def _network(self, num_inputs: int, hidden: Sequence[int], num_outputs: int) -> BitsNetwork:
        return BitsNetwork(num_inputs, hidden, num_outputs, jnp.dtype(self.config.precision))
