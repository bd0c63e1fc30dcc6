"""How a deal began: the deck, the dealer, and what else decides it."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import CardSet, Deck, select


class Opening(NamedTuple):
    """What decides a deal: the arguments of `Game.init_from_deck`.

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
    """What values a fact of an opening may have.

    Attributes:
      lowest, highest: the range of a number of it.
      size: how many numbers it has; None for a single one.
      default: the number that a deal by itself has, repeated `size` times.
      drawn: the fact comes from chance, as the cards do; else it follows from the deals before.
    """

    lowest: int
    highest: int
    size: int | None = None
    default: int = 0
    drawn: bool = False


def deck_of(deck: Deck, blocks: Sequence[CardSet]) -> jax.Array:
    """Returns a deck whose consecutive blocks are given sets; the inverse of `dealing.from_deck`.

    Inside of a block cards ascend, and cards of no block come last.

    Args:
      deck: the pack.
      blocks: disjoint sets, in the order of the deck.

    Returns:
      int32[num_cards], a permutation of the cards.
    """
    rest = CardSet.of(deck, range(deck.num_cards))
    for block in blocks:
        rest = rest - block

    def take(left: tuple[CardSet, ...], _: None) -> tuple[tuple[CardSet, ...], jax.Array]:
        """Takes the lowest card of the first block that has one."""
        *earlier, first = left
        for block in reversed(earlier):
            first = select(block.any(), block, first)
        card, found, taken = jnp.int32(0), jnp.zeros((), bool), []
        for number, word in enumerate(first.words):
            lowest = jnp.where(found, 0, word & (~word + 1))
            here = deck.word_bits * number + jax.lax.population_count(lowest - 1).astype(jnp.int32)
            card, found = jnp.where(lowest != 0, here, card), found | (lowest != 0)
            taken.append(lowest)
        return tuple(block - CardSet(deck, taken) for block in left), card

    # A loop of few steps on words: comparisons of all with all took eight times as long.
    return jax.lax.scan(take, (*blocks, rest), length=deck.num_cards)[1]


def opening(deck: Deck, blocks: Sequence[CardSet], dealer: Any, **facts: Any) -> Opening:
    """Returns the opening of a deal: its blocks of cards, in the order of the deck, and its facts.

    A fact that is a tuple of scalars becomes a vector.
    """
    numbers = {
        name: jnp.stack([jnp.asarray(part).astype(jnp.int32) for part in value])
        if isinstance(value, tuple)
        else jnp.asarray(value).astype(jnp.int32)
        for name, value in facts.items()
    }
    return Opening(deck_of(deck, blocks), jnp.asarray(dealer).astype(jnp.int32), numbers)
