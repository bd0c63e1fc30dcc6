"""A traced function, entry by entry: the values of `jax.vmap`, with elementwise operations alone."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jaxcards.bench.gpu.scalarize import Traced, spread, value_of
from jaxcards.errors import UserError

LANES = 8
NUMBERS = np.random.default_rng(0).integers(0, 2**32, (LANES, 3), dtype=np.uint32)


def by_lanes(function, numbers):
    """Evaluates a function of uint32[3] for the rows of uint32[lanes, 3], and stacks its outputs."""
    traced = Traced(function, jax.ShapeDtypeStruct((3,), jnp.uint32))
    inputs = [value_of([numbers[:, i] for i in range(3)], (3,))]
    outputs = traced(inputs, range(len(traced.jaxpr.outvars)))
    return [
        jnp.stack([spread(entry, LANES) for entry in value.reshape(-1)], -1).reshape(-1, *value.shape)
        for value in outputs.values()
    ]


def operations(function):
    """Returns the names of the primitives that are left, and the types of their first operands."""
    jaxpr = jax.make_jaxpr(lambda numbers: by_lanes(function, numbers))(NUMBERS).jaxpr
    names = [(e.primitive.name, str(e.invars[0].aval.dtype)) for e in jaxpr.eqns if e.invars]
    arranging = ("slice", "squeeze", "broadcast_in_dim", "concatenate", "stack", "reshape", "jit")
    return [(name, dtype) for name, dtype in names if name not in arranging]


def arrangements(x):
    """Slices, stacks, reductions and broadcasts, as engines use them."""
    table = jnp.stack([x, jnp.array([5, 6, 7], jnp.uint32)])
    longer = jnp.concatenate([x[1:], table[0]])
    return [
        table,
        longer[1:5:2],
        table.sum(axis=0),
        longer.max(),
        table.reshape(3, 2).min(axis=1),
        (x > jnp.uint32(1 << 31)).any(),
        (x > jnp.uint32(1 << 30)).all(),
        jnp.where(jnp.arange(3) == 1, x, x[0]),
        jnp.broadcast_to(x[:, None], (3, 2)),
        x.astype(jnp.int32) >> 4,
    ]


def test_arrangements_are_those_of_vmap():
    ours = jax.jit(lambda numbers: by_lanes(arrangements, numbers))(NUMBERS)
    for got, expected in zip(ours, jax.vmap(arrangements)(NUMBERS), strict=True):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


def shifts(x):
    places = x[1] & 63  # beyond the 32 bits of a word half of the time
    signed = x[0].astype(jnp.int32)
    return [x[0] << places, x[0] >> places, signed >> places.astype(jnp.int32), x[0] << 40, x[0] >> 3]


def test_shifts_by_more_than_a_word():
    """JAX defines them and LLVM does not, so those by unknown numbers are guarded."""
    ours = jax.jit(lambda numbers: by_lanes(shifts, numbers))(NUMBERS)
    for got, expected in zip(ours, jax.vmap(shifts)(NUMBERS), strict=True):
        np.testing.assert_array_equal(got, expected)
    names = [name for name, _ in operations(lambda x: [x[0] << x[1], x[0] >> x[1]])]
    assert sorted(names) == sorted(["shift_left", "shift_right_logical"] + ["lt", "select_n"] * 2)
    assert operations(lambda x: [x[0] << 3]) == [("shift_left", "uint32")]


def test_bits_are_counted_as_int32():
    """Triton fails for uint32."""

    def count(x):
        return [lax.population_count(x[0]), lax.clz(x[1] >> (x[2] & 31))]

    for got, expected in zip(by_lanes(count, NUMBERS), jax.vmap(count)(NUMBERS), strict=True):
        np.testing.assert_array_equal(got, expected)
    types = {(name, dtype) for name, dtype in operations(count) if name in ("population_count", "clz")}
    assert types == {("population_count", "int32"), ("clz", "int32")}


def test_constants_are_folded_and_what_nobody_wants_is_left_out():
    def function(x):
        mask = jnp.uint32(7) << 2 | 1
        unused = x[1] * x[2]
        del unused
        return [x[0] & mask * jnp.arange(3, dtype=jnp.uint32)[2]]

    assert operations(function) == [("and", "uint32")]


def test_dependencies():
    traced = Traced(lambda a, b, c: [a, b + c, c], *[jax.ShapeDtypeStruct((), jnp.int32)] * 3)
    assert traced.passed() == {0: 0, 2: 2}
    assert traced.needed_inputs([1]) == {1, 2}
    a, b, c = (value_of([np.int32(number)]) for number in (1, 2, 3))
    outputs = traced([None, b, c], [1])
    assert list(outputs) == [1] and outputs[1].item() == 5
    assert traced([a, None, None], [0])[0].item() == 1


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: [jnp.sort(x)], "'sort' cannot be done lane by lane"),
        (lambda x: [lax.div(x[0], x[1])], "division by what may be 0"),
        (lambda x: [lax.clz(x[0].astype(jnp.uint8))], "clz of uint8"),
    ],
)
def test_what_cannot_be_done(function, message):
    with pytest.raises(UserError, match=message):
        by_lanes(function, NUMBERS)
