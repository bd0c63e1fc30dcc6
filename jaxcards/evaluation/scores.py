"""Differences of points, or the scores that a game gives for two tables of one deal, such as IMPs."""

import numpy as np

from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import Match

SCORES = {"points": "points", "imps": "IMPs", "matchpoints": "matchpoints"}
"""The scores and their units."""


def check_score(game: Game, score: str) -> None:
    """Raise `UserError` for a score that the deals of a game lack."""
    known = [] if isinstance(game, Match) else list(game.table_scores)
    if score not in ["points", *known]:
        raise UserError(
            f"{game.id or game.name} has no score {score!r}: use points, or deals of Bridge for imps "
            "and matchpoints"
        )


def scored(game: Game, score: str, differences: np.ndarray) -> np.ndarray:
    """Return A less B in each deal, in units of a score: float64[num_deals].

    Args:
      game: of two sides.
      score: "points", or one of `Game.table_scores`.
      differences: float64[num_deals], the returns of A, the mean over both tables.
    """
    if score == "points":
        return differences
    convert = game.table_scores[score]
    # A holds one side at the first table, and the other side at the second.
    return np.array([convert(round(2 * mean)) for mean in differences.tolist()], np.float64)
