"""Players by name: built-in and shipped players, searches, run folders, other engines, your own code.

This package reads names without importing JAX. `players.loading` turns one into an agent.
"""

from jaxcards.players.names import (
    CHAMPION,
    FORMS,
    MOST_CARDS,
    MOST_WORLDS,
    PLAYERS,
    SEARCH,
    Player,
    compiled_player,
    distinct_names,
    game_of,
    honest_player,
    network_player,
    player,
)

__all__ = [
    "CHAMPION",
    "FORMS",
    "MOST_CARDS",
    "MOST_WORLDS",
    "PLAYERS",
    "SEARCH",
    "Player",
    "compiled_player",
    "distinct_names",
    "game_of",
    "honest_player",
    "network_player",
    "player",
]
