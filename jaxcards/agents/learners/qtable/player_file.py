"""The player of a table in a run folder, stored by `file`."""

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import registry
from jaxcards.agents.learners.qtable import file
from jaxcards.agents.learners.qtable.description import layout_of
from jaxcards.agents.learners.qtable.file import Meta
from jaxcards.agents.learners.qtable.layout import VERSION
from jaxcards.agents.learners.qtable.learner import QTable, TableState
from jaxcards.agents.learners.qtable.player import TableAgent
from jaxcards.agents.learners.qtable.table import Table
from jaxcards.game import Game

NAME = file.NAME


def describe(learner: QTable) -> dict[str, Any]:
    """Return the fixed settings; see `jaxcards.agents.learners.base.PlayerFile`."""
    return {"game": registry.versioned_id(learner.game.id or learner.game.name), "features": VERSION}


def write(path: Path, learner: QTable, state: TableState) -> None:
    """Write the player; see `jaxcards.agents.learners.base.PlayerFile`."""
    values, visits, update = (np.asarray(x) for x in jax.device_get((*state.table, state.update)))
    meta = Meta(**describe(learner), update=int(update))
    file.write(path, layout_of(learner.game), meta, values, visits)


def load(path: Path, game: Game) -> tuple[TableAgent, Table]:
    """Return the player; see `jaxcards.agents.learners.base.PlayerFile`."""
    values, visits = file.read(path, layout_of(game), game.id or game.name, game.rules)
    return TableAgent(game), Table(jnp.array(values, jnp.float32), jnp.array(visits, jnp.uint32))
