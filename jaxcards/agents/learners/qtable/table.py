"""The table: its values for a decision, and its updates from targets."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.qtable.decision import Decision


class Table(NamedTuple):
    """The learned values; all cells of `Layout`, situation after situation.

    Attributes:
      values: float32[num_cells], the expected return, in the game's own units; 0 if unvisited.
      visits: uint32[num_cells], the number of training decisions.
    """

    values: jax.Array
    visits: jax.Array


class Advice(NamedTuple):
    """A table's answer for a decision.

    Attributes:
      best: int32, the option of the greatest value.
      value: float32, its value.
    """

    best: jax.Array
    value: jax.Array


def empty(num_cells: int) -> Table:
    """Return an empty table."""
    return Table(jnp.zeros(num_cells, jnp.float32), jnp.zeros(num_cells, jnp.uint32))


def consult(table: Table, asked: Decision) -> Advice:
    """Return the best option of a decision: among those that have been tried, if any.

    An untried option has the value 0, which would look better than any loss.
    """
    # A situation with fewer options than the widest one reads cells of the next state; none is legal.
    cells = asked.cell + jnp.arange(asked.legal.shape[0], dtype=jnp.int32)
    values = table.values[cells]
    tried = asked.legal & (table.visits[cells] > 0)
    known = jnp.where(tried.any(), tried, asked.legal)
    best = jnp.where(known, values, -jnp.inf).argmax().astype(jnp.int32)
    return Advice(best, values[best])


def learn(table: Table, totals: jax.Array, counts: jax.Array, learning_rate: jax.Array) -> Table:
    """Move each cell towards the mean of its targets.

    Args:
      table: before the update.
      totals: float32[num_cells], the sum of the targets of each cell.
      counts: uint32[num_cells], their number.
      learning_rate: float32, the smallest step, as a fraction of the way to the mean. A cell with few
        visits takes a larger step: its value is the mean of all targets so far.
    """
    visits = table.visits + counts
    share = counts.astype(jnp.float32) / jnp.maximum(visits, 1).astype(jnp.float32)
    mean = totals / jnp.maximum(counts, 1).astype(jnp.float32)
    step = jnp.where(counts > 0, jnp.maximum(share, learning_rate), 0.0)
    return Table(table.values + step * (mean - table.values), visits)
