"""Players by name. Knows no JAX until a player is made."""

import importlib
from typing import TYPE_CHECKING

from jaxcards.errors import UserError, unknown

if TYPE_CHECKING:
    from jaxcards.agent import Agent
    from jaxcards.game import Game

PLAYERS = {
    "random": "any legal action, all equally likely",
    "rules": "rules of thumb of a club player",
}
"""Name of each player and a line of description."""

_RULE_PLAYERS = {
    "belote": "jaxcards.agents.heuristic.belote.player:BeloteHeuristicAgent",
    "euchre": "jaxcards.agents.heuristic.euchre.player:EuchreHeuristicAgent",
    "jass": "jaxcards.agents.heuristic.jass.player:JassHeuristicAgent",
    "rikiki": "jaxcards.agents.heuristic.rikiki.player:RikikiHeuristicAgent",
    "sheepshead": "jaxcards.agents.heuristic.sheepshead.player:SheepsheadHeuristicAgent",
}
"""The rule-based player of each game: a class that is made from the game's rules."""


def make_player(name: str, game: "Game") -> "Agent":
    """The player of this name for a game.

    Args:
      name: one of `PLAYERS`.
      game: from `jaxcards.make`.

    Raises:
      UserError: an unknown name, or a game without a rule-based player.
    """
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    if name == "random":
        return _load("jaxcards.agent:RandomAgent")()
    if game.name not in _RULE_PLAYERS:
        raise UserError(
            f"{game.name} has no rule-based player (games that have one: {', '.join(_RULE_PLAYERS)})"
        )
    return _load(_RULE_PLAYERS[game.name])(game.rules)


def _load(path: str) -> type:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
