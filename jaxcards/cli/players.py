"""From a player of the command line to an agent with its parameters."""

from collections.abc import Sequence
from typing import Any

import jax

from jaxcards.agent import Agent
from jaxcards.cli.arguments import Player
from jaxcards.game import Game


def load(player: Player, game: Game) -> tuple[Agent, Any]:
    """Returns the agent that a player means and its parameters.

    Raises:
      UserError: the game has no such player, or the run folder holds none that can play it.
    """
    if player.folder is not None:
        from jaxcards.training.player import load_player

        return load_player(player.folder, game)
    from jaxcards.agents.players import make_player

    agent = make_player(player.name, game)
    return agent, agent.init(jax.random.key(0), game)


def distinct_names(players: Sequence[Player]) -> list[str]:
    """Returns the names of players, numbered where two are alike: "random", "random (2)"."""
    names: list[str] = []
    for player in players:
        name, number = player.name, 1
        while name in names:
            number += 1
            name = f"{player.name} ({number})"
        names.append(name)
    return names
