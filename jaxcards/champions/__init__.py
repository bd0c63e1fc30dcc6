"""The players that jaxcards ships: trained networks for every preset of every game.

`load_agent` returns the one for a game. `players/` has a network and a card for each: what it has
learned, how it was trained, and how strong it was found to be.
"""

from jaxcards.champions.catalogue import load_agent

__all__ = ["load_agent"]
