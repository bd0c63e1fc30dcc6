"""Players by name. Knows no JAX until a player is made."""

import importlib
from typing import TYPE_CHECKING

from jaxcards.errors import UserError, unknown

if TYPE_CHECKING:
    from jaxcards.agent import Agent
    from jaxcards.game import Game

PLAYERS = {
    "random": "any legal action, all equally likely",
    "heuristic": "rules of thumb of a club player",
}
"""Name of each player and a line of description."""

_HEURISTIC = {
    "belote": "jaxcards.agents.heuristic.belote.player:BeloteHeuristicAgent",
    "euchre": "jaxcards.agents.heuristic.euchre.player:EuchreHeuristicAgent",
    "jass": "jaxcards.agents.heuristic.jass.player:JassHeuristicAgent",
    "rikiki": "jaxcards.agents.heuristic.rikiki.player:RikikiHeuristicAgent",
    "sheepshead": "jaxcards.agents.heuristic.sheepshead.player:SheepsheadHeuristicAgent",
}
"""The heuristic player of each game: a class that is made from the game's rules."""


def names_code(text: str) -> bool:
    """Return whether the name of a player is a function of a file, such as "my_agent.py:make"."""
    return text.rpartition(":")[0].endswith(".py")


def make_player(name: str, game: "Game") -> "Agent":
    """Return the player of a name for a game.

    Args:
      name: one of `PLAYERS`.
      game: from `jaxcards.make`, or a `Match`.

    Raises:
      UserError: an unknown name, no game, or a game without a heuristic player.
    """
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    if name == "random":
        return _load("jaxcards.agent:RandomAgent")()
    from jaxcards.agent import check_game
    from jaxcards.match import deal_of

    game = deal_of(check_game(game))
    if game.name not in _HEURISTIC:
        raise UserError(
            f"{game.name} has no heuristic player (games that have one: {', '.join(_HEURISTIC)})"
        )
    return _load(_HEURISTIC[game.name])(game.rules)


def _load(path: str) -> type:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
