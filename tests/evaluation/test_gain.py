"""The gain of an exploiter in the place of a player, against deals played one by one."""

import json

import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.evaluation.gain import gain
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.rollouts import deal_keys, rollout

GAME = jaxcards.make("rikiki", num_players=3, schedule=(2,))


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


def test_against_deals_played_one_by_one():
    agents = [Lowest(), RandomAgent()]
    found = gain(GAME, tuple(agents), (0, ()), ("lowest", "random"), num_deals=20, seed=3, batch=16)
    play = quick.jit(lambda key, seats: rollout(GAME, agents, [0, ()], key, seats=seats).returns)
    values = []
    for key in deal_keys(3, jnp.arange(20, dtype=jnp.uint32)):
        alone = np.asarray(play(key, jnp.array([1, 1, 1])), float)
        rows = 1 - jnp.eye(3, dtype=jnp.int32)
        values.append([np.mean([play(key, rows[i])[i] for i in range(3)]), alone.mean()])
    exploiter, player = np.array(values, float).T
    assert found.returns_exploiter == pytest.approx(exploiter.mean())
    assert found.returns_player == pytest.approx(player.mean())
    expected = mean_interval(exploiter - player)
    assert found.gain.low == pytest.approx(expected.low) and found.gain.high > found.gain.low
    assert json.loads(found.to_json())["gain"]["mean"] == found.gain.mean


def test_a_player_gains_nothing_against_itself():
    found = gain(GAME, (Lowest(), Lowest()), (0, 0), ("a", "b"), num_deals=20)
    assert found.gain.mean == found.sd == 0
    assert "a does not exploit b; others may." in found.to_text()


@pytest.mark.slow
def test_matches_are_called_so():
    match = jaxcards.Match(GAME)
    found = gain(match, (Lowest(), RandomAgent()), (0, ()), ("a", "b"), num_deals=4)
    assert found.game == match.id and abs(found.returns_exploiter) <= 1
    text = found.to_text()
    assert "4 duplicate matches" in text and "points per match" in text and "deal" not in text


def test_one_deal_is_refused():
    with pytest.raises(UserError, match="deals must be at least 2"):
        gain(GAME, (Lowest(), Lowest()), (0, 0), ("a", "b"), num_deals=1)
