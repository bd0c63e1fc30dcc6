"""The one place that turns a name into a player.

A name is a built-in or shipped player, a search, a run folder, a player of another engine, or your own
code. `names` reads it without importing JAX. `loading` makes the agent. Lower layers make players
without names: `agents.players`, `champions.catalogue`, `training.player`.
"""

from jaxcards.players.names import (
    CHAMPION,
    FORMS,
    MOST_CARDS,
    MOST_WORLDS,
    PLAYERS,
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
    "Player",
    "compiled_player",
    "distinct_names",
    "game_of",
    "honest_player",
    "network_player",
    "player",
]
