"""Functions that take tables side by side, each compiled for a few sizes of a batch.

A batch of fewer tables is filled up with its last one.
"""

import abc
import dataclasses
import threading
from collections.abc import Callable, Container, Sequence
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla


class Batched(abc.ABC):
    """Functions of a game by name, as `Batches` calls them, wherever they are computed.

    Attributes:
      run_in, compile_in: the threads of `Batches` that call `run` and `compile`.
    """

    run_in: ClassVar[str]
    compile_in: ClassVar[str]

    @property
    @abc.abstractmethod
    def compiled(self) -> Container[tuple[str, int]]:
        """The names and sizes that are compiled."""

    @abc.abstractmethod
    def sizes(self, name: str) -> tuple[int, ...]:
        """Return the sizes of a function: the first is compiled before it is called, the others when
        many wait."""

    @abc.abstractmethod
    def compile(self, name: str, size: int | None = None) -> None:
        """Compile a function for a size, or for its first one."""

    @abc.abstractmethod
    def run(self, name: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a function for some tables, in one batch of a compiled size.

        Args:
          name: of the function.
          rows: the arguments of each table, at most `size(name, len(rows))`.

        Returns:
          The results of each table, as numpy arrays.
        """

    def is_ready(self, name: str) -> bool:
        """Whether a function is compiled for its first size."""
        return (name, self.sizes(name)[0]) in self.compiled

    def size(self, name: str, waiting: int) -> int:
        """Return for how many tables a function is best called, of the sizes that are compiled."""
        sizes = self.sizes(name)
        ready = [size for size in sizes if (name, size) in self.compiled] or [sizes[0]]
        return next((size for size in ready if size >= waiting), ready[-1])

    def wants(self, name: str, waiting: int) -> int | None:
        """Return a larger size that so many tables would be worth compiling for, or None."""
        fit = [size for size in self.sizes(name) if (name, size) not in self.compiled]
        return fit[0] if fit and waiting > self.size(name, waiting) else None


@dataclasses.dataclass(frozen=True)
class _Function:
    """A function of rows; `params` are the same for all rows, and come first."""

    call: Callable[..., Any]
    example: tuple[Any, ...]
    sizes: tuple[int, ...]
    params: tuple[Any, ...]


class Functions(Batched):
    """Functions that are compiled and called in this process. Safe for threads."""

    run_in, compile_in = "quick", "compile"

    def __init__(self) -> None:
        self._functions: dict[str, _Function] = {}
        self._compiled: dict[tuple[str, int], Any] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def add(
        self, name: str, call: Callable[..., Any], example: tuple[Any, ...], sizes: tuple[int, ...],
        params: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        """Add a function, unless there is one of this name.

        Args:
          name: of the function.
          call: of params and a row.
          example: of a row: pytrees of numpy arrays.
          sizes: see `Batched.sizes`.
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

    @property
    def compiled(self) -> Container[tuple[str, int]]:
        return self._compiled

    def sizes(self, name: str) -> tuple[int, ...]:
        return self._functions[name].sizes

    def compile(self, name: str, size: int | None = None) -> None:
        """Compile a function for a size, or for its first one; wait if another thread does."""
        function = self._functions[name]
        size = size or function.sizes[0]
        with self._lock:
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            if (name, size) in self._compiled:
                return
            axes = (None,) * len(function.params) + (0,) * len(function.example)
            args = jax.tree.map(lambda leaf: np.stack([leaf] * size), function.example)
            batched = xla.jit(jax.vmap(function.call, in_axes=axes))
            self._compiled[name, size] = batched.lower(*function.params, *args).compile()

    def run(self, name: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        function, size = self._functions[name], self.size(name, len(rows))
        self.compile(name, size)
        filled = [*rows, *[rows[-1]] * (size - len(rows))]
        args = jax.tree.map(lambda *parts: np.stack(parts), *filled)
        found = jax.device_get(self._compiled[name, size](*function.params, *args))
        leaves, form = jax.tree.flatten(found)
        return [jax.tree.unflatten(form, [leaf[i] for leaf in leaves]) for i in range(len(rows))]
