"""Random play in one compiled loop: the deals are right, and each is another one."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import throughput
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.stages import of_calls_and_tricks

BATCH, NUM_BATCHES = 16, 3


@pytest.fixture(scope="module", params=by_cost(["jass", "jass/differenzler"], ["jass"]))
def game(request):
    return jaxcards.make(request.param)


@pytest.fixture(scope="module")
def play(game):
    return throughput.random_play(game, BATCH, NUM_BATCHES)


@pytest.mark.slow
def test_the_loop_plays_what_rollout_plays(game, play):
    """The tally of the loop is that of its deals, played all at once."""
    tally = jax.device_get(play(jnp.uint32(9)))
    numbers = jnp.arange(BATCH * NUM_BATCHES, dtype=jnp.uint32)
    keys = deal_keys(jnp.uint32(9), numbers)
    points = jax.jit(jax.vmap(lambda key: rollout(game, RandomAgent(), (), key).points))(keys)
    assert (tally.points == np.asarray(points).reshape(NUM_BATCHES, BATCH, 4).sum(axis=0)).all()
    assert tally.points.any()


@pytest.mark.slow
def test_batches_take_rounds_in_turn():
    game = jaxcards.make("rikiki", schedule=(2, 1, 3))
    tally = jax.device_get(throughput.random_play(game, BATCH, 4)(jnp.uint32(9)))
    keys = deal_keys(jnp.uint32(9), jnp.arange(BATCH * 4, dtype=jnp.uint32))
    rounds = jnp.arange(BATCH * 4) // BATCH % 3
    one = functools.partial(throughput.staged_rollout, game, RandomAgent(), ())
    play = jax.jit(jax.vmap(lambda key, round: one(key, round=round)))
    points = np.asarray(play(keys, rounds).points).reshape(4, BATCH, 4)
    assert (tally.points == points.sum(axis=0)).all() and points.any()
    assert (int(tally.lowest), int(tally.highest), int(tally.unfinished)) == (1, 3, 0)  # tricks


def test_every_deal_hands_out_all_card_points(game, play):
    tally = play(jnp.uint32(1))
    total = 157 * (1 if game.teams is None else 2)  # a side of two shows its points twice
    assert (int(tally.lowest), int(tally.highest), int(tally.unfinished)) == (total, total, 0)


def test_seeds_differ(play):
    first, second, again = (play(jnp.uint32(seed)).points for seed in (1, 2, 1))
    assert (first != second).any() and (first == again).all()


def test_unfinished_deals_are_noticed(monkeypatch):
    game = jaxcards.make("jass/tournament")
    too_short = of_calls_and_tricks(2, 8, 4)  # by a trick
    monkeypatch.setattr(type(game), "schedule", lambda game, round=None: too_short)
    tally = throughput.random_play(game, 4, 2)(jnp.uint32(0))
    assert int(tally.unfinished) == 8 and int(tally.lowest) < 314


def test_no_two_deals_share_a_key():
    numbers = jnp.arange(1 << 16, dtype=jnp.uint32)
    keys = [np.asarray(deal_keys(jnp.uint32(s), numbers)) for s in (0, 1, 2**32 - 1)]
    for key in keys:
        assert len(np.unique(key[:, 0])) == len(numbers)
        # Each bit of each word is set in about half of the keys (5 standard errors).
        bits = (key[:, :, None] >> np.arange(32, dtype=np.uint32)) & 1
        assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.01
    assert len(np.unique(np.concatenate(keys), axis=0)) == 3 * len(numbers)


@pytest.mark.parametrize("batch, num_batches", [(0, 1), (1, 0), (1 << 16, 1 << 16)])
def test_bad_input(batch, num_batches):
    with pytest.raises(UserError, match="at least 1 and their product below"):
        throughput.random_play(jaxcards.make("jass"), batch, num_batches)
