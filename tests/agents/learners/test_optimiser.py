"""The optimiser: one part of the parameters is slowed down, and the others are not."""

import jax
import numpy as np
import optax
import pytest

from jaxcards.agents.learners.average import average_of
from jaxcards.agents.learners.optimiser import adam, with_share

PARAMS = {"policy": np.ones(3, np.float32), "critic": np.ones(2, np.float32)}
SLOPE = {"policy": np.float32([0.1, -0.2, 0.3]), "critic": np.float32([0.2, 0.1])}


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_share_of_the_updates_of_one_part(share):
    plain, slow = adam(0.01, 1.0), adam(0.01, 1.0, average=0.5, slow="policy")
    expected, _ = plain.update(SLOPE, plain.init(PARAMS), PARAMS)
    begun = with_share(slow.init(PARAMS), np.float32(share))
    change, state = slow.update(SLOPE, begun, PARAMS, steps=100)
    np.testing.assert_allclose(change["policy"], share * expected["policy"], rtol=1e-6)
    np.testing.assert_array_equal(change["critic"], expected["critic"])
    # The average is that of the parameters as they are, slowed down.
    new = optax.apply_updates(PARAMS, change)
    middle = jax.tree.map(lambda old, new: (old + new) / 2, PARAMS, new)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), average_of(state), middle)
