"""The seatings of two players, and by how much one of them is ahead over all seatings.

The seatings follow from one rule: *one side plays against all others, each side in turn, and both
ways round*.

- Two sides (Schieber: `game.teams` is (0, 1, 0, 1)): A against B, then B against A; two seatings.
- Everyone alone (Differenzler: `game.teams` is None): a single A among Bs in each seat, and a single
  B among As in each seat; 2 * num_players seatings. A and B hold every seat equally often, and
  neither is judged only as the stranger at the other's table. Mixed tables with more of each
  would measure something between the two.

The difference of a seating is, with two sides, `game.returns` of A's side, which is already own
score less the other's; else the mean returns of A's seats less that of B's seats. It changes its
sign, and nothing else, when A and B change places.
"""

import numpy as np

from jaxcards.game import Game


def seatings(game: Game) -> np.ndarray:
    """All seatings of two players: int32[num_seatings, num_players], 0 for A and 1 for B."""
    sides = game.teams or tuple(range(game.num_players))
    found = []
    for side in dict.fromkeys(sides):
        alone = [int(other != side) for other in sides]
        found += [tuple(alone), tuple(1 - who for who in alone)]
    return np.array(list(dict.fromkeys(found)), np.int32)


def advantage(game: Game, returns: np.ndarray) -> np.ndarray:
    """Returns by how much A is ahead of B in each deal, the mean over its seatings: float64[num_deals].

    Args:
      game: its `teams` are the sides.
      returns: number[num_deals, num_seatings, num_players], in the order of `seatings`.
    """
    weights_a, weights_b, scale = _weights(game)
    # Returns of two sides are differences already; half of their difference is A's own.
    halves = 2 if game.teams is not None and len(set(game.teams)) == 2 else 1
    return _weigh(returns, weights_a - weights_b) / (scale * halves)


def points_of_both(game: Game, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the points of A and of B in each deal, means over its seatings: float64[num_deals] each.

    Args:
      game: its `teams` are the sides.
      points: number[num_deals, num_seatings, num_players], in the order of `seatings`.
    """
    weights_a, weights_b, scale = _weights(game)
    return _weigh(points, weights_a) / scale, _weigh(points, weights_b) / scale


def _weights(game: Game) -> tuple[np.ndarray, np.ndarray, int]:
    """Returns the weight of each seat of each seating for A and for B: int64 each; and their scale."""
    of_b = seatings(game).astype(np.int64)
    of_a = 1 - of_b
    # Whole numbers until the last division: what is equal comes out as exactly 0.
    scale = np.lcm.reduce(np.concatenate([of_a.sum(axis=1), of_b.sum(axis=1)]))
    weights_a = of_a * (scale // of_a.sum(axis=1, keepdims=True))
    weights_b = of_b * (scale // of_b.sum(axis=1, keepdims=True))
    return weights_a, weights_b, int(scale) * len(of_b)


def _weigh(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return (np.asarray(values, np.float64) * weights).sum(axis=(1, 2))
