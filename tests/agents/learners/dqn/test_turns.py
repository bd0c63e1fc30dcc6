"""Turns of players: gains and later turns, against a slow loop over the turns of each player."""

import numpy as np
import pytest

from jaxcards.agents.learners.dqn.turns import ahead


def slow(rewards, players, decides, turns, discount):
    """Follow each player through the deal, turn by turn."""
    num_steps, num_players = rewards.shape
    gain, later = np.zeros(num_steps), np.full(num_steps, -1)
    for player in range(num_players):
        own = [t for t in range(num_steps) if decides[t] and players[t] == player]
        bounds = [*own, num_steps]
        sums = [rewards[a:b, player].sum() for a, b in zip(bounds, bounds[1:], strict=False)]
        for k, t in enumerate(own):
            gain[t] = sum(discount**i * reward for i, reward in enumerate(sums[k : k + turns]))
            later[t] = own[k + turns] if k + turns < len(own) else -1
    return gain, later


@pytest.mark.parametrize("turns, discount", [(1, 1.0), (3, 0.5), (20, 0.9)])
def test_against_a_loop_over_turns(turns, discount):
    rng = np.random.default_rng(turns)
    shape = (12, 5)
    rewards = rng.normal(size=(*shape, 3)).astype(np.float32)
    players, decides = rng.integers(3, size=shape), rng.random(shape) < 0.7
    found = ahead(rewards, players, decides, turns, discount)
    for deal in range(shape[1]):
        gain, later = slow(rewards[:, deal], players[:, deal], decides[:, deal], turns, discount)
        which = decides[:, deal]
        np.testing.assert_allclose(np.asarray(found.gain)[which, deal], gain[which], atol=1e-5)
        np.testing.assert_array_equal(np.asarray(found.later)[which, deal], later[which])
