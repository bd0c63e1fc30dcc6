"""Elo ratings: the model's own chances, order, symmetry and intervals."""

import numpy as np
import pytest

from jaxcards.evaluation.elo import ratings

RNG = np.random.default_rng(0)


def played(true, num_deals, seed=0):
    """Deals of every pair, each won with the chance that the model gives."""
    rng = np.random.default_rng(seed)
    found = {}
    for i in range(len(true)):
        for j in range(i + 1, len(true)):
            chance = 1 / (1 + 10 ** ((true[j] - true[i]) / 400))
            found[i, j] = np.where(rng.random(num_deals) < chance, 1.0, -1.0)
    return found


@pytest.mark.slow
def test_true_ratings_are_found():
    true = np.array([250.0, 100.0, -50.0, -300.0])
    found = ratings(4, played(true, 20_000))
    np.testing.assert_allclose([row.mean for row in found], true - true.mean(), atol=8)
    assert all(row.low < row.mean < row.high < row.low + 16 for row in found)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    true = np.array([120.0, 0.0, -120.0])
    inside = 0
    for seed in range(60):
        found = ratings(3, played(true, 400, seed))
        inside += sum(row.low <= rating <= row.high for row, rating in zip(found, true, strict=True))
    assert 0.90 <= inside / 180 <= 0.99


def test_two_players_have_the_odds_of_their_deals():
    """Three deals of four won: 190.8 points between them; ties count half."""
    wins = np.array([1.0] * 3000 + [-1.0] * 1000)
    first, second = ratings(2, {(0, 1): RNG.permutation(wins)})
    assert abs(first.mean - second.mean - 400 * np.log10(3)) < 0.5
    assert first.mean == -second.mean
    level = ratings(2, {(0, 1): np.array([1.0, -1.0, 0.0, 0.0] * 50)})
    assert abs(level[0].mean) < 1e-9


def test_who_wins_every_deal_has_a_finite_rating():
    first, second = ratings(2, {(0, 1): np.ones(1000)})
    assert 1000 < first.mean - second.mean < 2000 and np.isfinite([first.low, first.high]).all()
