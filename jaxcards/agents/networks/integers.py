"""A network for the 72 integers of the Swisslos data, and a player for our tables that uses it.

The integers are one-hot vectors, 2562 inputs in all. The first layer is their embedding: it adds up a
vector for each card and each place where it can be. The outputs are a number for each of the 9 slots of
the hand, and the logarithm of the seconds before the move. The data have no calls, so the player leaves
calls to the heuristic.
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.networks import masking
from jaxcards.agents.networks.network import BitsNetwork, NetworkAgent, forward
from jaxcards.agents.players import make_player
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.match import deal_of
from jaxcards.records.swisslos_layout import HAND, HAND_SIZE, NUM_INPUTS, NUM_INTEGERS, TRUMP, WIDTHS

NUM_OUTPUTS = HAND_SIZE + 1


class IntegersNetwork(BitsNetwork):
    """A multilayer perceptron whose input is uint8[..., 72], and whose output is float32[..., 10]."""

    packed = False

    def fresh(self, key: jax.Array) -> Any:
        return self.init(key, jnp.zeros(self.num_features, jnp.uint8))

    def read(self, words: jax.Array) -> jax.Array:
        return one_hot(words, self.dtype)


def network(num_inputs: int, hidden: Any, num_outputs: int, dtype: Any) -> IntegersNetwork:
    """Return the network, whatever the number of actions of the game is."""
    del num_outputs
    return IntegersNetwork(num_inputs, hidden, NUM_OUTPUTS, dtype)


def one_hot(state: jax.Array, dtype: Any = jnp.float32) -> jax.Array:
    """Return integers as concatenated one-hot vectors, with zeros for 0: [..., 2562] of [..., 72]."""
    # Code 0 becomes -1, whose one-hot vector is all zeros.
    codes = state.astype(jnp.int32) - 1
    cards = jax.nn.one_hot(codes[..., :TRUMP], WIDTHS[0], dtype=dtype)
    trump = jax.nn.one_hot(codes[..., TRUMP], WIDTHS[TRUMP], dtype=dtype)
    flat = cards.reshape(*cards.shape[:-2], TRUMP * WIDTHS[0])
    found = jnp.concatenate([flat, trump], -1)
    assert state.shape[-1] == NUM_INTEGERS and found.shape[-1] == NUM_INPUTS
    return found


@dataclasses.dataclass(frozen=True)
class IntegersAgent(NetworkAgent):
    """A player of cards by a network of 72 integers, and of calls by the heuristic."""

    inputs: str = "integers"

    def __post_init__(self) -> None:
        game = deal_of(self.game)
        rules: Any = game.rules
        if game.name != "jass" or rules.game != "schieber" or rules.slalom:
            raise UserError(
                f"a network of the 72 integers plays only Schieber without Slalom, not {game.id}"
            )

    @property
    def network(self) -> BitsNetwork:
        return network(self.encoding.num_inputs, self.hidden, NUM_OUTPUTS, jnp.dtype(self.precision))

    def _log_probabilities(self, params: Any, observation: Any, legal: ActionSet) -> jax.Array:
        """Return the policy: float32[num_actions]; calls are deterministic."""
        state = self.encoding.encode(observation)
        mask = legal.mask()
        # The hand as card numbers, -1 for an empty slot.
        hand = state[HAND].astype(jnp.int32) - 1
        slots = forward(self.network, params, state.astype(jnp.uint8))[:HAND_SIZE]
        chances = masking.log_probabilities(slots, (hand >= 0) & mask[jnp.maximum(hand, 0)])
        # Move the answer for each slot to the action that plays its card.
        actions = jnp.arange(self.game.num_actions, dtype=jnp.int32)
        never = jnp.float32(masking.FLOOR)
        # At most one slot has the card of an action: the maximum selects its answer.
        cards = jnp.where(hand[:, None] == actions, chances[:, None], never).max(0)
        heuristic = make_player("heuristic", self.game)
        # The heuristic ignores its key.
        own = heuristic.init(jax.random.key(0), self.game)
        call = heuristic.act(own, observation, legal, jax.random.key(0))
        # Before trumps are chosen the deal is in its calls: the heuristic's call is certain.
        return jnp.where(state[TRUMP] > 0, cards, jnp.where(actions == call, 0.0, never))
