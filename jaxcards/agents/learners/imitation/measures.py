"""Measures of how well a policy predicts recorded actions: sums over decisions, and figures.

Calibration is the expected calibration error (Naeini, Cooper and Hauskrecht 2015). Decisions are sorted
into bins of equal width by the probability of the policy's most likely action. The error is the mean
distance between that probability and the frequency with which the action was chosen.
"""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

BINS = 15
_LEAST = -50.0  # lower limit of a log-probability, so that one decision cannot dominate the mean


class Sums(NamedTuple):
    """Sums over decisions of one kind.

    Attributes:
      number: float32, decisions.
      cross_entropy: float32, in nats.
      correct: float32, decisions in which the most likely action was chosen.
      by_chance: float32, the expected value of `correct` for a random player.
      bins: float32[3, BINS], for each bin of certainty the number, the certainty and `correct`.
    """

    number: Any
    cross_entropy: Any
    correct: Any
    by_chance: Any
    bins: Any


class Times(NamedTuple):
    """Sums over rows with known seconds.

    Attributes:
      number: float32, rows.
      log_error: float32, of the squares of errors of log(1 + seconds).
      error: float32, of the absolute errors in seconds.
      log_seconds, log_squares: float32, of log(1 + seconds) and its square.
    """

    number: Any
    log_error: Any
    error: Any
    log_seconds: Any
    log_squares: Any


def sums(log_probabilities: jax.Array, mask: jax.Array, action: jax.Array, weight: jax.Array) -> Sums:
    """Return the sums over n decisions.

    Args:
      log_probabilities: float32[n, actions], from `masking.log_probabilities`.
      mask: bool[n, actions], the legal actions.
      action: int[n], the chosen actions.
      weight: float32[n], 1 for a decision, 0 for other rows.
    """
    chosen = jnp.take_along_axis(log_probabilities, action[:, None].astype(jnp.int32), -1)[:, 0]
    certain = jnp.exp(log_probabilities.max(-1))
    correct = (log_probabilities.argmax(-1) == action).astype(jnp.float32)
    # The bin of the decision, by the probability of its most likely action.
    place = jnp.minimum((certain * BINS).astype(jnp.int32), BINS - 1)
    of_bin = jax.nn.one_hot(place, BINS, dtype=jnp.float32) * weight[:, None]
    # A random player is right once in the number of legal actions.
    number = jnp.maximum(mask.sum(-1), 1).astype(jnp.float32)
    lost = -jnp.maximum(chosen, _LEAST)
    return Sums(
        number=weight.sum(),
        cross_entropy=(lost * weight).sum(),
        correct=(correct * weight).sum(),
        by_chance=(weight / number).sum(),
        # bins: number, summed certainty, summed `correct`.
        # A product with the one-hot rows adds up by bin.
        bins=jnp.stack([of_bin.sum(0), certain @ of_bin, correct @ of_bin]),
    )


def times(predicted: jax.Array, seconds: jax.Array, weight: jax.Array) -> Times:
    """Return the sums over n rows.

    Args:
      predicted: float32[n], the predicted log(1 + seconds).
      seconds: float32[n]; NaN if unknown.
      weight: float32[n], 0 for rows to ignore.
    """
    known = jnp.isfinite(seconds) & (weight > 0)
    counts = known.astype(jnp.float32)
    seconds = jnp.where(known, seconds, 0)
    logs = jnp.log1p(seconds)
    # The limit of e**20 seconds keeps wild predictions finite.
    error = jnp.where(known, jnp.abs(jnp.expm1(jnp.minimum(predicted, 20)) - seconds), 0)
    return Times(
        number=counts.sum(),
        log_error=(jnp.square(predicted - logs) * counts).sum(),
        error=error.sum(),
        log_seconds=(logs * counts).sum(),
        log_squares=(jnp.square(logs) * counts).sum(),
    )


@dataclasses.dataclass(frozen=True)
class Figures:
    """Prediction quality for decisions of one kind.

    Attributes:
      decisions: their number.
      cross_entropy: mean, in nats.
      accuracy: fraction in which the most likely action was chosen.
      by_chance: the accuracy of a random player.
      calibration_error: see above.
    """

    decisions: int
    cross_entropy: float
    accuracy: float
    by_chance: float
    calibration_error: float


def figures(found: Sums) -> Figures:
    """Return the figures of sums; all 0 without decisions."""
    number = max(float(found.number), 1.0)
    _, certain, correct = np.asarray(found.bins, np.float64)
    return Figures(
        decisions=int(found.number),
        cross_entropy=float(found.cross_entropy) / number,
        accuracy=float(found.correct) / number,
        by_chance=float(found.by_chance) / number,
        # A bin counts in proportion to its decisions.
        calibration_error=float(np.abs(certain - correct).sum() / number),
    )


@dataclasses.dataclass(frozen=True)
class TimeFigures:
    """Prediction quality for seconds.

    Attributes:
      rows: their number.
      log_error: root mean square of the errors of log(1 + seconds).
      log_spread: its standard deviation, the error of a constant prediction.
      seconds_error: mean absolute error in seconds.
    """

    rows: int
    log_error: float
    log_spread: float
    seconds_error: float


def time_figures(found: Times) -> TimeFigures | None:
    """Return the figures of sums; None if all times are unknown."""
    number = float(found.number)
    if not number:
        return None
    mean = float(found.log_seconds) / number
    return TimeFigures(
        rows=int(number),
        log_error=float(np.sqrt(float(found.log_error) / number)),
        # Rounding may make a variance slightly negative.
        log_spread=float(np.sqrt(max(float(found.log_squares) / number - mean**2, 0.0))),
        seconds_error=float(found.error) / number,
    )
