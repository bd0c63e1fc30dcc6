"""The formulas: the step of a cell, the best option, the targets of decisions; slow twins in Python."""

import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.agents.learners.qtable.decision import Decision, bucket
from jaxcards.agents.learners.qtable.experience import Experience, targets
from jaxcards.agents.learners.qtable.table import Table, consult, learn


def table(values, visits) -> Table:
    return Table(jnp.array(values, jnp.float32), jnp.array(visits, jnp.uint32))


def asked(legal) -> Decision:
    return Decision(jnp.int32(1), jnp.array(legal), jnp.arange(len(legal)))


def test_a_young_cell_is_the_mean_of_its_targets():
    after = learn(table([0, 5], [0, 0]), jnp.array([6.0, 0]), jnp.array([3, 0], jnp.uint32), 0.1)
    after = learn(after, jnp.array([4.0, 0]), jnp.array([1, 0], jnp.uint32), 0.1)
    np.testing.assert_allclose(after.values, [10 / 4, 5])
    assert after.visits.tolist() == [4, 0]


def test_an_old_cell_moves_by_the_learning_rate():
    after = learn(table([1.0], [1000]), jnp.array([6.0]), jnp.array([2], jnp.uint32), 0.25)
    np.testing.assert_allclose(after.values, [1 + 0.25 * (3 - 1)])
    assert after.visits.tolist() == [1002]


def test_the_best_option_is_a_legal_one_that_was_tried():
    known = table([9, -1, -3, 7, 8], [1, 4, 4, 0, 4])
    said = consult(known, asked([True, True, True, False]))
    assert (int(said.best), float(said.value)) == (0, -1)  # 7 was never tried, 8 is not legal
    said = consult(known, asked([False, False, True, False]))
    assert (int(said.best), float(said.value)) == (2, 7)  # nothing legal was tried


def test_buckets():
    assert [int(bucket(x, (3, 5))) for x in (2, 3, 4, 5, 9)] == [0, 1, 1, 2, 2]


def slow_targets(steps, discount, trace_decay):
    """For one deal: each decision of a player looks for its next one, by recursion."""
    number = len(steps.player)

    def target(time):
        player, total = steps.player[time], 0.0
        for later in range(time, number):
            if later > time and steps.player[later] == player and steps.decides[later]:
                kept = trace_decay if steps.greedy[later] else 0
                ahead = (1 - kept) * steps.value[later] + kept * target(later)
                return total + discount * ahead
            total += steps.rewards[later, player]
        return total

    return [target(time) for time in range(number)]


@pytest.mark.parametrize("discount, trace_decay", [(1.0, 0.0), (0.9, 0.7), (1.0, 1.0)])
def test_targets(discount, trace_decay):
    random, shape = np.random.default_rng(5), (14, 6)
    steps = Experience(
        cell=np.zeros(shape, np.int32),
        value=random.normal(size=shape).astype(np.float32),
        greedy=random.random(shape) < 0.6,
        player=random.integers(0, 3, shape),
        decides=random.random(shape) < 0.7,
        valid=np.ones(shape, bool),
        rewards=random.normal(size=(*shape, 3)).astype(np.float32),
    )
    found = targets(steps, discount, trace_decay)
    for deal in range(shape[1]):
        one = Experience(*(leaf[:, deal] for leaf in steps))
        expected = np.array(slow_targets(one, discount, trace_decay))
        own = one.decides  # of others nothing is said
        np.testing.assert_allclose(found[own, deal], expected[own], atol=1e-5)
