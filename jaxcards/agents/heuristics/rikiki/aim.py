"""The expected score of a Rikiki player, from the tricks that its hand will probably take."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.games.rikiki.rules import RikikiRules
from jaxcards.games.rikiki.score import seat_points


class Aim(NamedTuple):
    """Weights for how reliably a player makes its bid.

    Attributes:
      steer: with one trick left, the fraction of the gap between the expected and the wanted number of
        tricks that good play closes.
      steer_more: increase of this fraction for each doubling of the tricks left.
      spread: the spread of the number of tricks, independent of the cards.
      spread_cards: the same, times the standard deviation of the tricks of the single cards.
    """

    steer: Any
    steer_more: Any
    spread: Any
    spread_cards: Any


def steps(rules: RikikiRules, bid: jax.Array, size: jax.Array) -> list[jax.Array]:
    """Return the points that trick 1, 2, … adds to the score of a bid: float32, shaped like `bid`.

    Args:
      rules: the rules.
      bid: int32.
      size: the cards of a hand in this round.
    """
    scores = [
        seat_points(rules, bid, jnp.int32(won), size).astype(jnp.float32)
        for won in range(max(rules.schedule) + 1)
    ]
    return [more - less for less, more in zip(scores, scores[1:], strict=False)]


def expected(
    aim: Aim,
    steps: list[jax.Array],
    bid: jax.Array,
    won: jax.Array,
    left: jax.Array,
    mean: jax.Array,
    variance: jax.Array,
) -> jax.Array:
    """Return the expected score, less the score without any trick: float32, of the common shape.

    The number of tricks follows a rounded logistic distribution around the mean, cut off at 0 and at
    all tricks.

    Args:
      aim: how reliably bids are made.
      steps: of the bid; see `steps`.
      bid, won: int32, the bid and the tricks won already.
      left: int32, tricks left to play.
      mean: float32, expected tricks of the cards.
      variance: float32, the sum over the cards of chance times counter-chance.
    """
    most = left.astype(jnp.float32)
    wanted = jnp.clip((bid - won).astype(jnp.float32), 0.0, most)
    steer = jnp.clip(aim.steer + aim.steer_more * jnp.log2(jnp.maximum(most, 1.0)), 0.0, 0.95)
    # Good play moves the number of tricks towards the wanted one.
    mean = mean + steer * (wanted - mean)
    spread = aim.spread + aim.spread_cards * jnp.sqrt(jnp.maximum(variance, 0.0))
    # Half of the rate, as a logistic function is a tanh of half of its argument.
    rate = 0.5 / jnp.maximum(spread, 0.05)
    total: jax.Array = jnp.float32(0)
    # Half a trick less, because the number of tricks is rounded.
    middle = won.astype(jnp.float32) + mean - 0.5
    for number, step in enumerate(steps):
        # The chance of more than `number` tricks: a logistic function, written as tanh.
        more = 0.5 + 0.5 * jnp.tanh((middle - number) * rate)
        # Tricks already won are certain, and those beyond the last one impossible.
        more = jnp.where(number < won, 1.0, jnp.where(number >= won + left, 0.0, more))
        total = total + step * more
    return total
