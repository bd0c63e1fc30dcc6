"""A pytree of arrays as one row of words, so that tables are batched by stacking rows."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.game import Game

_NARROW = {np.dtype(name) for name in ("bool", "uint8", "uint16")}


class Packing:
    """How pytrees of one form are written as uint32[num_words], and read again, bit for bit.

    Attributes:
      num_words: words of a row.
    """

    def __init__(self, example: Any) -> None:
        """Take the form of an example: arrays, or what `jax.eval_shape` returns."""
        leaves, self._form = jax.tree.flatten(example)
        self._leaves = [(tuple(leaf.shape), np.dtype(leaf.dtype)) for leaf in leaves]
        sizes = [int(np.prod(shape, dtype=int)) for shape, _ in self._leaves]
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
        """Return the pytree of a row of the host, with arrays of numpy."""
        leaves = []
        for first, last, (shape, dtype) in self._parts():
            part = np.ascontiguousarray(row[first:last])
            same = part.astype(dtype) if dtype in _NARROW else part.view(dtype)
            leaves.append(same.reshape(shape))
        return jax.tree.unflatten(self._form, leaves)

    def _parts(self) -> list[tuple[int, int, tuple[tuple[int, ...], np.dtype]]]:
        return list(zip(self._places[:-1], self._places[1:], self._leaves, strict=True))


def packings(game: Game) -> tuple[Packing, Packing]:
    """Return how states and observations of a game are packed."""
    state = jax.eval_shape(game.init, jax.ShapeDtypeStruct((2,), jnp.uint32))
    seen = jax.eval_shape(game.observe, state, jax.ShapeDtypeStruct((), jnp.int32))
    return Packing(state), Packing(seen)


def _as_words(leaf: jax.Array) -> jax.Array:
    if np.dtype(leaf.dtype) in _NARROW:
        return leaf.astype(jnp.uint32)
    return jax.lax.bitcast_convert_type(leaf, jnp.uint32)


def _from_words(words: jax.Array, dtype: np.dtype) -> jax.Array:
    if dtype in _NARROW:
        return words.astype(dtype)
    return jax.lax.bitcast_convert_type(words, dtype)
