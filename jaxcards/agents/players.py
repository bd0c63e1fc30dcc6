"""Players by name. Knows no JAX until a player is made."""

import importlib
from typing import TYPE_CHECKING

from jaxcards.errors import UserError, unknown

if TYPE_CHECKING:
    from jaxcards.agents.agent import Agent
    from jaxcards.game import Game

PLAYERS = {
    "random": "any legal action, all equally likely",
    "rules": "rules of thumb of a club player",
}
"""Name of each player and a line of description."""

_RULE_PLAYERS = {
    "belote": "jaxcards.agents.belote_rules:BeloteRulesAgent",
    "euchre": "jaxcards.agents.euchre_rules:EuchreRulesAgent",
    "jass": "jaxcards.agents.jass_rules:JassRulesAgent",
    "rikiki": "jaxcards.agents.rikiki_rules:RikikiRulesAgent",
    "sheepshead": "jaxcards.agents.sheepshead_rules:SheepsheadRulesAgent",
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
        return _load("jaxcards.agents.random:RandomAgent")()
    if game.name not in _RULE_PLAYERS:
        raise UserError(
            f"{game.name} has no rule-based player (games that have one: {', '.join(_RULE_PLAYERS)})"
        )
    return _load(_RULE_PLAYERS[game.name])(game.rules)


def _load(path: str) -> type:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
