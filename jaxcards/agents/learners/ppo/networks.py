"""Policy and critic of one game, or of many games that share their parameters."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.mixture import Mixture
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.networks.network import BitsNetwork, NetworkAgent, forward
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class Networks:
    """The trained networks; their parameters are {"policy": ..., "critic": ...}.

    Attributes:
      mixture: the games.
      config: widths and precision.
    """

    mixture: Mixture
    config: PPOConfig

    def fresh(self, policy_key: jax.Array, critic_key: jax.Array) -> dict[str, Any]:
        """Return initial parameters, for all games."""
        policy = self.mixture.policy_network(self.config.hidden, self.config.precision)
        critic, full = self.critic(self.mixture.games[0]), self.mixture.critic
        # With several games, the critic has an input for every bit and rule of any of them.
        if full:
            critic = self._critic(full.num_inputs)
        return {"policy": policy.fresh(policy_key), "critic": critic.fresh(critic_key)}

    def agent(self, game: Game) -> NetworkAgent:
        """Return the agent that plays the policy's most likely action in one game."""
        config = self.config
        return NetworkAgent(game, config.hidden, True, config.precision, symmetric=config.symmetric)

    def policy(self, game: Game) -> BitsNetwork:
        """Return the Flax module of the policy for one game."""
        return self.agent(game).network

    def critic(self, game: Game) -> BitsNetwork:
        """Return the Flax module of the critic for one game."""
        return self._critic(game.num_full_state_features)

    def policy_params(self, game: Game, params: Any) -> Any:
        """Return the parameters of `policy(game)`, from those of all games."""
        return self.mixture.policy_params(game, params["policy"])

    def logits(self, game: Game, params: Any, features: jax.Array) -> jax.Array:
        """Return the policy's logits: float32[..., num_actions] of uint32[..., words]."""
        return forward(self.policy(game), self.policy_params(game, params), features)

    def values(self, game: Game, params: Any, full: jax.Array) -> jax.Array:
        """Return the critic's values: float32[...] of uint32[..., words]."""
        vocabulary, own = self.mixture.critic, params["critic"]
        own = vocabulary.for_critic(game, own) if vocabulary else own
        return forward(self.critic(game), own, full)[..., 0]

    def _critic(self, num_inputs: int) -> BitsNetwork:
        return BitsNetwork(num_inputs, self.config.critic_hidden, 1, jnp.dtype(self.config.precision))
