"""The evaluation while training: fair to the last point, and the same deals each time."""

import dataclasses
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.testing.deals import quick_jit
from jaxcards.training.yardstick import SEED, Yardstick, opponents

GAME = jaxcards.make("jass")


@dataclasses.dataclass(frozen=True)
class Lowest:
    """Plays the legal action of the smallest number; or of the largest, if `params` is 1."""

    def init(self, key, game):
        return jnp.int32(0)

    def act(self, params, observation, legal, key):
        last = (legal.count() - 1).astype(jnp.uint32)
        return jnp.where(params == 1, legal.nth(last), legal.nth(jnp.uint32(0))).astype(jnp.int32)


@pytest.fixture(scope="module")
def measured():
    others = {"lowest": FixedPlayer(Lowest(), jnp.int32(0)), "random": FixedPlayer(RandomAgent(), ())}
    yardstick = Yardstick(GAME, Lowest(), others, 5)
    measure = yardstick.compile(jnp.int32(0))
    return yardstick, measure(jnp.int32(0)), measure(jnp.int32(1)), measure(jnp.int32(0))


def test_a_player_against_itself_is_level_on_every_deal(measured):
    _, same, _, _ = measured
    assert same["lowest"].mean == 0 and same["lowest"].half_width == 0


def test_the_deals_are_always_the_same(measured):
    _, first, other, again = measured
    assert first == again and first["random"] != other["random"]


def test_against_deals_played_one_by_one(measured):
    _, _, highest, _ = measured
    play = jax.jit(
        lambda key, seats: (
            rollout(GAME, [Lowest(), Lowest()], [jnp.int32(1), jnp.int32(0)], key, seats=seats).returns
        )
    )
    differences = []
    for key in deal_keys(SEED, jnp.arange(5, dtype=jnp.uint32)):
        ours = play(key, jnp.array([0, 1, 0, 1]))[0]
        theirs = play(key, jnp.array([1, 0, 1, 0]))[1]
        differences.append(float(ours + theirs) / 2)
    assert highest["lowest"].mean == pytest.approx(np.mean(differences), abs=1e-4)
    interval = mean_interval(np.array(differences))
    half = interval.high - interval.mean
    assert highest["lowest"].half_width == pytest.approx(half, rel=1e-4)
    assert half > 0


@pytest.mark.slow
def test_what_an_opponent_would_gain_by_playing_like_the_player():
    """Against deals played one by one: each seat in turn, less what the opponent gets there."""
    game = jaxcards.make("rikiki", num_players=3, schedule=(2,))
    others = {"lowest": FixedPlayer(Lowest(), jnp.int32(0))}
    yardstick = Yardstick(game, Lowest(), others, 5, exploits=True)
    found = yardstick.compile(jnp.int32(1))(jnp.int32(1))["lowest"]
    params = [jnp.int32(1), jnp.int32(0)]
    play = quick_jit(
        lambda key, seats: rollout(game, [Lowest(), Lowest()], params, key, seats=seats).returns
    )
    gains = []
    for key in deal_keys(SEED, jnp.arange(5, dtype=jnp.uint32)):
        alone = play(key, jnp.array([1, 1, 1]))
        seats = jnp.eye(3, dtype=jnp.int32)
        gains.append(np.mean([play(key, 1 - seats[i])[i] - alone[i] for i in range(3)]))
    assert found.mean == pytest.approx(np.mean(gains), abs=1e-5) and np.std(gains) > 0


def test_opponents():
    assert list(opponents(GAME)) == ["heuristic", "random"]
    assert list(opponents(types.SimpleNamespace(name="coin"))) == ["random"]
