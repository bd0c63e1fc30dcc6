"""Tabular Q-learning by self-play, as one compiled function.

One table plays all seats. An update plays a batch of deals epsilon-greedily, computes a target for each
decision, and moves every cell towards the mean of its targets. A player learns only from its own
observations.

Watkins and Dayan 1992 (Q-learning); Watkins 1989 (traces that end with exploration).
"""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.base import SelfPlayLearner
from jaxcards.agents.learners.qtable.config import QTableConfig
from jaxcards.agents.learners.qtable.description import layout_of
from jaxcards.agents.learners.qtable.experience import self_play, targets
from jaxcards.agents.learners.qtable.player import TableAgent
from jaxcards.agents.learners.qtable.rewards import rewards_of
from jaxcards.agents.learners.qtable.table import Table, empty, learn


class TableState(NamedTuple):
    """The training state, which a checkpoint saves.

    Attributes:
      table: the learned table.
      update: int32, updates done.
    """

    table: Table
    update: jax.Array


@dataclasses.dataclass(frozen=True)
class QTable(SelfPlayLearner):
    """Tabular Q-learning; see `Learner`."""

    config: QTableConfig

    def __post_init__(self) -> None:
        super().__post_init__()
        # Raise the errors of an unknown game or of wrong rewards at once.
        layout_of(self.game)
        rewards_of(self.game, self.config)

    @property
    def player(self) -> TableAgent:
        """The agent that plays the action of the greatest value."""
        return TableAgent(self.game)

    def fresh(self) -> TableState:
        """Return the state before the first update: an empty table."""
        return TableState(empty(layout_of(self.game).num_cells), jnp.int32(0))

    def parameters(self, state: TableState) -> Table:
        """Return the table."""
        return state.table

    def _update(
        self, state: TableState, schedule: jax.Array, seed: jax.Array
    ) -> tuple[TableState, dict[str, jax.Array]]:
        """Do one update, on one device's share of the deals."""
        config, (table, update) = self.config, state
        # Schedules: exploration and learning rate change linearly over the run.
        done = jnp.minimum(update.astype(jnp.float32) / schedule, 1.0)
        epsilon = config.epsilon + done * (config.final_epsilon - config.epsilon)
        rate = config.learning_rate + done * (config.final_learning_rate - config.learning_rate)
        numbers = sharding.own_numbers(self.num_devices, config.deals_per_update)
        keys = sharding.keys_of(seed, update, numbers)
        steps = self_play(self.game, table, keys, epsilon, rewards_of(self.game, config))
        found = targets(steps, config.discount, config.trace_decay)

        # by_cell: the sums over all decisions and devices, [num_cells].
        def by_cell(x: jax.Array) -> jax.Array:
            kept = jnp.where(steps.decides, x, 0).astype(x.dtype).reshape(-1)
            cells = steps.cell.reshape(-1)
            total = jax.ops.segment_sum(kept, cells, num_segments=table.values.shape[0])
            return jax.lax.psum(total, sharding.AXIS)

        counts = by_cell(jnp.ones(steps.cell.shape, jnp.uint32))
        after = learn(table, by_cell(found), counts, rate)
        metrics = self._metrics(steps, found, table) | {
            "epsilon": epsilon,
            "learning_rate": rate,
            "cells": (after.visits > 0).sum().astype(jnp.float32),
        }
        return TableState(after, update + 1), metrics

    def _metrics(self, steps: Any, found: jax.Array, table: Table) -> dict[str, jax.Array]:
        """Return the number of decisions, and the error of the table."""
        error = jnp.where(steps.decides, jnp.abs(found - table.values[steps.cell]), 0.0)
        sums = {
            "decisions": steps.valid.sum().astype(jnp.float32),
            "choices": steps.decides.sum().astype(jnp.float32),
            "td_error": error.sum(),
        }
        sums = jax.lax.psum(sums, sharding.AXIS)
        return sums | {"td_error": sums["td_error"] / jnp.maximum(sums["choices"], 1)}
