"""Tables packed into words give what a list gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxcards.xla.lookup import lookup, lookup_in

TABLES = [
    [0], [1], [0, 1], [3, 2, 1, 0], [0, 0, 0], list(range(9)), [0, 0, 0, 14, 10, 20, 3, 4, 11],
    [255] * 9, [256, 1, 2], [65535, 0, 1], [1 << 16, 5], [(1 << 32) - 1, 7, 0], list(range(64)),
]  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_lookup_reads_every_entry(table):
    read = jax.vmap(lambda index: lookup(table, index))(jnp.arange(len(table), dtype=jnp.uint32))
    assert read.dtype == jnp.uint32
    assert read.tolist() == table


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=40), st.integers(0, 31))
def test_lookup_of_any_table(table, shift):
    table = [entry >> shift for entry in table]
    read = jax.vmap(lambda index: lookup(table, index))(jnp.arange(len(table), dtype=jnp.uint32))
    assert read.tolist() == table


def test_the_first_condition_that_holds_decides():
    tables = [[1, 2, 3], [40, 50, 60], [700, 800, 900]]
    conditions = np.array([[a, b] for a in (0, 1) for b in (0, 1)], bool)

    def read(holds, index):
        return lookup_in(tables, [holds[0], holds[1]], index)

    found = jax.vmap(jax.vmap(read, (None, 0)), (0, None))(conditions, jnp.arange(3, dtype=jnp.uint32))
    expected = [tables[0] if a else tables[1] if b else tables[2] for a, b in conditions]
    assert found.tolist() == expected


def test_conditions_must_fit_the_tables():
    with pytest.raises(ValueError):
        lookup_in([[1], [2]], [], jnp.uint32(0))
