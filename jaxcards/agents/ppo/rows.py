"""The decisions that a gradient step learns from: advantages, and steps of deals as rows."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.ppo.advantages import turn_based
from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.agents.ppo.experience import Experience


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


class Minibatch(NamedTuple):
    """One device's share of the deals of a gradient step, those of one game.

    Attributes:
      rows: every step of these deals.
      decisions: int32[parts, room], the indices of the rows that are decisions, in order, then padding
        with the number of rows.
    """

    rows: Rows
    decisions: jax.Array


def part_size(config: PPOConfig, steps: int) -> int:
    """Returns how many of a device's `steps` of a minibatch a gradient is computed of at once."""
    return max(int(steps * config.decision_share), 1)


def minibatch(
    config: PPOConfig,
    axis: str,
    scales: jax.Array,
    batches: list[Experience],
    values: list[jax.Array],
) -> list[Minibatch]:
    """Computes advantages and finds the decisions of a minibatch.

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
    normalised = _normalised(axis, advantages, decides, count)
    parts = []
    for of_game in zip(batches, values, advantages, normalised, decides, strict=True):
        batch, value, advantage, normal, which = of_game
        rows = Rows(
            features=batch.features,
            full=batch.full,
            legal=batch.legal,
            action=batch.action,
            log_probability=batch.log_probability,
            advantage=normal,
            target=advantage + value,
            weight=which / count,
        )
        parts.append(_on_one_axis(config, rows, batch.decides))
    return parts


def _on_one_axis(config: PPOConfig, rows: Rows, decides: jax.Array) -> Minibatch:
    """Puts all steps of all deals on one axis, and finds the decisions among them."""
    steps = decides.size
    size = part_size(config, steps)
    parts = -(-steps // size)
    (index,) = jnp.nonzero(decides.reshape(-1), size=parts * size, fill_value=steps)
    rows = jax.tree.map(lambda x: x.reshape(steps, *x.shape[2:]), rows)
    return Minibatch(rows, index.reshape(parts, size))


def _normalised(
    axis: str, advantages: list[jax.Array], decides: list[jax.Array], count: jax.Array
) -> list[jax.Array]:
    """Returns advantages with mean 0 and deviation 1 over the decisions of all games and devices."""
    pairs = list(zip(advantages, decides, strict=True))
    mean = jax.lax.psum(sum((one * which).sum() for one, which in pairs), axis) / count
    centred = [(one - mean) * which for one, which in pairs]
    variance = jax.lax.psum(sum(jnp.square(one).sum() for one in centred), axis) / count
    return [one / (jnp.sqrt(variance) + 1e-6) for one in centred]
