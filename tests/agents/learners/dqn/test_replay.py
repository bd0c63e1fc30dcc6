"""The memory of turns: a ring of the newest, drawn by priority."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.learners.dqn import replay
from jaxcards.agents.learners.dqn.replay import Turns


def turns(numbers):
    """Return turns that differ in their action."""
    numbers = jnp.asarray(numbers, jnp.int32)
    size = len(numbers)
    words = jnp.zeros((size, 2), jnp.uint32)
    return Turns(words, numbers, numbers * 1.0, words, words, jnp.ones(size, bool))


def kept(memory):
    held = np.asarray(memory.priority) > 0
    return np.asarray(memory.turns.action)[held].tolist()


@pytest.mark.slow
def test_the_newest_stay():
    memory = replay.empty(5, 2, 2)
    memory = replay.write(memory, turns([1, 2, 3, 4]), jnp.array([True, False, True, True]))
    assert kept(memory) == [1, 3, 4] and int(memory.written) == 3
    memory = replay.write(memory, turns([5, 6, 7]), jnp.ones(3, bool))
    assert sorted(kept(memory)) == [3, 4, 5, 6, 7] and int(memory.written) == 6
    memory = replay.write(memory, turns(range(10, 18)), jnp.ones(8, bool))
    assert sorted(kept(memory)) == [13, 14, 15, 16, 17]
    # The count stays small and keeps its place, so that it never overflows.
    assert int(memory.written) == 5 + (6 + 8) % 5
    memory = replay.write(memory, turns([20]), jnp.ones(1, bool))
    assert sorted(kept(memory)) == [14, 15, 16, 17, 20]


def test_turns_are_drawn_by_priority():
    memory = replay.write(replay.empty(8, 2, 2), turns([0, 1, 2, 3]), jnp.ones(4, bool))
    memory = memory._replace(priority=memory.priority.at[:4].set(jnp.array([1.0, 0.5, 2.0, 0.5])))
    uniform = jax.random.uniform(jax.random.key(0), (40_000,))
    place, chance = replay.draw(memory, uniform)
    share = np.bincount(np.asarray(place), minlength=8) / 40_000
    np.testing.assert_allclose(share[:4], [0.25, 0.125, 0.5, 0.125], atol=0.01)
    assert share[4:].sum() == 0
    np.testing.assert_allclose(
        chance, np.array([0.25, 0.125, 0.5, 0.125])[np.asarray(place)], rtol=1e-5
    )
    edge, _ = replay.draw(memory, jnp.float32([0.0, 1 - 2**-24]))
    assert edge.tolist() == [0, 3]


@pytest.mark.slow
def test_new_turns_are_as_likely_as_the_likeliest():
    memory = replay.write(replay.empty(8, 2, 2), turns([0, 1]), jnp.ones(2, bool))
    memory = memory._replace(priority=memory.priority.at[0].set(3.0))
    memory = replay.write(memory, turns([2]), jnp.ones(1, bool))
    np.testing.assert_allclose(memory.priority[:4], [3.0, 1.0, 3.0, 0.0])
