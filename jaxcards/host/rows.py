"""Functions for many tables at once: a table is a row of words, and a batch is a stack of rows."""

import dataclasses
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla

# A word has the value of such a type; other types have 32 bits, which stay as they are.
_NARROW = {np.dtype(name) for name in ("bool", "uint8", "uint16")}


class Packing:
    """Write pytrees of one form as uint32[num_words], and read them back bit for bit.

    Attributes:
      num_words: words of a row.
    """

    def __init__(self, example: Any) -> None:
        """Initialise from the form of an example: arrays, or the result of `jax.eval_shape`."""
        leaves, self._form = jax.tree.flatten(example)
        self._leaves = [(tuple(leaf.shape), np.dtype(leaf.dtype)) for leaf in leaves]
        sizes = [int(np.prod(shape, dtype=int)) for shape, _ in self._leaves]
        # The first word of each leaf, and at the end the number of all words.
        self._places = np.cumsum([0, *sizes]).tolist()
        self.num_words: int = self._places[-1]

    def pack(self, tree: Any) -> jax.Array:
        """Return a pytree as words; traceable."""
        words = [_as_words(jnp.asarray(leaf)).reshape(-1) for leaf in jax.tree.leaves(tree)]
        return jnp.concatenate(words)

    def unpack(self, words: jax.Array) -> Any:
        """Return the pytree of a row; traceable."""
        leaves = [
            _from_words(words[first:last].reshape(shape), dtype)
            for first, last, (shape, dtype) in self._parts()
        ]
        return jax.tree.unflatten(self._form, leaves)

    def read(self, row: np.ndarray) -> Any:
        """Return the pytree of a row on the host, as NumPy arrays."""
        leaves = []
        for first, last, (shape, dtype) in self._parts():
            # To read the same bits as another type, the words must be in one piece of memory.
            part = np.ascontiguousarray(row[first:last])
            same = part.astype(dtype) if dtype in _NARROW else part.view(dtype)
            leaves.append(same.reshape(shape))
        return jax.tree.unflatten(self._form, leaves)

    def _parts(self) -> list[tuple[int, int, tuple[tuple[int, ...], np.dtype]]]:
        return list(zip(self._places[:-1], self._places[1:], self._leaves, strict=True))


def _as_words(leaf: jax.Array) -> jax.Array:
    if np.dtype(leaf.dtype) in _NARROW:
        return leaf.astype(jnp.uint32)
    return jax.lax.bitcast_convert_type(leaf, jnp.uint32)


def _from_words(words: jax.Array, dtype: np.dtype) -> jax.Array:
    if dtype in _NARROW:
        return words.astype(dtype)
    return jax.lax.bitcast_convert_type(words, dtype)


@dataclasses.dataclass(frozen=True)
class _Function:
    """A function of rows. Its first arguments, `params`, are the same for all rows."""

    call: Callable[..., Any]
    example: tuple[Any, ...]
    sizes: tuple[int, ...]
    params: tuple[Any, ...]


class Functions:
    """Functions of rows by name, each compiled for a few batch sizes. Thread-safe.

    A batch with too few tables is filled up with copies of its last table.
    """

    def __init__(self) -> None:
        self._functions: dict[str, _Function] = {}
        self._compiled: dict[tuple[str, int], Any] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def add(
        self, name: str, call: Callable[..., Any], example: tuple[Any, ...], sizes: tuple[int, ...],
        params: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        """Add a function, unless one of this name exists.

        Args:
          name: of the function.
          call: takes params and a row.
          example: a row: pytrees of NumPy arrays.
          sizes: batch sizes. The first size is compiled before the first call, others when many tables
            wait.
          params: pytrees that are the same for all tables.
        """
        with self._lock:
            if name not in self._functions:
                on_device = jax.tree.map(jnp.asarray, params)
                self._functions[name] = _Function(call, example, sizes, on_device)

    @property
    def names(self) -> list[str]:
        """The names of all functions."""
        return list(self._functions)

    def is_ready(self, name: str) -> bool:
        """Return whether a function is compiled for its first size."""
        return (name, self._functions[name].sizes[0]) in self._compiled

    def size(self, name: str, waiting: int) -> int:
        """Return the compiled size that suits a number of waiting tables best."""
        sizes = self._functions[name].sizes
        ready = [size for size in sizes if (name, size) in self._compiled] or [sizes[0]]
        return next((size for size in ready if size >= waiting), ready[-1])

    def wants(self, name: str, waiting: int) -> int | None:
        """Return a larger size worth compiling for a number of waiting tables, or None."""
        larger = [size for size in self._functions[name].sizes if (name, size) not in self._compiled]
        return larger[0] if larger and waiting > self.size(name, waiting) else None

    def compile(self, name: str, size: int | None = None) -> None:
        """Compile a function for a size, by default the first. Wait if another thread compiles it."""
        function = self._functions[name]
        size = size or function.sizes[0]
        with self._lock:
            # A lock for each function, so that different ones compile at the same time.
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            # Another thread may have compiled it while this one waited.
            if (name, size) in self._compiled:
                return
            axes = (None,) * len(function.params) + (0,) * len(function.example)
            args = jax.tree.map(lambda leaf: np.stack([leaf] * size), function.example)
            batched = xla.jit(jax.vmap(function.call, in_axes=axes))
            self._compiled[name, size] = batched.lower(*function.params, *args).compile()

    def run(self, name: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a function for some tables, in one batch of a compiled size.

        Args:
          name: of the function.
          rows: the arguments of each table, at most `size(name, len(rows))`.

        Returns:
          The results of each table, as numpy arrays.
        """
        function, size = self._functions[name], self.size(name, len(rows))
        self.compile(name, size)
        filled = [*rows, *[rows[-1]] * (size - len(rows))]
        args = jax.tree.map(lambda *parts: np.stack(parts), *filled)
        results = jax.device_get(self._compiled[name, size](*function.params, *args))
        leaves, form = jax.tree.flatten(results)
        return [jax.tree.unflatten(form, [leaf[i] for leaf in leaves]) for i in range(len(rows))]
