"""The seatings of two players, and the lead of one of them over all seatings.

The seatings follow from one rule: *one side plays against all others, each side in turn, and both
ways round*.

- Two sides (Schieber: `game.teams` is (0, 1, 0, 1)): A against B, then B against A; two seatings.
- Everyone alone (Differenzler: `game.teams` is None): a single A among Bs in each seat, and a single
  B among As in each seat; 2 * num_players seatings. A and B hold every seat equally often, and each
  is judged both alone and as the majority. Mixed tables would measure something in between.

For the gain of B if it played like A, a single A sits among Bs. Its returns are compared with those of
B in the same place (`replacements`, `in_place`).

The difference of a seating is, with two sides, `game.returns` of A's side, which is already own score
less the other's. Otherwise it is the mean returns of A's seats less that of B's seats. Exchanging A and
B changes only its sign.
"""

import numpy as np

from jaxcards.game import Game


def sides(game: Game) -> np.ndarray:
    """Return the seats of each side: bool[num_sides, num_players]. A player alone is a side."""
    side_of = np.array(game.teams or range(game.num_players))
    return np.array([side_of == side for side in dict.fromkeys(side_of.tolist())])


def seatings(game: Game) -> np.ndarray:
    """Return all seatings of two players: int32[num_seatings, num_players], 0 for A and 1 for B."""
    found = []
    for side in sides(game):
        # A has the side and B all other seats; then the other way round.
        found += [tuple(~side), tuple(side)]
    # With two sides, both sides give the same two seatings: keep each once.
    return np.array(list(dict.fromkeys(found)), np.int32)


def advantage(game: Game, returns: np.ndarray) -> np.ndarray:
    """Return the lead of A over B in each deal, the mean over its seatings: float64[num_deals].

    Args:
      game: its `teams` are the sides.
      returns: number[num_deals, num_seatings, num_players], in the order of `seatings`.
    """
    weights_a, weights_b, scale = _weights(game)
    # Returns of two sides are differences already; half of their difference is A's own.
    halves = 2 if game.teams is not None and len(set(game.teams)) == 2 else 1
    return _weigh(returns, weights_a - weights_b) / (scale * halves)


def points_of_both(game: Game, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of A and of B in each deal, means over its seatings: float64[num_deals] each.

    Args:
      game: its `teams` are the sides.
      points: number[num_deals, num_seatings, num_players], in the order of `seatings`.
    """
    weights_a, weights_b, scale = _weights(game)
    return _weigh(points, weights_a) / scale, _weigh(points, weights_b) / scale


def replacements(game: Game) -> np.ndarray:
    """Return the seatings in which A takes the place of B.

    Returns:
      int32[num_sides + 1, num_players], 0 for A and 1 for B: A has one side, each in turn; in the last
      row B has every seat.
    """
    return np.append(~sides(game), np.ones((1, game.num_players), bool), axis=0).astype(np.int32)


def in_place(game: Game, returns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the returns of A and of B in the same places among Bs: float64[num_deals] each.

    They are means over the sides of a deal. The difference is the gain of B if it played like A, a
    lower bound of the gain of the best response to B.

    Args:
      game: its `teams` are the sides.
      returns: number[num_deals, num_sides + 1, num_players], in the order of `replacements`.
    """
    own = sides(game)
    # The mean over the seats of a side, then over the sides.
    weights = own / own.sum(axis=1, keepdims=True) / len(own)
    returns = np.asarray(returns, np.float64)
    return _weigh(returns[:, :-1], weights), _weigh(returns[:, -1:], weights)


def _weights(game: Game) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the weight of each seat of each seating for A and for B: int64 each; and their scale."""
    of_b = seatings(game).astype(np.int64)
    of_a = 1 - of_b
    # Use whole numbers until the last division, so that equal returns give exactly 0.
    scale = np.lcm.reduce(np.concatenate([of_a.sum(axis=1), of_b.sum(axis=1)]))
    # In each seating, the seats of a player share the same total weight.
    weights_a = of_a * (scale // of_a.sum(axis=1, keepdims=True))
    weights_b = of_b * (scale // of_b.sum(axis=1, keepdims=True))
    return weights_a, weights_b, int(scale) * len(of_b)


def _weigh(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return (np.asarray(values, np.float64) * weights).sum(axis=(1, 2))
