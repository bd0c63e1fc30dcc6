"""Binary features: written side by side into uint32 words, and unpacked for a network.

A position of a card game is a few hundred yes-or-no facts. In a replay buffer they take 60 bytes as
words and 2 kB as floats. They become floats inside the network's first layer.
"""

import dataclasses
from collections.abc import Sequence
from typing import Literal

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import CardSet
from jaxcards.xla.tracing import traced_once


@dataclasses.dataclass(frozen=True)
class Feature:
    """A named run of bits.

    Attributes:
      name: meaning of the bits; unique within a game.
      size: number of bits.
      levels: for a feature made of thresholds, the threshold of each bit; else None.
      of: whether the bits are those of the deck's cards, or the first ones those of its suits; "" if
        they are of something else.
    """

    name: str
    size: int
    levels: tuple[int, ...] | None = None
    of: Literal["", "cards", "suits"] = ""

    def bit_names(self) -> list[str]:
        """Return a unique name for every bit; it means the same in all games with this feature."""
        if self.levels is not None:
            return [f"{self.name} >= {level}" for level in self.levels]
        return [f"{self.name} [{number}]" for number in range(self.size)]


class BitWriter:
    """Collect features of known sizes; `words` packs them without gaps."""

    def __init__(self) -> None:
        self.features: list[Feature] = []
        self._words: list[jax.Array] = []
        self._size = 0

    @property
    def size(self) -> int:
        """Number of bits so far."""
        return self._size

    def words(self) -> list[jax.Array]:
        """Return ceil(size / 32) uint32 scalars: feature i is bit i % 32 of word i // 32."""
        return list(self._words)

    def bits(
        self, name: str, value: jax.Array, size: int, of: Literal["", "cards", "suits"] = ""
    ) -> None:
        """Add the lowest `size` bits, at most 32, of a value whose other bits are 0.

        Args:
          name, size, of: see `Feature`.
          value: an integer scalar.
        """
        if size > 32:
            raise ValueError(f"feature {name!r} has {size} bits; a word has 32")
        self._put(value.astype(jnp.uint32), size)
        self.features.append(Feature(name, size, of=of))

    def flag(self, name: str, value: jax.Array) -> None:
        """Add a Boolean."""
        self.bits(name, value, 1)

    def cards(self, name: str, cards: CardSet) -> None:
        """Add a bit for each card of the deck, in order."""
        for word in cards.words:
            # The unused high bits of a word are 0 and take no room: the words join without a gap.
            self._put(word, cards.deck.word_bits)
        self.features.append(Feature(name, cards.deck.num_cards, of="cards"))

    def one_hot(
        self, name: str, index: jax.Array, size: int, of: Literal["", "cards", "suits"] = ""
    ) -> None:
        """Add `size` bits and set bit `index`; an index outside the range sets no bit."""
        index = index.astype(jnp.uint32)
        # Without the comparison, an index of 32 or more would wrap into the word.
        bit = jnp.where(index < size, jnp.uint32(1) << (index & 31), 0)
        self.bits(name, bit, size, of)

    def levels(self, name: str, value: jax.Array, levels: Sequence[int]) -> None:
        """Add a bit for each level: whether the value reaches the level."""
        # A word of 32 levels at a time.
        for start in range(0, len(levels), 32):
            part = tuple(levels[start : start + 32])
            self._put(_reached(value, part), len(part))
        self.features.append(Feature(name, len(levels), tuple(levels)))

    def _put(self, value: jax.Array, size: int) -> None:
        start = self._size % 32
        if start == 0:
            self._words.append(value)
        else:
            # Bits that are shifted out of the word here are written below.
            self._words[-1] = self._words[-1] | value << start
            # The feature crosses a word boundary: its high bits start the next word.
            if start + size > 32:
                self._words.append(value >> (32 - start))
        self._size += size


@traced_once(static_argnums=(1,))
def _reached(value: jax.Array, levels: tuple[int, ...]) -> jax.Array:
    """Return a word with a bit for each level that a value reaches."""
    word, value = jnp.uint32(0), value.astype(jnp.int32)
    for i, level in enumerate(levels):
        word = word | (value >= level).astype(jnp.uint32) << i
    return word


def unpack(words: jax.Array, size: int, dtype: jnp.dtype = jnp.float32) -> jax.Array:
    """Return features as numbers.

    Args:
      words: uint32[..., ceil(size / 32)].
      size: number of features.
      dtype: type of the result.

    Returns:
      dtype[..., size], of 0 and 1.
    """
    # places: uint32[1, …, 32], the bit positions within a word.
    places = jnp.arange(32, dtype=jnp.uint32).reshape((1,) * words.ndim + (32,))
    bits = (words[..., None] >> places) & 1
    # Join the words to one axis and drop the unused bits of the last one.
    return bits.reshape(*words.shape[:-1], -1)[..., :size].astype(dtype)
