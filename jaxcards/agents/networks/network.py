"""The agent with a neural network: one masked head for calls and cards."""

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Protocol

import flax.linen as nn
import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.networks import masking
from jaxcards.agents.networks.dense import Dense
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.agents.networks.incremental import IncrementalDense, with_rounded_first
from jaxcards.agents.networks.symmetry import mean_log_probabilities
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.features import unpack
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.xla import prng


class Network(Protocol):
    """A function of packed features with parameters, such as a Flax module."""

    def apply(self, params: Any, words: jax.Array, /) -> Any:
        """Map uint32[..., words] to float32[..., outputs]."""
        ...


class BitsNetwork(nn.Module):
    """A multilayer perceptron whose input is packed bits.

    Attributes:
      num_features: number of bits.
      hidden: widths of the hidden layers.
      num_outputs: width of the last layer.
      dtype: type of the factors of its products, float32 or bfloat16; the rest is float32.
      similar: whether `jax.vmap` maps it over similar positions. Products of float32 bits then take
        less time; see `IncrementalDense`.
    """

    num_features: int
    hidden: Sequence[int]
    num_outputs: int
    dtype: Any = jnp.float32
    similar: bool = False
    packed: ClassVar[bool] = True  # the input is bits

    @property
    def is_incremental(self) -> bool:
        """True if the first layer is an `IncrementalDense`."""
        return self.similar and self.packed and self.dtype == jnp.float32 and len(self.hidden) > 0

    def fresh(self, key: jax.Array) -> Any:
        """Return initial parameters."""
        return self.init(key, jnp.zeros(-(-self.num_features // 32), jnp.uint32))

    def read(self, words: jax.Array) -> jax.Array:
        """Return the input of the first layer: [..., num_features]."""
        return unpack(words, self.num_features, self.dtype)

    @nn.compact
    def __call__(self, words: jax.Array) -> jax.Array:
        """Map uint32[..., ceil(num_features / 32)] to float32[..., num_outputs]."""
        dense = Dense if self.dtype == jnp.bfloat16 else nn.Dense
        first = IncrementalDense if self.is_incremental else dense
        # Our own first layers read packed bits; Flax's needs a number for each bit.
        takes_bits = self.packed and first is not nn.Dense
        x, bits = (words, (self.num_features,)) if takes_bits else (self.read(words), ())
        for number, width in enumerate(self.hidden):
            x = nn.relu((dense if number else first)(width, name=f"Dense_{number}")(x, *bits))
            bits = ()
        # Small weights in the last layer make an untrained policy nearly uniform, and a critic nearly
        # 0.
        small = nn.initializers.variance_scaling(0.01, "fan_in", "truncated_normal")
        last = dense(self.num_outputs, kernel_init=small, name=f"Dense_{len(self.hidden)}")
        return last(x, *bits)


class PlanesNetwork(BitsNetwork):
    """The same network with `num_features` numbers as inputs: float32[..., num_features]."""

    packed = False

    def fresh(self, key: jax.Array) -> Any:
        return self.init(key, jnp.zeros(self.num_features, jnp.float32))

    def read(self, words: jax.Array) -> jax.Array:
        return words.astype(self.dtype)


NETWORKS: dict[str, type[BitsNetwork]] = {"features": BitsNetwork, "planes": PlanesNetwork}
"""The network of each kind of input; see `Encoding`."""


def forward(network: Network, params: Any, words: jax.Array) -> jax.Array:
    """Return the output of a network for packed features: float32[..., num_outputs]."""
    output = network.apply(params, words)
    assert isinstance(output, jax.Array)
    return output


@dataclasses.dataclass(frozen=True)
class NetworkAgent:
    """A player with a policy network.

    Attributes:
      game: the game whose features and actions the network was made for.
      hidden: widths of the hidden layers.
      greedy: play the most likely action; otherwise draw from the policy.
      precision: "float32" or "bfloat16", the type of the factors of its products.
      inputs: the inputs of the network, "features" or "planes"; see `Encoding`.
      symmetric: choose by the mean of the network's log-probabilities under all equivalent names of the
        suits; see `symmetry`. An answer takes up to six times as long.
      similar: whether `jax.vmap` maps it over similar positions; see `incremental`.
    """

    game: Game
    hidden: tuple[int, ...] = (256, 256)
    greedy: bool = False
    precision: str = "float32"
    inputs: str = "features"
    symmetric: bool = False
    similar: bool = False

    def __post_init__(self) -> None:
        if self.symmetric and self.inputs != "features":
            raise UserError(f"symmetric needs features: this player sees {self.inputs}")

    @property
    def fast_policy(self) -> "NetworkAgent":
        """The same network under one name of the suits, for rollouts and other large batches."""
        return dataclasses.replace(self, symmetric=False)

    def for_similar_positions(self, params: Any) -> tuple["NetworkAgent", Any]:
        """Return the fast policy for batches of similar positions, and its parameters.

        The weights of an `IncrementalDense` are rounded; see `incremental.rounded`.
        """
        agent = dataclasses.replace(self, symmetric=False, similar=True)
        return agent, with_rounded_first(params) if agent.network.is_incremental else params

    @property
    def encoding(self) -> Encoding:
        """The inputs of the network and its names of the actions."""
        return Encoding(self.game, self.inputs)

    @property
    def network(self) -> BitsNetwork:
        """The Flax module of the policy."""
        sizes = (self.encoding.num_inputs, self.hidden, self.game.num_actions)
        return NETWORKS[self.inputs](*sizes, jnp.dtype(self.precision), self.similar)

    def init(self, key: jax.Array, game: Game) -> Any:
        return self.network.fresh(key)

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        log_probability = self._log_probabilities(params, observation, legal)
        if self.greedy:
            action = log_probability.argmax(-1).astype(jnp.int32)
        else:
            action = masking.sample(log_probability, prng.uniform(prng.first_word(key)))
        # From the network's name of the action, such as trumps first, to the game's.
        return self.encoding.action(observation, action)

    def probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        """Return the probability of each action: float32[num_actions]."""
        log_probability = self._log_probabilities(params, observation, legal)
        chosen = jnp.exp(log_probability)
        if self.greedy:
            best = log_probability.argmax(-1)
            chosen = jax.nn.one_hot(best, self.game.num_actions, dtype=jnp.float32)
        # From the network's order of the actions to the game's.
        return chosen[self._places(observation)]

    def log_probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        """Return the logarithm of the policy, greedy or not: float32[num_actions]."""
        found = self._log_probabilities(params, observation, legal)
        return found[self._places(observation)]

    def log_probability(
        self, params: Any, observation: Any, legal: ActionSet, action: jax.Array
    ) -> jax.Array:
        """Return one entry of `log_probabilities`: float32 scalar."""
        found = self._log_probabilities(params, observation, legal)
        return found[self.encoding.action(observation, action)]

    def _places(self, observation: Any) -> jax.Array:
        """Return the network's index of each action: int32[num_actions]."""
        actions = jnp.arange(self.game.num_actions, dtype=jnp.int32)
        return jax.vmap(lambda action: self.encoding.action(observation, action))(actions)

    def _log_probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        """Return the policy, under the network's names of the actions: float32[num_actions]."""
        mask = self.encoding.legal(observation, legal).mask()
        words = self.encoding.encode(observation)
        if not self.symmetric:
            return masking.log_probabilities(forward(self.network, params, words), mask)
        one = self.network
        # Renaming suits moves single inputs, so the bits are unpacked first.
        answers = PlanesNetwork(one.num_features, one.hidden, one.num_outputs, one.dtype)
        bits = unpack(words, one.num_features, one.dtype)
        return mean_log_probabilities(self.game, partial(forward, answers, params), bits, mask)


def fast_policy_of(agent: Agent) -> Agent:
    """Return the `fast_policy` of a network agent; return any other agent unchanged."""
    return agent.fast_policy if isinstance(agent, NetworkAgent) else agent
