"""The description of each game for a table: the layout, and the decision of an observation."""

import functools
import importlib
from types import ModuleType
from typing import Any

from jaxcards.agents.learners.qtable.decision import Decision, decision
from jaxcards.agents.learners.qtable.layout import Layout
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game

_GAMES = {
    name: f"jaxcards.agents.learners.qtable.{name}"
    for name in (
        "belote", "bridge", "euchre", "hearts", "jass", "rikiki", "sheepshead", "skat", "spades",
    )
}  # fmt: skip
"""The module of each game. It has

    situations(rules)            the kinds of decisions: a tuple of `Situation`
    look(rules, seen, legal)     each of them in an observation: a list of `Found`
"""


@functools.cache
def layout_of(game: Game) -> Layout:
    """Return the states and actions of a game. Raise `UserError` if the game has no description."""
    return Layout(_module(game).situations(game.rules))


def decide(game: Game, observation: Any, legal: ActionSet) -> Decision:
    """Return the decision of an observation.

    Args:
      game: the game.
      observation: of the player to act.
      legal: its legal actions.
    """
    return decision(layout_of(game), _module(game).look(game.rules, observation, legal))


def _module(game: Game) -> ModuleType:
    if game.name not in _GAMES:
        raise UserError(
            f"{game.name} has no description for a table (games that have one: {', '.join(_GAMES)})"
        )
    return importlib.import_module(_GAMES[game.name])
