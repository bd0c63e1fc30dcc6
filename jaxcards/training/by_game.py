"""Settings that were found to be best for a game, where they differ from the defaults of a learner.

`experiments/<game>_ppo` has runs with them, and `experiments/learners` one of Euchre with the defaults
of all other games, which ends far behind.
"""

from collections.abc import Mapping
from typing import Any


def _explored(entropy: float) -> dict[str, float]:
    """Returns settings with a larger entropy bonus at the beginning, for calls and cards."""
    return {
        "entropy": entropy,
        "card_entropy": entropy,
        "final_entropy": 0.02,
        "final_card_entropy": 0.02,
    }


BEST: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "ppo": {
        "euchre": _explored(0.15),
        "rikiki": _explored(0.1),
        "sheepshead": _explored(0.3),
    },
}
"""Learner -> game -> name of a setting -> value."""


def best_for(learner: str, game: str) -> Mapping[str, Any]:
    """Returns the settings of a learner that a game changes, by name.

    Args:
      learner: its name.
      game: an id such as "euchre/british"; of presets of the same game all are the same.
    """
    return BEST.get(learner, {}).get(game.partition("/")[0], {})
