"""Defaults of a learner that depend on the game. `experiments/ppo_settings` has the evidence."""

from collections.abc import Mapping
from typing import Any

BEST: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "ppo": {
        "belote": {"gae_lambda": 0.6, "symmetric": True},
        "euchre": {"symmetric": True},
        "jass": {"gae_lambda": 0.6, "symmetric": True},
        "rikiki": {"gae_lambda": 0.3},
        # With 0.7 its players stop picking, for good.
        "sheepshead": {"gae_lambda": 0.85},
    },
}
"""Learner -> game -> name of a setting -> value."""


def best_for(learner: str, game: str) -> Mapping[str, Any]:
    """Return the settings of a learner that a game changes, by name.

    Args:
      learner: its name.
      game: an id such as "euchre/british"; all presets of a game share these settings.
    """
    return BEST.get(learner, {}).get(game.partition("/")[0], {})
