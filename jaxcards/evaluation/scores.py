"""The score of a deal that two players play at two tables: points, IMPs or matchpoints."""

import numpy as np

from jaxcards.errors import UserError, unknown
from jaxcards.game import Game
from jaxcards.games.bridge.imps import imps
from jaxcards.match import Match

SCORES = {"points": "points", "imps": "IMPs", "matchpoints": "matchpoints"}
"""The scores and their units."""


def check_score(game: Game, score: str) -> None:
    """Raise `UserError` for an unknown score, or for IMPs and matchpoints of anything but Bridge deals."""
    if score not in SCORES:
        raise unknown("score", score, SCORES)
    if score != "points" and (isinstance(game, Match) or game.name != "bridge"):
        raise UserError(
            f"{SCORES[score]} are for single deals of Bridge, not for {game.id or game.name}: "
            "score points instead"
        )


def scored(score: str, differences: np.ndarray) -> np.ndarray:
    """Return A less B in each deal, in units of a score: float64[num_deals].

    Args:
      score: one of `SCORES`. Matchpoints are 1 for the better side, and 0.5 each for equal scores.
      differences: float64[num_deals], the returns of A, the mean over both tables.
    """
    if score == "points":
        return differences
    # A sits North and South at one table, East and West at the other.
    both_tables = np.rint(2 * differences).astype(int)
    if score == "matchpoints":
        return np.sign(both_tables).astype(np.float64)
    return np.array([imps(total) for total in both_tables.tolist()], np.float64)
