"""The parameters that a run begins with stay what they are."""

import jax.numpy as jnp
import numpy as np
import optax

from jaxcards.agents.learners.average import averaging
from jaxcards.agents.learners.magnet import magnet_of, remembering


def test_one_part_is_remembered_as_it_was() -> None:
    optimiser = optax.chain(optax.sgd(0.5), averaging(0.25), remembering("policy"))
    params = {"policy": jnp.array([1.0]), "critic": jnp.array([5.0])}
    state = optimiser.init(params)
    for step in range(4):
        gradient = {"policy": jnp.array([step + 1.0]), "critic": jnp.array([1.0])}
        change, state = optimiser.update(gradient, state, params, steps=jnp.int32(step))
        params = optax.apply_updates(params, change)
    assert params["policy"] != 1
    np.testing.assert_array_equal(magnet_of(state), [1])
    assert magnet_of(optax.sgd(0.5).init(params)) is None
