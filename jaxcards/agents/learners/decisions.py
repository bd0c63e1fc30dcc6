"""Gradients over the decisions of many deals.

A deal has a fixed number of steps, and most of them are not decisions: forced moves, and steps after
the end. Gradients are computed for groups of decisions until all are done.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.xla.pooled import largest


class Decisions(NamedTuple):
    """Steps of deals, and which of them are decisions.

    Attributes:
      rows: a NamedTuple of arrays with one axis, every step of every deal. One of them is `weight`,
        float32, the weight of a row.
      numbers: int32[parts, room], the rows that are decisions, in order, padded with the number of all
        rows.
    """

    rows: Any
    numbers: jax.Array


def part_size(share: float, steps: int) -> int:
    """Return the number of steps whose gradient is computed at once."""
    return max(int(steps * share), 1)


def decisions_of(rows: Any, decides: jax.Array, share: float) -> Decisions:
    """Put all steps of all deals on one axis, and find the decisions among them.

    Args:
      rows: a NamedTuple of arrays [steps, deals, ...].
      decides: bool[steps, deals], which of them are decisions.
      share: the fraction of the steps to compute at once.
    """
    steps = decides.size
    size = part_size(share, steps)
    # Rounded up: the last part may have padding.
    parts = -(-steps // size)
    # Padding has the number of all steps, one beyond the last row.
    (index,) = jnp.nonzero(decides.reshape(-1), size=parts * size, fill_value=steps)
    rows = jax.tree.map(lambda x: x.reshape(steps, *x.shape[2:]), rows)
    return Decisions(rows, index.reshape(parts, size))


def masks(game: Game, legal: jax.Array) -> jax.Array:
    """Return the legal actions of rows: bool[n, num_actions] of uint32[n, words]."""
    layout = game.action_layout
    # An action set is a list of scalar words: here every word has an axis of rows for `vmap`.
    sets = ActionSet(layout, [legal[:, word] for word in range(len(layout.offsets))])
    return jax.vmap(lambda one: one.mask())(sets)


def gradient(
    loss: Callable[[Any, Any], tuple[jax.Array, dict[str, jax.Array]]],
    params: Any,
    decisions: Decisions,
) -> tuple[Any, dict[str, jax.Array]]:
    """Return the gradient of a loss, and its metrics, added up over all decisions.

    All decisions count, however the deals are spread over devices: the result must not depend on which
    deals share a device.

    Args:
      loss: (params, rows) -> (contribution of the rows to the loss, contribution to metrics).
      params: the parameters at which the gradient is taken.
      decisions: the training data.
    """
    # The number of all rows, which marks padding.
    size = decisions.rows.weight.size

    def part(number: jax.Array) -> tuple[Any, dict[str, jax.Array]]:
        index = decisions.numbers[number]
        # Padding reads the last row, with weight 0.
        own = jax.tree.map(lambda x: x[jnp.minimum(index, size - 1)], decisions.rows)
        own = own._replace(weight=jnp.where(index < size, own.weight, 0))
        return jax.grad(loss, has_aux=True)(params, own)

    def add(number: jax.Array, total: Any) -> Any:
        return jax.tree.map(jnp.add, total, part(number))

    # Zeros of the right shapes; `part` is only traced.
    nothing = jax.tree.map(jnp.zeros_like, jax.eval_shape(part, jnp.int32(0)))
    room = decisions.numbers.shape[1]
    # Parts that are all padding are skipped; they add 0 where another seed has more parts.
    used = largest(-(-(decisions.numbers < size).sum() // room))
    return jax.lax.fori_loop(0, used, add, nothing)


def added(parts: list[Any]) -> Any:
    """Return the sum of trees of the same arrays, such as the contributions of games to a gradient."""
    return jax.tree.map(lambda *leaves: functools.reduce(jnp.add, leaves), *parts)


def normalised(
    axis: str, values: list[jax.Array], decides: list[jax.Array], count: jax.Array
) -> list[jax.Array]:
    """Return values normalised to mean 0 and deviation 1 over the decisions of all games and devices.

    Args:
      axis: name of the axis of the devices.
      values: for each game float32[...].
      decides: for each game float32[...], 1 for a decision, else 0; where it is 0, the result is 0.
      count: float32, the number of decisions of all games and devices.
    """
    pairs = list(zip(values, decides, strict=True))
    # Sums over all devices, so that every device subtracts the same mean.
    mean = jax.lax.psum(sum((one * which).sum() for one, which in pairs), axis) / count
    centred = [(one - mean) * which for one, which in pairs]
    variance = jax.lax.psum(sum(jnp.square(one).sum() for one in centred), axis) / count
    return [one / (jnp.sqrt(variance) + 1e-6) for one in centred]
