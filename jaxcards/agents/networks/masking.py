"""Distributions over legal actions that never give a NaN.

The usual `where(mask, logits, -inf)` fails in three ways: a row without legal actions divides 0 by 0,
huge logits overflow, and the gradient of an unused branch is 0 * inf. Here illegal logits become a
finite floor before any subtraction or exponential, so all values stay finite.
"""

import jax
import jax.numpy as jnp

_LARGEST = 1e30  # logits are clipped to this size, so that differences stay finite in float32
FLOOR = -4e30  # the logit of an illegal action, below any difference of legal ones


def log_probabilities(logits: jax.Array, mask: jax.Array) -> jax.Array:
    """Return log-probabilities of the legal actions: float32[..., num_actions].

    Args:
      logits: float[..., num_actions], of any finite or infinite values; computed in float32.
      mask: bool[..., num_actions]. In a row without legal actions, all actions count as legal.

    Returns:
      Log-probabilities; -4e30 for illegal actions, whose gradient is zero.
    """
    mask = effective(mask)
    finite = jnp.clip(logits.astype(jnp.float32), -_LARGEST, _LARGEST)
    kept = jnp.where(mask, finite, FLOOR)
    # The largest logit becomes 0, so that no exponential overflows; its gradient would cancel anyway.
    shifted = kept - jax.lax.stop_gradient(kept.max(-1, keepdims=True))
    total = jnp.where(mask, jnp.exp(shifted), 0).sum(-1, keepdims=True)
    return jnp.where(mask, shifted - jnp.log(total), FLOOR)


def epsilon_greedy(values: jax.Array, mask: jax.Array, epsilon: jax.Array) -> jax.Array:
    """Return log-probabilities of an epsilon-greedy policy: float32[..., num_actions].

    With probability `epsilon` it takes a uniformly random legal action, else that of the highest value.

    Args:
      values: float[..., num_actions].
      mask: as in `log_probabilities`.
      epsilon: float32 in [0, 1].
    """
    mask = effective(mask)
    best = jnp.where(mask, values, -jnp.inf).argmax(-1)
    # Every legal action gets its share of epsilon; the best one gets the rest as well.
    others = jnp.where(mask, epsilon / mask.sum(-1, keepdims=True, dtype=jnp.float32), 0)
    chance = others + (1 - epsilon) * jax.nn.one_hot(best, mask.shape[-1], dtype=jnp.float32)
    return jnp.where(chance > 0, jnp.log(jnp.maximum(chance, 1e-30)), FLOOR)


def entropy(log_probability: jax.Array) -> jax.Array:
    """Return the entropy in nats of rows of `log_probabilities`: float32[...]."""
    legal = log_probability > FLOOR / 2  # less likely actions add nothing to the entropy
    safe = jnp.where(legal, log_probability, 0)
    return -jnp.where(legal, jnp.exp(safe) * safe, 0).sum(-1)


def divergence(log_probability: jax.Array, other: jax.Array) -> jax.Array:
    """Return the Kullback-Leibler divergence from `other` in nats: float32[...], at least 0.

    Args:
      log_probability: rows of `log_probabilities`, over which the mean is taken.
      other: rows with the same legal actions. Probabilities below e**-50 count as e**-50, so that
        gradients stay bounded.
    """
    legal = log_probability > FLOOR / 2
    safe = jnp.where(legal, log_probability, 0)
    apart = safe - jnp.where(legal, jnp.maximum(other, -50.0), 0)
    return jnp.where(legal, jnp.exp(safe) * apart, 0).sum(-1)


def sample(log_probability: jax.Array, uniform: jax.Array) -> jax.Array:
    """Draw an action by inverting the distribution function: int32[...].

    This takes one random number per decision; the Gumbel trick needs one per action.

    Args:
      log_probability: float32[..., num_actions] from `log_probabilities`.
      uniform: float32[...] in [0, 1).
    """
    probability = jnp.exp(log_probability)
    size = probability.shape[-1]
    # A product with a triangle of ones computes the running sum faster than a cumulative sum.
    running = probability @ jnp.triu(jnp.ones((size, size), jnp.float32))
    # The index drawn is the number of running sums at or below the mark.
    drawn = (running <= uniform[..., None] * running[..., -1:]).sum(-1)
    best = probability.argmax(-1)
    # Rounding may lead past the end or to an illegal action: then take the most likely one.
    found = jnp.take_along_axis(probability, jnp.minimum(drawn, size - 1)[..., None], -1)[..., 0]
    return jnp.where((drawn < size) & (found > 0), drawn, best).astype(jnp.int32)


def effective(mask: jax.Array) -> jax.Array:
    """Return the mask, all True in rows that had no True."""
    return mask | ~mask.any(-1, keepdims=True)
