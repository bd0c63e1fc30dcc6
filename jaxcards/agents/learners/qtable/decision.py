"""A decision in a table: its cells, which of them are legal, and the action of each."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.qtable.layout import Layout


class Options(NamedTuple):
    """The actions of a situation.

    Attributes:
      legal: bool[options].
      action: int32[options], the action of the game for each option; arbitrary if not legal.
    """

    legal: jax.Array
    action: jax.Array


class Found(NamedTuple):
    """A situation in an observation.

    Attributes:
      here: bool, whether the decision is of this situation.
      values: int scalars, the value of each of its features; larger values count as the last one.
      options: its actions.
    """

    here: jax.Array
    values: Sequence[Any]
    options: Options


class Decision(NamedTuple):
    """A decision.

    Attributes:
      cell: int32, the cell of the first option.
      legal, action: as in `Options`, [layout.width].
    """

    cell: jax.Array
    legal: jax.Array
    action: jax.Array


def options(*pairs: tuple[Any, Any]) -> Options:
    """Return options from scalars: (legal, action) each."""
    legal, action = zip(*pairs, strict=True)
    return Options(
        jnp.stack([jnp.asarray(one, bool) for one in legal]),
        jnp.stack([jnp.asarray(one).astype(jnp.int32) for one in action]),
    )


def bucket(value: Any, limits: Sequence[float]) -> jax.Array:
    """Return the number of limits, in ascending order, that a value has reached: int32."""
    return sum((jnp.asarray(value >= limit).astype(jnp.int32) for limit in limits), jnp.int32(0))


def decision(layout: Layout, found: Sequence[Found]) -> Decision:
    """Return the decision of an observation.

    Args:
      layout: of the game.
      found: each of its situations; one of them is `here`.
    """
    cell = jnp.int32(0)
    legal, action = jnp.zeros(layout.width, bool), jnp.zeros(layout.width, jnp.int32)
    # The situations of an observation come in the order of the layout.
    parts = zip(layout.situations, layout.first_cells[:-1], found, strict=True)
    for situation, first, (here, values, own) in parts:
        # Mixed radix: the values of the features make the state's number in its situation.
        number = jnp.int32(0)
        for feature, value in zip(situation.features, values, strict=True):
            size = len(feature.values)
            number = number * size + jnp.clip(jnp.asarray(value).astype(jnp.int32), 0, size - 1)
        size = len(situation.actions)
        cell = jnp.where(here, first + number * size, cell)
        # Situations with fewer options are padded to the width of the widest one.
        padding = (0, layout.width - size)
        legal = jnp.where(here, jnp.pad(own.legal, padding), legal)
        action = jnp.where(here, jnp.pad(own.action, padding), action)
    return Decision(cell, legal, action)
