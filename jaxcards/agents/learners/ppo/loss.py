"""The loss of proximal policy optimisation."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.decisions import masks
from jaxcards.agents.learners.ppo.minibatch import Rows
from jaxcards.agents.learners.ppo.networks import Networks
from jaxcards.agents.networks import masking
from jaxcards.game import Game


class Bonus(NamedTuple):
    """Weights of the entropy bonus, float32 scalars, and the policy near which cards are held.

    Attributes:
      calls: of decisions with a legal call: a bid, a pass, a trump, an announcement.
      cards: of decisions about cards alone.
      magnet: parameters of a policy in the form of the learner's; None without a magnet.
    """

    calls: jax.Array
    cards: jax.Array
    magnet: Any = None


def loss(
    networks: Networks, game: Game, params: Any, rows: Rows, bonus: Bonus
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Return the contributions of these rows to loss and metrics; their sums are the means.

    The policy's loss has the clipped gain of the probability ratio (Schulman et al. 2017, equation 7),
    an entropy bonus, and its divergence from the magnet (Sokota et al. 2023). The critic's loss is the
    squared error.
    """
    config = networks.config
    # The policy.
    mask = masks(game, rows.legal)
    log_probabilities = masking.log_probabilities(networks.logits(game, params, rows.features), mask)
    chosen = jnp.take_along_axis(log_probabilities, rows.action[:, None], -1)[:, 0]
    # Rows outside the training data get ratio 1.
    log_ratio = jnp.where(rows.weight > 0, chosen - rows.log_probability, 0)
    # The limits keep the exponential finite.
    ratio = jnp.exp(jnp.clip(log_ratio, -20, 20))
    clipped = jnp.clip(ratio, 1 - config.clip, 1 + config.clip)
    # The clipped ratio takes away the gain of moving further than the range.
    gain = jnp.minimum(ratio * rows.advantage, clipped * rows.advantage)
    entropy = masking.entropy(log_probabilities)
    # Actions behind the cards are calls.
    is_call = mask[:, game.deck.num_cards :].any(-1)
    # The critic.
    error = jnp.square(networks.values(game, params, rows.full) - rows.target)

    def mean(x: jax.Array) -> jax.Array:
        return (x * rows.weight).sum()

    found = jnp.where(is_call, bonus.calls, bonus.cards) * entropy
    loss = -mean(gain) - mean(found) + config.value_coefficient * mean(error)
    held: dict[str, jax.Array] = {}
    if bonus.magnet is not None:
        logits = networks.logits(game, {"policy": bonus.magnet}, rows.features)
        held_by = masking.log_probabilities(logits, mask)
        # The magnet holds decisions about cards only.
        apart = jnp.where(is_call, 0, masking.divergence(log_probabilities, held_by))
        loss += config.card_magnet * mean(apart)
        held["magnet_kl"] = mean(apart)
    metrics = {
        "policy_loss": -mean(gain),
        "value_loss": mean(error),
        "entropy": mean(entropy),
        "call_entropy": mean(jnp.where(is_call, entropy, 0)),
        "calls": mean(is_call.astype(jnp.float32)),
        # An estimate of the divergence that is never negative.
        "kl": mean(ratio - 1 - log_ratio),
        "clipped": mean((jnp.abs(ratio - 1) > config.clip).astype(jnp.float32)),
    } | held
    return loss, jax.lax.stop_gradient(metrics)
