"""The player that plays by a table."""

import dataclasses
from typing import Any

import jax

from jaxcards.agents.learners.qtable.description import decide, layout_of
from jaxcards.agents.learners.qtable.table import Table, consult, empty
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game


@dataclasses.dataclass(frozen=True)
class TableAgent:
    """A player of the action with the greatest value; its parameters are a `Table`.

    Attributes:
      game: the game that the table is of.
    """

    game: Game

    def init(self, key: jax.Array, game: Game) -> Table:
        return empty(layout_of(self.game).num_cells)

    def act(self, params: Table, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        asked = decide(self.game, observation, legal)
        return asked.action[consult(params, asked).best]
