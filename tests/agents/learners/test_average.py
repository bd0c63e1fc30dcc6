"""The average of the parameters: against sums by hand, and as the player of a run."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import jaxcards
from jaxcards.agents.learners.average import average_of, averaging
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO


def test_the_average_decays_by_at_most_its_setting_and_changes_no_update():
    optimiser = optax.chain(optax.sgd(0.5), averaging(0.75))
    params = {"w": jnp.array([1.0, -2.0])}
    state, average = optimiser.init(params), np.array([1.0, -2.0])
    for step in range(5):
        gradient = {"w": jnp.array([step + 1.0, 2.0])}
        change, state = optimiser.update(gradient, state, params, steps=jnp.int32(10 * step))
        np.testing.assert_allclose(change["w"], -0.5 * gradient["w"])
        params = optax.apply_updates(params, change)
        left = min(0.75, (1 + 10 * step) / (10 + 10 * step))
        average = left * average + (1 - left) * np.asarray(params["w"])
    np.testing.assert_allclose(average_of(state)["w"], average, rtol=1e-6)
    assert average_of(optax.sgd(0.5).init(params)) is None


@pytest.mark.slow
def test_the_player_of_a_run_is_the_average():
    config = PPOConfig(deals_per_update=8, minibatches=2, hidden=(4,), critic_hidden=(4,), average=0.5)
    game = jaxcards.make("rikiki", num_players=3, schedule=(2,))
    learner = PPO(game, config)
    state = learner.fresh()
    halved = average_of(state.optimiser)
    moved = state._replace(params=jax.tree.map(lambda x: x + 1, state.params))
    same = jax.tree.map(np.array_equal, learner.saved(moved), halved["policy"])
    assert all(jax.tree.leaves(same))
    plain = PPO(game, dataclasses.replace(config, average=0.0))
    assert plain.saved(plain.fresh()) is not None and average_of(plain.fresh().optimiser) is None
