"""The seats of players, and the lead of one player over another over all seatings."""

from types import SimpleNamespace

import numpy as np

from jaxcards.evaluation.seatings import (
    advantage,
    in_place,
    points_of_both,
    replacements,
    seatings,
    sides,
)

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


def test_sides():
    assert sides(SIDES).astype(int).tolist() == [[1, 0, 1, 0], [0, 1, 0, 1]]
    assert (sides(ALONE) == np.eye(4)).all()


def test_one_player_takes_the_place_of_the_other():
    assert replacements(SIDES).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0], [1, 1, 1, 1]]
    assert replacements(ALONE).tolist() == [*(1 - np.eye(4, dtype=int)).tolist(), [1, 1, 1, 1]]
    # A gets 10, 20, 30 and 40 in its seats, while the Bs around it get what does not count.
    returns = np.full((1, 5, 4), 99.0)
    returns[0, range(4), range(4)] = [10, 20, 30, 40]
    returns[0, 4] = [1, 2, 3, 6]
    assert [of.tolist() for of in in_place(ALONE, returns)] == [[25.0], [3.0]]


def test_of_two_sides_that_is_the_same_as_the_advantage():
    values = np.random.default_rng(0).integers(-157, 158, (100, 3))
    returns = values[..., None] * np.array([1, -1, 1, -1])
    of_a, of_b = in_place(SIDES, returns)
    assert (of_b == 0).all() and (of_a == advantage(SIDES, returns[:, :2])).all()


def test_equal_returns_are_exactly_equal():
    returns = np.random.default_rng(0).integers(0, 158, (1000, 1, 4)).astype(np.float32)
    returns = np.broadcast_to(returns, (1000, 8, 4))  # the seats alone decide
    assert (advantage(ALONE, returns) == 0).all()
