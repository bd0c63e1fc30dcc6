"""Pooled functions: the same values under any `jax.vmap`, one call, and only the wanted rows."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.xla import pooled

ROWS = np.arange(12, dtype=np.int32).reshape(3, 4)


def counted():
    """Return a pooled function that multiplies, and the numbers of rows that it was called with."""
    calls = []

    def multiply(shared, rows):
        calls.append(rows.shape[0])
        return shared * rows, rows + 1

    return pooled.pooled(multiply), calls


def test_batches_of_batches_are_one_call_with_all_rows():
    multiply, calls = counted()

    def one(shared, row):
        return pooled.for_one(multiply, shared, row)

    inner = jax.vmap(one, in_axes=(None, 0))
    found = jax.jit(jax.vmap(inner, in_axes=(None, 0)))(10, ROWS)
    assert (np.asarray(found[0]) == 10 * ROWS).all() and (np.asarray(found[1]) == ROWS + 1).all()
    assert calls[-1] == ROWS.size
    assert [int(x) for x in one(10, 7)] == [70, 8] and calls[-1] == 1


def test_what_is_shared_may_differ_in_a_batch():
    multiply, calls = counted()
    each = jax.vmap(lambda shared, row: pooled.for_one(multiply, shared, row)[0])
    assert (np.asarray(each(ROWS[0], ROWS[1])) == ROWS[0] * ROWS[1]).all()
    assert calls[-1] == 1


def test_an_argument_without_the_axis_of_the_batch_goes_to_all_rows():
    multiply = pooled.pooled(lambda _, rows: rows[0] * rows[1])
    found = jax.vmap(lambda row: pooled.for_one(multiply, (), (row, jnp.int32(3))))(ROWS[0])
    assert (np.asarray(found) == 3 * ROWS[0]).all()


@pytest.mark.parametrize("lanes", [1, 3, 5, 100])
@pytest.mark.parametrize("wanted", ["", "6", "0 1 2 3 4 5 6 7", "2 3 7"])
def test_only_wanted_rows_are_worked_on(lanes, wanted):
    chosen = [int(row) for row in wanted.split()]
    mask = np.isin(np.arange(8), chosen)
    seen = []

    def square(rows):
        jax.debug.callback(lambda rows: seen.append(rows.tolist()), rows)
        return rows * rows + 1

    number = jax.ShapeDtypeStruct((), jnp.int32)
    found = jax.jit(lambda mask: pooled.in_turn(square, mask, lanes, number))(mask)
    jax.effects_barrier()
    assert np.asarray(found).tolist() == [row * row + 1 if row in chosen else 0 for row in range(8)]
    assert sorted({row for rows in seen for row in rows}) == chosen
    assert len(seen) == -(-len(chosen) // min(lanes, 8))


def test_somewhere_keeps_a_choice_for_a_whole_batch():
    """A row computes a result that any row of the batch wants; unwanted results are not computed."""

    def one(flag, x):
        double = jax.lax.cond(pooled.somewhere(flag), lambda: 2 * x, lambda: x)
        return double, pooled.somewhere(flag)

    batch = jax.vmap(jax.vmap(one))
    none = np.zeros(ROWS.shape, bool)
    some = none.copy()
    some[1, 2] = True
    for flags, factor in ((none, 1), (some, 2)):
        found, seen = jax.jit(batch)(flags, ROWS)
        assert (np.asarray(found) == factor * ROWS).all() and (np.asarray(seen) == (factor == 2)).all()
        assert int(one(flags[1, 2], 5)[0]) == 5 * factor
    assert "cond" in str(jax.make_jaxpr(batch)(some, ROWS))
