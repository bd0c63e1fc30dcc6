"""The loss of the policy gradient."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.decisions import masks
from jaxcards.agents.networks import masking
from jaxcards.game import Game


class Rows(NamedTuple):
    """Steps of deals, one in each row: fields of `Experience`, and those of a gradient.

    Attributes:
      features, legal, action: see `Experience`.
      gain: float32[rows], the sum of rewards from the turn on, with mean 0 and deviation 1 over the
        decisions of an update.
      weight: float32[rows], 1 / (decisions of the update on all devices); 0 if not a decision.
    """

    features: jax.Array
    legal: jax.Array
    action: jax.Array
    gain: jax.Array
    weight: jax.Array


def loss(
    game: Game, logits: jax.Array, rows: Rows, calls: jax.Array, cards: jax.Array
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Return the contributions of these rows to loss and metrics; their sums are the means.

    The gradient is minus that of the expected gain (Williams 1992, theorem 1), and of an entropy bonus.

    Args:
      game: its layout of actions.
      logits: float32[rows, num_actions], any values.
      rows: the training data.
      calls: float32, weight of the entropy bonus of decisions with a legal call.
      cards: float32, that of decisions about cards alone.
    """
    mask = masks(game, rows.legal)
    # Huge weights make inf - inf. Such a gradient is skipped, but metrics must still be numbers.
    log_probabilities = masking.log_probabilities(jnp.nan_to_num(logits), mask)
    chosen = jnp.take_along_axis(log_probabilities, rows.action[:, None], -1)[:, 0]
    entropy = masking.entropy(log_probabilities)
    # Actions behind the cards are calls.
    is_call = mask[:, game.deck.num_cards :].any(-1)

    def mean(x: jax.Array) -> jax.Array:
        return (x * rows.weight).sum()

    lost = -mean(chosen * rows.gain)
    metrics = {
        "policy_loss": lost,
        "entropy": mean(entropy),
        "call_entropy": mean(jnp.where(is_call, entropy, 0)),
        "calls": mean(is_call.astype(jnp.float32)),
    }
    bonus = mean(jnp.where(is_call, calls, cards) * entropy)
    return lost - bonus, jax.lax.stop_gradient(metrics)
