"""The players without files, by name: random play and the heuristic of each game.

`jaxcards.players` reads all names of players. This module is for lower layers, which need these two. It
does not import JAX until a player is made.
"""

import pkgutil
from typing import TYPE_CHECKING

from jaxcards.errors import UserError, unknown

if TYPE_CHECKING:
    from jaxcards.agent import Agent
    from jaxcards.game import Game

PLAYERS = {
    "random": "uniformly random legal actions",
    "heuristic": "rules of thumb of a club player",
}
"""Name of each player and a line of description."""

HEURISTICS = {
    "belote": "jaxcards.agents.heuristics.belote.player:BeloteHeuristicAgent",
    "bridge": "jaxcards.agents.heuristics.bridge.player:BridgeHeuristicAgent",
    "euchre": "jaxcards.agents.heuristics.euchre.player:EuchreHeuristicAgent",
    "hearts": "jaxcards.agents.heuristics.hearts.player:HeartsHeuristicAgent",
    "jass": "jaxcards.agents.heuristics.jass.player:JassHeuristicAgent",
    "rikiki": "jaxcards.agents.heuristics.rikiki.player:RikikiHeuristicAgent",
    "sheepshead": "jaxcards.agents.heuristics.sheepshead.player:SheepsheadHeuristicAgent",
    "skat": "jaxcards.agents.heuristics.skat.player:SkatHeuristicAgent",
    "spades": "jaxcards.agents.heuristics.spades.player:SpadesHeuristicAgent",
}
"""The class of each game's heuristic player, which takes the game's rules."""


def names_code(text: str) -> bool:
    """Return whether the name of a player is a function in a file, such as "my_agent.py:make"."""
    return text.rpartition(":")[0].endswith(".py")


def make_player(name: str, game: "Game") -> "Agent":
    """Return the player of a name for a game.

    Args:
      name: one of `PLAYERS`.
      game: from `jaxcards.make`, or a `Match`.

    Raises:
      UserError: for an unknown name, a value that is not a game, or a game without a heuristic player.
    """
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    if name == "random":
        from jaxcards.agent import RandomAgent

        return RandomAgent()
    from jaxcards.agent import check_game
    from jaxcards.match import deal_of

    game = deal_of(check_game(game))
    if game.name not in HEURISTICS:
        raise UserError(
            f"{game.name} has no heuristic player (games that have one: {', '.join(HEURISTICS)})"
        )
    agent: Agent = pkgutil.resolve_name(HEURISTICS[game.name])(game.rules)
    return agent
