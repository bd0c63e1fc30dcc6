"""The decisions that a gradient step learns from: advantages, and steps of deals as rows."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.advantages import turn_based
from jaxcards.agents.decisions import Decisions, decisions_of, normalised
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.agents.self_play import Experience


class Rows(NamedTuple):
    """Steps of deals of one game, one in each row: fields of `Experience`, and what a gradient needs.

    Attributes:
      features, full, legal, action, log_probability: see `Experience`.
      advantage: float32[rows], with mean 0 and deviation 1 over the decisions of a minibatch.
      target: float32[rows], what the critic shall predict, in units of `TrainState.scale`.
      weight: float32[rows], 1 / (decisions of the minibatch on all devices); 0 if not a decision.
    """

    features: jax.Array
    full: jax.Array
    legal: jax.Array
    action: jax.Array
    log_probability: jax.Array
    advantage: jax.Array
    target: jax.Array
    weight: jax.Array


def minibatch(
    config: PPOConfig,
    axis: str,
    scales: jax.Array,
    batches: list[Experience],
    values: list[jax.Array],
) -> list[Decisions]:
    """Computes advantages and finds the decisions of a minibatch: one device's share of its deals.

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
        turn_based(
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
    count = jax.lax.psum(sum(which.sum() for which in decides), axis)
    normal = normalised(axis, advantages, decides, count)
    parts = []
    for of_game in zip(batches, values, advantages, normal, decides, strict=True):
        batch, value, advantage, own, which = of_game
        rows = Rows(
            features=batch.features,
            full=batch.full,
            legal=batch.legal,
            action=batch.action,
            log_probability=batch.log_probability,
            advantage=own,
            target=advantage + value,
            weight=which / count,
        )
        parts.append(decisions_of(rows, batch.decides, config.decision_share))
    return parts
