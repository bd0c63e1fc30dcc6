"""Several numbers packed into one word: a state has fewer leaves, and one fence holds all of them."""

from typing import Generic, NamedTuple, TypeVar

import jax

ValuesT = TypeVar("ValuesT", bound=NamedTuple)


class Layout(Generic[ValuesT]):
    """The places of the fields of a `NamedTuple` in a word, the first field in the lowest bits."""

    def __init__(self, fields: type[ValuesT], **widths: int) -> None:
        """Make a layout.

        Args:
          fields: the `NamedTuple`, of uint32 scalars below 2**width.
          widths: bits of each field, in order. The last field gets all remaining bits; its width is
            ignored.
        """
        assert tuple(widths) == fields._fields
        self.fields, self.widths = fields, list(widths.values())

    def pack(self, values: ValuesT) -> jax.Array:
        """Return a uint32 word that packs the values."""
        # From the last value to the first, so that the first ends in the lowest bits.
        word = values[-1]
        for value, bits in zip(values[-2::-1], self.widths[-2::-1], strict=True):
            word = word << bits | value
        return word

    def unpack(self, word: jax.Array) -> ValuesT:
        """Return the values that `pack` put into a word."""
        values, start = [], 0
        # The last value takes all remaining bits, so it needs no mask.
        for bits in self.widths[:-1]:
            values.append(_read(word, start, bits))
            start += bits
        return self.fields._make([*values, word >> start])


def bits_of(word: str, start: int, width: int) -> property:
    """Return a property that reads some bits of a word of its object: uint32.

    Args:
      word: the name of the attribute with the word.
      start: the lowest bit.
      width: how many bits.
    """
    return property(lambda owner: _read(getattr(owner, word), start, width))


def _read(word: jax.Array, start: int, width: int) -> jax.Array:
    return (word >> start if start else word) & ((1 << width) - 1)
