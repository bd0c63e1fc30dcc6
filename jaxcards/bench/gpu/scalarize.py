"""A function of scalars, evaluated for a whole block of deals, equation by equation.

A kernel of a GPU computes on vectors with an entry ("lane") for each deal of its block. What
`jax.vmap` makes of small arrays, such as the points of four players, is beyond it: there are no slices
or stacks of registers, and no size that is not a power of two. So a traced function is taken apart
here. Each *entry* of each of its values becomes a vector of its own; slicing, stacking and reducing
happen while tracing and leave no operation behind, and what is left are elementwise operations on
vectors of one size. Only what the wanted results depend on is evaluated, and operations between
constants are folded.
"""

import functools
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Literal

from jaxcards.errors import UserError

# An entry is a NumPy scalar (a constant), a traced scalar (the same for all deals), or a traced vector
# with an element for each deal. A value is a NumPy array of entries.
Entry = Any
Value = np.ndarray


class Traced:
    """A traced function: which inputs its outputs depend on, and their values lane by lane.

    Args:
      function: from arrays to a flat sequence of arrays.
      *examples: arrays or `jax.ShapeDtypeStruct`s, one for each argument.
    """

    def __init__(self, function: Callable[..., Sequence[jax.Array]], *examples: Any) -> None:
        closed = jax.make_jaxpr(function)(*examples)
        self.jaxpr: Any = closed.jaxpr
        self._constants = closed.consts

    def passed(self) -> dict[int, int]:
        """Returns output -> input, for the outputs that are inputs unchanged."""
        inputs = {variable: i for i, variable in enumerate(self.jaxpr.invars)}
        outputs = enumerate(self.jaxpr.outvars)
        return {o: inputs[v] for o, v in outputs if not isinstance(v, Literal) and v in inputs}

    def needed_inputs(self, wanted: Collection[int]) -> set[int]:
        """Returns the inputs that some of the outputs depend on."""
        _, needed = _needed(self.jaxpr, wanted)
        return {i for i, variable in enumerate(self.jaxpr.invars) if variable in needed}

    def __call__(self, inputs: Sequence[Value | None], wanted: Collection[int]) -> dict[int, Value]:
        """Returns the wanted outputs.

        Args:
          inputs: a value for each input; None for those that are not needed.
          wanted: indices of outputs.

        Raises:
          UserError: if the function does what cannot be done lane by lane.
        """
        outputs = _evaluate(self.jaxpr, self._constants, inputs, wanted)
        return {number: outputs[number] for number in wanted}


def value_of(entries: Iterable[Entry], shape: Sequence[int] = ()) -> Value:
    """Returns the value of a shape with the given entries, row by row."""
    flat = np.empty(math.prod(shape), object)
    # One by one: NumPy would try to look into the arrays.
    for i, entry in enumerate(entries):
        flat[i] = entry
    return flat.reshape(shape)


def spread(entry: Entry, size: int) -> jax.Array:
    """Returns an entry as a vector of `size` lanes."""
    return entry if np.ndim(entry) else lax.full((size,), entry)


def _needed(jaxpr: Any, wanted: Collection[int]) -> tuple[list[Any], set[Any]]:
    """Returns the equations that some outputs need, in order, and all variables that they need."""
    needed = {v for i, v in enumerate(jaxpr.outvars) if i in wanted and not isinstance(v, Literal)}
    equations = []
    for equation in reversed(jaxpr.eqns):
        if needed.isdisjoint(equation.outvars):
            continue
        equations.append(equation)
        needed.update(v for v in equation.invars if not isinstance(v, Literal))
    return equations[::-1], needed


def _evaluate(
    jaxpr: Any, constants: Sequence[Any], inputs: Sequence[Value | None], wanted: Collection[int]
) -> list[Any]:
    values: dict[Any, Value | None] = dict(zip(jaxpr.invars, inputs, strict=True))
    values.update(zip(jaxpr.constvars, map(_constant, constants), strict=True))

    def read(atom: Any) -> Any:
        if isinstance(atom, Literal):
            return _constant(np.asarray(atom.val, atom.aval.dtype))  # type: ignore[attr-defined]
        return values[atom]

    for equation in _needed(jaxpr, wanted)[0]:
        arguments = [read(atom) for atom in equation.invars]
        for variable, result in zip(equation.outvars, _outputs(equation, arguments), strict=True):
            values[variable] = result
    return [read(atom) if i in wanted else None for i, atom in enumerate(jaxpr.outvars)]


def _constant(array: Any) -> Value:
    array = np.asarray(array)
    return value_of(array.reshape(-1), array.shape)


def _outputs(equation: Any, arguments: list[Value]) -> Sequence[Value]:
    name, parameters = equation.primitive.name, equation.params
    if name in ("jit", "closed_call"):
        inner = parameters["jaxpr" if name == "jit" else "call_jaxpr"]
        every = range(len(inner.jaxpr.outvars))
        return _evaluate(inner.jaxpr, inner.consts, arguments, every)
    if name in _ELEMENTWISE:
        whole = np.broadcast_arrays(*arguments)
        rows = zip(*(argument.reshape(-1) for argument in whole), strict=True)
        results = (_apply(equation.primitive, parameters, row) for row in rows)
        return [value_of(results, whole[0].shape)]
    if name in _ARRANGING:
        return [_ARRANGING[name](*arguments, **parameters)]
    raise UserError(f"the operation {name!r} cannot be done lane by lane")


# ---- Elementwise operations ---------------------------------------------------------------------

_ELEMENTWISE = frozenset(
    "abs add and clamp clz convert_element_type div eq ge gt le lt max min mul ne neg not or "
    "population_count rem select_n shift_left shift_right_arithmetic shift_right_logical sign sub "
    "xor".split()
)


def _apply(primitive: Any, parameters: dict[str, Any], entries: Sequence[Entry]) -> Entry:
    if all(isinstance(entry, np.generic) for entry in entries):
        with jax.ensure_compile_time_eval():
            folded = primitive.bind(*map(jnp.asarray, entries), **parameters)
        return np.asarray(folded)[()]
    if primitive.name in ("div", "rem") and not (isinstance(entries[1], np.generic) and entries[1]):
        raise UserError("a division by what may be 0 means something else on a GPU")
    if primitive.name.startswith("shift") and not isinstance(entries[1], np.generic):
        return _shift(primitive, *entries)
    if primitive.name in ("clz", "population_count"):
        return _count(primitive, *entries)
    return _bind(primitive, entries, parameters)


def _bind(primitive: Any, entries: Sequence[Entry], parameters: dict[str, Any]) -> Entry:
    size = max(np.size(entry) if np.ndim(entry) else 0 for entry in entries)
    if size:
        entries = [spread(entry, size) for entry in entries]
    return primitive.bind(*entries, **parameters)


def _shift(primitive: Any, word: Entry, places: Entry) -> Entry:
    """Shifts by as much as a word has bits, or more, as JAX does: LLVM leaves that undefined."""
    bits = np.dtype(places.dtype).type(8 * word.dtype.itemsize)
    if primitive is lax.shift_right_arithmetic_p:
        return _bind(primitive, [word, _bind(lax.min_p, [places, bits - 1], {})], {})
    shifted = _bind(primitive, [word, places], {})
    inside = _bind(lax.lt_p, [places, bits], {})
    return _bind(lax.select_n_p, [inside, word.dtype.type(0), shifted], {})


def _count(primitive: Any, word: Entry) -> Entry:
    """Counts bits as int32: Triton has an instruction for that type, and fails for uint32."""
    if word.dtype.itemsize != 4:
        raise UserError(
            f"{primitive.name} of {word.dtype} cannot be done lane by lane, only of 32 bits"
        )
    count = primitive.bind(lax.convert_element_type(word, jnp.int32))
    return lax.convert_element_type(count, word.dtype)


# ---- What only arranges entries ------------------------------------------------------------------


def _slice(value: Value, *, start_indices: Any, limit_indices: Any, strides: Any) -> Value:
    steps = strides or [1] * value.ndim
    return value[tuple(map(slice, start_indices, limit_indices, steps))]


def _broadcast(value: Value, *, shape: Any, broadcast_dimensions: Any, **_: Any) -> Value:
    sizes = [1] * len(shape)
    for size, dimension in zip(value.shape, broadcast_dimensions, strict=True):
        sizes[dimension] = size
    return np.broadcast_to(value.reshape(sizes), shape)


def _iota(*, dtype: Any, shape: Any, dimension: int, **_: Any) -> Value:
    sizes = [-1 if i == dimension else 1 for i in range(len(shape))]
    numbers = _constant(np.arange(shape[dimension], dtype=dtype))
    return np.broadcast_to(numbers.reshape(sizes), shape)


def _reduction(primitive: Any) -> Callable[..., Value]:
    def reduce(value: Value, *, axes: Any, **_: Any) -> Value:
        kept = tuple(i for i in range(value.ndim) if i not in axes)
        shape = [value.shape[i] for i in kept]
        rows = value.transpose(kept + tuple(axes)).reshape(math.prod(shape), -1)
        add = lambda a, b: _apply(primitive, {}, [a, b])  # noqa: E731
        return value_of((functools.reduce(add, row) for row in rows), shape)

    return reduce


_ARRANGING: dict[str, Callable[..., Value]] = {
    "slice": _slice,
    "squeeze": lambda value, *, dimensions: value.squeeze(tuple(dimensions)),
    "reshape": lambda value, *, new_sizes, **_: value.reshape(new_sizes),
    "broadcast_in_dim": _broadcast,
    "iota": _iota,
    "concatenate": lambda *values, dimension: np.concatenate(values, dimension),
    "stack": lambda *values, axis: np.stack(values, axis),
    "reduce_sum": _reduction(lax.add_p),
    "reduce_max": _reduction(lax.max_p),
    "reduce_min": _reduction(lax.min_p),
    "reduce_and": _reduction(lax.and_p),
    "reduce_or": _reduction(lax.or_p),
}
