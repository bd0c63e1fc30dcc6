"""Elo ratings from the deals that players won, with intervals.

The model is that of Bradley and Terry (1952): a player with rating a wins a deal against one with
rating b with the chance 1 / (1 + 10 ** ((b - a) / 400)). The player with the better total over all
seatings wins a deal; a tie is half a win.
"""

import math

import numpy as np

from jaxcards.evaluation.intervals import CONFIDENCE, Interval

_UNIT = 400 / math.log(10)
_RESAMPLES = 1000
_STEPS = 30
# Half a win for both sides of each pair, so that a player with only wins has a finite rating (Jeffreys'
# prior).
_PRIOR = 0.5


def ratings(num_players: int, differences: dict[tuple[int, int], np.ndarray]) -> list[Interval]:
    """Return the rating of each player, in Elo points above the average of all.

    Intervals are quantiles of a bootstrap over deals. Every pair has played the same deals, and each
    resample has the same deals for all pairs.

    Args:
      num_players: the number of players.
      differences: (i, j) with i < j -> float[num_deals], i less j, for every pair.
    """
    pairs = np.array(list(differences))
    # wins: float[num_deals, pairs], 1, 1/2 or 0 for the first of the pair.
    wins = np.stack([(np.sign(found) + 1) / 2 for found in differences.values()], axis=1)
    num_deals = len(wins)
    rng = np.random.default_rng(0)
    # drawn: int[resamples, num_deals], how often each resample has each deal.
    drawn = rng.multinomial(num_deals, np.full(num_deals, 1 / num_deals), size=_RESAMPLES)
    # Row 0 is the sample itself, the others are the resamples.
    won = np.concatenate([wins.sum(0)[None], drawn @ wins])
    found = _fit(num_players, pairs, won + _PRIOR, num_deals + 2 * _PRIOR) * _UNIT
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(found[1:], (tail, 1 - tail), axis=0)
    return [Interval(*map(float, row)) for row in zip(found[0], low, high, strict=True)]


def _fit(num_players: int, pairs: np.ndarray, won: np.ndarray, played: float) -> np.ndarray:
    """Return the most likely ratings in natural units, with mean 0, by Newton's method.

    Args:
      num_players: n.
      pairs: int[pairs, 2].
      won: float[samples, pairs], deals that the first of a pair won of the second.
      played: deals of each pair.

    Returns:
      float[samples, n].
    """
    # Row p of `sides` is +1 for the first and -1 for the second player of pair p.
    sides = np.zeros((len(pairs), num_players))
    sides[np.arange(len(pairs)), pairs[:, 0]] = 1
    sides[np.arange(len(pairs)), pairs[:, 1]] = -1
    found = np.zeros((len(won), num_players))
    for _ in range(_STEPS):
        # chance: float[samples, pairs], that the first of a pair wins a deal.
        chance = 1 / (1 + np.exp(-found @ sides.T))
        # Gradient and negative second derivative of the log-likelihood, for each sample.
        gradient = (won - played * chance) @ sides
        curvature = np.einsum("sp,pi,pj->sij", played * chance * (1 - chance), sides, sides)
        # Adding a constant to all ratings changes nothing; the ones fix it.
        step = np.linalg.solve(curvature + 1.0, gradient[..., None])[..., 0]
        # Limit the step: far from the solution, Newton's method may overshoot.
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return found - found.mean(1, keepdims=True)
