"""How a deal began: the deck, the dealer, and what else decides it."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import CardSet, Deck


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
    card = jnp.arange(deck.num_cards, dtype=jnp.int32)
    order = card + deck.num_cards * len(blocks)
    for number, block in enumerate(blocks):
        order = jnp.where(block.mask(), card + deck.num_cards * number, order)
    # Comparisons of all with all: they are vectors over the deals of a batch, and a sort is not.
    place = (order[None, :] < order[:, None]).sum(axis=1)
    return jnp.where(place[None, :] == card[:, None], card[None, :], 0).sum(axis=1).astype(jnp.int32)


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
