"""Deal n of seed s is the same deal wherever deals are counted."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import throughput, xla
from jaxcards.agent import RandomAgent
from jaxcards.evaluation import evaluate, simulate
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.testing.deals import quick_jit

NUM_DEALS, SEED = 6, 2**32 - 1


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


def keys(first=0, size=NUM_DEALS, seed=SEED):
    return deal_keys(seed, jnp.arange(first, first + size, dtype=jnp.uint32))


@pytest.mark.slow
def test_simulating_and_measuring_speed():
    game = jaxcards.make("jass/tournament")
    one_by_one = quick_jit(jax.vmap(lambda key: rollout(game, RandomAgent(), (), key).points))(keys())
    simulated = simulate(game, [RandomAgent()], [()], NUM_DEALS, seed=SEED)
    measured = throughput.random_play(game, NUM_DEALS, 1)(jnp.uint32(SEED))
    assert (simulated.points == np.asarray(one_by_one)).all()
    assert (np.asarray(measured.points) == simulated.points).all()
    assert len(np.unique(simulated.points[:, 0])) > 1


@pytest.mark.slow
def test_evaluating():
    """Players that do the same score in the seats of a table what they score in a simulation."""
    game = jaxcards.make("jass/tournament")
    agents, params = [RandomAgent(), RandomAgent()], [(), ()]
    pair = evaluate(game, agents, params, ["a", "b"], NUM_DEALS, seed=SEED, batch=4).pairs[0]
    simulated = simulate(game, [RandomAgent()], [()], NUM_DEALS, seed=SEED, batch=4)
    assert pair.points_a == simulated.points.mean()


def test_a_key_depends_on_seed_and_number_alone():
    first = np.asarray(keys())
    assert (np.asarray(keys(4, 2)) == first[4:]).all()
    assert len({tuple(key) for key in first.tolist()}) == NUM_DEALS
    assert not (first == np.asarray(keys(seed=7))).all(axis=1).any()
