"""The decisions of a gradient step: advantages, and steps of deals as rows."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.advantages import turn_based_advantages
from jaxcards.agents.learners.decisions import Decisions, decisions_of, normalised
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.self_play import Experience

_SURE = 0.99


class Rows(NamedTuple):
    """Steps of deals of one game, one in each row: fields of `Experience`, and those of a gradient.

    Attributes:
      features, full, legal, action, log_probability: see `Experience`.
      advantage: float32[rows], with mean 0 and deviation 1 over the decisions of a minibatch.
      target: float32[rows], the critic's target, in units of `TrainState.scale`.
      weight: float32[rows], the weight of the row: 1 / (decisions of the minibatch on all devices).
        A near-certain decision that represents others has `config.sure_every` times that weight, and
        rows outside the training data have 0.
    """

    features: jax.Array
    full: jax.Array
    legal: jax.Array
    action: jax.Array
    log_probability: jax.Array
    advantage: jax.Array
    target: jax.Array
    weight: jax.Array


def minibatch_decisions(
    config: PPOConfig,
    axis: str,
    scales: jax.Array,
    batches: list[Experience],
    values: list[jax.Array],
) -> list[Decisions]:
    """Compute advantages and find the decisions of a minibatch, for one device's share of its deals.

    Args:
      config: every setting.
      axis: name of the axis of the devices.
      scales: float32[games], by which the rewards of each game are divided.
      batches: for each game the steps of its deals, axes [max_steps, deals].
      values: for each game float32[max_steps, deals], the critic's values.

    Returns:
      A part for each game. Advantages are normalised, and weights add up to 1, over all of them.
    """
    advantages = [
        turn_based_advantages(
            batch.rewards / scale,
            batch.player,
            value,
            batch.decides,
            config.discount,
            config.gae_lambda,
        )
        for batch, value, scale in zip(batches, values, scales, strict=True)
    ]
    decides = [batch.decides.astype(jnp.float32) for batch in batches]
    # count: the decisions of all games on all devices.
    count = jax.lax.psum(sum(which.sum() for which in decides), axis)
    normal = normalised(axis, advantages, decides, count)
    parts = []
    for of_game in zip(batches, values, advantages, normal, decides, strict=True):
        batch, value, advantage, own, which = of_game
        copies = _copies(batch, config.sure_every, axis)
        rows = Rows(
            features=batch.features,
            full=batch.full,
            legal=batch.legal,
            action=batch.action,
            log_probability=batch.log_probability,
            advantage=own,
            # The critic's target is not normalised.
            target=advantage + value,
            weight=which * copies / count,
        )
        # Decisions that another one represents are left out.
        parts.append(decisions_of(rows, batch.decides & (copies > 0), config.decision_share))
    return parts


def _copies(batch: Experience, every: int, axis: str) -> jax.Array:
    """Return the number of decisions that each step represents: float32[max_steps, deals].

    A near-certain decision has a negligible gradient, and most decisions of a trained policy are
    near-certain. Train on one in `every` of them, chosen by step and deal alone, with `every` times the
    weight. The mean of the gradient stays the same at a fraction of the cost.
    """
    steps, deals = batch.decides.shape
    # Numbers of the deals on all devices, so that the choice does not depend on their number.
    number = jax.lax.axis_index(axis) * deals + jnp.arange(deals, dtype=jnp.int32)
    # Step plus deal spreads the chosen decisions evenly over both.
    stands = (jnp.arange(steps, dtype=jnp.int32)[:, None] + number[None]) % every == 0
    sure = batch.log_probability > jnp.log(jnp.float32(_SURE))
    return jnp.where(sure, jnp.where(stands, jnp.float32(every), 0), 1)
