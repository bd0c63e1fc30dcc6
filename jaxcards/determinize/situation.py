"""A player's knowledge of the hidden cards: which holder may have which, and how many it has.

A *holder* is a place that hides cards: another seat, the talon, the discards. A *deal* gives every
hidden card to one holder that may have it, and every holder its number of cards. A *class* is a set of
hidden cards for which every holder may have all or none. `Situation.of` checks a situation, so the
methods need not.
"""

import dataclasses
import functools
import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jax import lax

from jaxcards.errors import UserError

MAX_HOLDERS = 6
MAX_HOLDERS_WITH_CLASSES = 7
_MAX_CLASSES = 8

Words = tuple[jax.Array, ...]
"""A set of cards: uint32 scalars; card c is bit `c % n` of word `c // n`, n = cards a word."""


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["cards", "may", "least"],
    meta_fields=["largest", "bounded", "most"],
)
@dataclasses.dataclass(frozen=True)
class Classes:
    """The hidden cards by class, and the constraints of each holder.

    Attributes:
      cards: for each class its hidden cards.
      largest: for each class the most cards that it can have, static.
      may: bool[H, C], whether the holder may have cards of the class.
      least: int32[H, C], the minimum number of cards of the class for the holder.
      bounded: the holders whose `least` may be larger than 0, static.
      most: for each holder and class the most cards of the class that the holder can have, static.
    """

    cards: tuple[Words, ...]
    largest: tuple[int, ...]
    may: jax.Array
    least: jax.Array
    bounded: frozenset[int]
    most: tuple[tuple[int, ...], ...]


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["allowed", "sizes", "classes"],
    meta_fields=["num_cards", "max_sizes"],
)
@dataclasses.dataclass(frozen=True)
class Situation:
    """Hidden cards and their holders, a pytree. `Situation.of` makes one, and checks it.

    Attributes:
      allowed: for each holder the cards it may have.
      sizes: for each holder how many hidden cards it has: int32.
      num_cards: cards of the deck, static. With W words, each word has `ceil(num_cards / W)` bits.
      max_sizes: for each holder the most cards that it can have, static.
      classes: the cards by class, where they are known beforehand, else None.
    """

    allowed: tuple[Words, ...]
    sizes: tuple[jax.Array, ...]
    num_cards: int
    max_sizes: tuple[int, ...]
    classes: Classes | None

    @classmethod
    def of(
        cls,
        allowed: Sequence[Sequence[jax.Array]],
        sizes: Sequence[jax.Array | int],
        num_cards: int,
        *,
        max_size: int | Sequence[int],
        classes: Sequence[Sequence[jax.Array]] | None = None,
        class_sizes: Sequence[int] = (),
        least: Sequence[Sequence[jax.Array | int]] | None = None,
        most: Sequence[Sequence[int]] | None = None,
    ) -> "Situation":
        """Return a situation.

        Args:
          allowed: for each of the 1 to 6 holders the cards it may have, as uint32 scalar words; with
            `classes` there may be 7 holders.
          sizes: int32 scalars, how many hidden cards each holder has.
          num_cards: static; cards of the deck.
          max_size: static; the most that any holder can have, or one number for each holder (a
            talon may be larger than a hand). Tighter is faster.
          classes: disjoint sets that together are all hidden cards, such as the unseen cards of each
            suit. Every holder may have all cards of a class, or none.
          class_sizes: static; the most cards that each class can have.
          least: int32 for each holder and class, how many cards of the class it has at least; needs
            `classes`. None stands for 0. A holder whose numbers are all the Python int 0 is cheaper.
            One holder with other numbers costs little, several cost much.
          most: static; for each holder and class, the most cards of the class that the holder can have,
            if `max_size` and `class_sizes` are too loose; needs `classes`. Tighter is faster.

        Raises:
          UserError: if static arguments contradict each other.
        """
        holders = len(allowed)
        largest = MAX_HOLDERS if classes is None else MAX_HOLDERS_WITH_CLASSES
        if not 1 <= holders <= largest:
            raise UserError(f"{holders} holders of hidden cards; allowed are 1 to {largest}")
        if len(sizes) != holders:
            raise UserError(f"{len(sizes)} sizes for {holders} holders; one size a holder is needed")
        num_words = len(allowed[0])
        if any(len(words) != num_words for words in (*allowed, *(classes or ()))) or not num_words:
            raise UserError("sets with different numbers of words; all need the same, at least one")
        if not 1 <= num_cards <= 32 * num_words:
            raise UserError(
                f"{num_cards} cards in {num_words} words; allowed are 1 to {32 * num_words}"
            )
        max_sizes = _most_cards(max_size, holders, num_cards)
        hidden = min(num_cards, sum(max_sizes))
        # holders ** hidden bounds the number of deals, which must stay finite in float32.
        if classes is None and hidden * math.log2(holders) >= 128:
            raise UserError(f"{hidden} hidden cards for {holders} holders; their deals exceed 2**128")
        may_have = tuple(tuple(jnp.asarray(w, jnp.uint32) for w in words) for words in allowed)
        known = None
        if classes is not None:
            known = _classes(may_have, num_cards, max_sizes, classes, class_sizes, least, most)
        else:
            for name, bounds in (("least", least), ("most", most)):
                if bounds is not None:
                    raise UserError(f"{name}= needs classes=: say which cards are counted together")
            # Clear the unused bits of each word.
            mask = jnp.uint32(2 ** -(-num_cards // num_words) - 1)
            may_have = tuple(tuple(word & mask for word in words) for words in may_have)
        own_sizes = tuple(jnp.asarray(size, jnp.int32) for size in sizes)
        return cls(may_have, own_sizes, num_cards, max_sizes, known)

    @property
    def cards_per_word(self) -> int:
        """Bits used in each word."""
        return -(-self.num_cards // len(self.allowed[0]))

    @property
    def max_hidden(self) -> int:
        """The most cards that can be hidden."""
        return min(self.num_cards, sum(self.max_sizes))


def _most_cards(max_size: int | Sequence[int], holders: int, num_cards: int) -> tuple[int, ...]:
    """Return the most cards of each holder, checked."""
    found = (max_size,) * holders if isinstance(max_size, int) else tuple(max_size)
    if len(found) != holders or min(found) < 0:
        raise UserError(f"max_size {max_size} for {holders} holders; one number >= 0, or one each")
    return tuple(min(number, num_cards) for number in found)


def _classes(
    allowed: Sequence[Words],
    num_cards: int,
    max_sizes: Sequence[int],
    classes: Sequence[Sequence[jax.Array]],
    class_sizes: Sequence[int],
    least: Sequence[Sequence[jax.Array | int]] | None,
    most: Sequence[Sequence[int]] | None,
) -> Classes:
    """Return the classes, checked as far as they are static; arguments as for `Situation.of`."""
    holders, number = len(allowed), len(classes)
    if not 1 <= number <= _MAX_CLASSES or len(class_sizes) != number or min(class_sizes) < 0:
        raise UserError(
            f"{number} classes of sizes {class_sizes}; 1 to {_MAX_CLASSES}, with one size >= 0 each"
        )
    for name, rows in (("least", least), ("most", most)):
        if rows is not None and [len(row) for row in rows] != [number] * holders:
            raise UserError(
                f"{name}= needs a number for each of {holders} holders and {number} classes"
            )
    cards = tuple(tuple(jnp.asarray(w, jnp.uint32) for w in words) for words in classes)
    # A holder may have all cards of a class or none, so one common card decides.
    may = [
        [count_cards(tuple(a & w for a, w in zip(words, inside, strict=True))) > 0 for inside in cards]
        for words in allowed
    ]
    bounds = [[0] * number] * holders if least is None else least
    limits = [[num_cards] * number] * holders if most is None else most
    return Classes(
        cards,
        tuple(min(int(size), num_cards) for size in class_sizes),
        jnp.stack([jnp.stack(row) for row in may]),
        jnp.stack([jnp.stack([jnp.asarray(x, jnp.int32) for x in row]) for row in bounds]),
        # A row of Python zeros sets no bounds; a traced number may turn out to be one.
        frozenset(h for h, row in enumerate(bounds) if not all(_is_zero(x) for x in row)),
        # The limit cannot exceed the class or the holder's own size.
        tuple(
            tuple(max(0, min(m, int(size), own)) for m, size in zip(row, class_sizes, strict=True))
            for row, own in zip(limits, max_sizes, strict=True)
        ),
    )


def _is_zero(number: jax.Array | int) -> bool:
    return isinstance(number, int) and number == 0


def count_cards(words: Words) -> jax.Array:
    """Return the number of cards in a set: int32."""
    return sum((lax.population_count(w) for w in words), jnp.uint32(0)).astype(jnp.int32)


def union(sets: Sequence[Words]) -> Words:
    """Return the cards of all sets."""
    united = sets[0]
    for words in sets[1:]:
        united = tuple(x | y for x, y in zip(united, words, strict=True))
    return united
