"""Who sits where, and by how much one player is ahead of another over all seatings."""

from types import SimpleNamespace

import numpy as np

from jaxcards.evaluation.seatings import advantage, points_of_both, seatings

SIDES = SimpleNamespace(teams=(0, 1, 0, 1), num_players=4)
ALONE = SimpleNamespace(teams=None, num_players=4)


def test_seatings():
    assert seatings(SIDES).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    alone = seatings(ALONE).tolist()
    assert sorted(map(tuple, alone)) == sorted(
        [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
        + [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    )
    assert seatings(SimpleNamespace(teams=None, num_players=2)).tolist() == [[0, 1], [1, 0]]


def test_the_mean_over_seatings_of_two_sides():
    # A wins 100 to 57 in the first seating and loses 30 to 127 in the second: A - B = (43 - 97) / 2.
    points = np.array([[[100, 57, 100, 57], [127, 30, 127, 30]]])
    returns = points - points[..., ::-1]
    assert advantage(SIDES, returns).tolist() == [-27.0]
    assert [of.tolist() for of in points_of_both(SIDES, points)] == [[65.0], [92.0]]


def test_the_mean_over_seatings_of_players_alone():
    # In each of its seats A gets 10 more than the Bs around it; a B among As gets 4 less than they.
    returns = np.zeros((1, 8, 4))
    for i, seats in enumerate(seatings(ALONE)):
        single = np.argmax(seats != np.bincount(seats).argmax())
        returns[0, i, single] = 10 if seats[single] == 0 else -4
    assert advantage(ALONE, returns).tolist() == [7.0]
    assert [of.tolist() for of in points_of_both(ALONE, returns)] == [[5.0], [-2.0]]


def test_equal_returns_are_exactly_equal():
    returns = np.random.default_rng(0).integers(0, 158, (1000, 1, 4)).astype(np.float32)
    returns = np.broadcast_to(returns, (1000, 8, 4))  # whoever sits there: the seats decide all
    assert (advantage(ALONE, returns) == 0).all()
