"""The opening of a deal: the deck, the dealer, and the other facts that determine it."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards.sets import CardSet, Deck, select
from jaxcards.errors import UserError
from jaxcards.xla.lowest import lowest_bit
from jaxcards.xla.pytrees import pytree


@pytree
class Opening(NamedTuple):
    """The facts that determine a deal: the arguments of `Game.init_from_deck`.

    Attributes:
      deck: int32[num_cards], a permutation of the cards.
      dealer: int32, the seat that deals.
      facts: the other arguments by name, such as `totals`: int32 scalars or vectors.
    """

    deck: jax.Array
    dealer: jax.Array
    facts: Mapping[str, jax.Array]


@dataclasses.dataclass(frozen=True)
class Fact:
    """The allowed values of a fact of an opening.

    Attributes:
      lowest, highest: the range of each number.
      size: how many numbers the fact has; None for a scalar.
      default: the number that a single deal has, repeated `size` times.
      drawn: the fact comes from chance, as the cards do; else it follows from earlier deals.
      equal_from: numbers of this size or larger must all be equal; None without such a rule. A match
        that continues after a tie has such totals.
    """

    lowest: int
    highest: int
    size: int | None = None
    default: int = 0
    drawn: bool = False
    equal_from: int | None = None

    def check(self, name: str, value: Any) -> None:
        """Raise `UserError` if a value of a fact is outside its range. Traced values pass."""
        leaves = jax.tree.leaves(value)
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return
        # Scalars and vectors alike become one flat list of numbers.
        numbers = np.concatenate([np.ravel(leaf) for leaf in leaves]).tolist()
        for number in numbers:
            if not self.lowest <= number <= self.highest:
                raise UserError(f"{name} must be from {self.lowest} to {self.highest}, not {number}")
        self.check_equal(name, numbers)

    def check_equal(self, name: str, numbers: Sequence[int]) -> None:
        """Raise `UserError` if numbers differ that `equal_from` requires to be equal."""
        if self.equal_from is not None and max(numbers) >= self.equal_from and len(set(numbers)) > 1:
            raise UserError(
                f"{name} of {self.equal_from} or more must be equal, or the match would be over, not "
                f"{', '.join(map(str, numbers))}"
            )


def deck_of(deck: Deck, blocks: Sequence[CardSet], sizes: Sequence[int] | None) -> jax.Array:
    """Return a deck whose consecutive blocks are given sets; the inverse of `dealing.from_deck`.

    Cards ascend within a block. Cards outside all blocks come last.

    Args:
      deck: the pack.
      blocks: disjoint sets, in the order of the deck.
      sizes: how many cards each block has; None if unknown at compile time, which makes compiling
        slower. With None, a block may be empty only if all later blocks and the rest are empty.

    Returns:
      int32[num_cards], a permutation of the cards.
    """
    # The cards outside all blocks form the last block.
    rest = CardSet.of(deck, range(deck.num_cards))
    for block in blocks:
        rest = rest - block
    if sizes is None:
        # One loop over all blocks finds out at run time where each of them ends.
        return _in_order((*blocks, rest), deck.num_cards).astype(jnp.int32)
    whole = zip((*blocks, rest), (*sizes, deck.num_cards - sum(sizes)), strict=True)
    cards = [_in_order((block,), size) for block, size in whole]
    return jnp.concatenate(cards).astype(jnp.int32)


def _in_order(blocks: tuple[CardSet, ...], number: int) -> jax.Array:
    """Return the cards of the first block, of the second, …: uint8[number]."""

    def take(left: tuple[CardSet, ...], _: None) -> tuple[tuple[CardSet, ...], jax.Array]:
        # left: the blocks that still have cards, the current one first.
        card, after = _lowest(left[0])
        left = (after, *left[1:])
        # Once the first block is empty, shift the others forward by one.
        following = zip(left, left[1:], strict=False)
        moved = [select(after.any(), block, then) for block, then in following]
        return (*moved, left[-1]), card

    # A loop of short steps on words: comparing all pairs took dozens of times as long.
    return jax.lax.scan(take, blocks, length=number, unroll=2)[1]


def _lowest(cards: CardSet) -> tuple[jax.Array, CardSet]:
    """Return the lowest card of a set, uint8, and the remaining cards."""
    # Scan the words from the lowest until one is not empty, and clear its lowest bit.
    card, found, left = jnp.uint32(0), jnp.zeros((), bool), []
    for number, word in enumerate(cards.words):
        here, holds = ~found, word != 0
        # A single bit less 1 has a one in every lower place: their number is the position.
        below = jax.lax.population_count(lowest_bit(word) - 1)
        card = jnp.where(here & holds, cards.deck.word_bits * number + below, card)
        left.append(jnp.where(here, word & (word - 1), word))
        found = found | holds
    return card.astype(jnp.uint8), CardSet(cards.deck, left)


def opening(
    deck: Deck,
    blocks: Sequence[CardSet],
    dealer: Any,
    *,
    sizes: Sequence[int] | None,
    **facts: Any,
) -> Opening:
    """Return the opening of a deal from its blocks (see `deck_of`) and its facts.

    A tuple of scalars becomes a vector.
    """
    numbers = {
        name: jnp.stack([jnp.asarray(part).astype(jnp.int32) for part in value])
        if isinstance(value, tuple)
        else jnp.asarray(value).astype(jnp.int32)
        for name, value in facts.items()
    }
    return Opening(deck_of(deck, blocks, sizes), jnp.asarray(dealer).astype(jnp.int32), numbers)
