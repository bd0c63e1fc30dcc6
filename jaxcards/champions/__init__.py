"""The players that jaxcards ships: trained networks for every preset of every game.

`load_agent` returns the player of a game. For each player, `players/` has a network and a card that
describes its rules, its training and its measured strength.
"""

from jaxcards.champions.catalogue import load_agent

__all__ = ["load_agent"]
