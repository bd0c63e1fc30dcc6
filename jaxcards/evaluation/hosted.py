"""Evaluation of pairs with a player of another engine: play deals one by one, in both engines.

Deals, seatings and choices of our players are the same as for compiled pairs.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxcards.agent import Agent
from jaxcards.evaluation.batches import batches
from jaxcards.evaluation.calls import Calls
from jaxcards.evaluation.seatings import advantage, points_of_both, seatings
from jaxcards.game import Game
from jaxcards.opponents.lockstep import Lockstep, engine_of
from jaxcards.opponents.names import Opponent


def play(
    game: Game,
    players: Sequence[Agent | Opponent],
    params: Sequence[Any],
    num_deals: int,
    seed: int,
    title: str,
    begun: np.ndarray,
    keep: Callable[[np.ndarray], None],
    calls: Calls | None = None,
) -> np.ndarray:
    """Play the deals of two players, at least one of them an `Opponent`.

    Args:
      game: one that the engine plays.
      players, params: A and B.
      num_deals, seed: as for `duplicate.evaluate`.
      title: of the progress bar.
      begun: float64[n, 3], the results of the first deals.
      keep: called with the results so far, after every deal.
      calls: makes the calls of all players.

    Returns:
      float64[num_deals, 3]: A less B, points of A, points of B; means over seatings.

    Raises:
      Disagreement: if the engines disagree on a deal.
    """
    opponent = next(player for player in players if isinstance(player, Opponent))
    caller = (calls.agent, calls.params) if calls else None
    lockstep = Lockstep(engine_of(opponent, game), players, params, seed, caller)
    tables = seatings(game).tolist()
    results = begun
    for number, _ in batches(num_deals, 1, title, len(begun)):
        scores = [lockstep.play(number, seats, seating) for seating, seats in enumerate(tables)]
        # One deal: both arrays are [1, seatings, players].
        ahead = advantage(game, np.array([[score.returns for score in scores]]))
        both = points_of_both(game, np.array([[score.points for score in scores]]))
        results = np.concatenate([results, np.stack([ahead, *both], axis=1)])
        keep(results)
    return results
