"""Tricks: the strength of cards, the winning card, and sets from which legal cards are built.

The module is independent of games. A game gives every card a suit, a strength and points. It may move
cards between suits beforehand (the left bower of Euchre, the trumps of Sheepshead). Each game writes
its legal sets with the set operations of `CardSet`, from the few sets below.
"""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.sets import NO_SUIT, CardSet, Deck
from jaxcards.xla.bitfields import Layout
from jaxcards.xla.lookup import lookup
from jaxcards.xla.pytrees import pytree

TRUMP = 16  # added to the strength of a trump, so that every trump beats every plain card


@dataclasses.dataclass(frozen=True)
class RankOrder:
    """An order of the ranks of a suit, such as the trump order of Jass "678TQKA9J".

    Attributes:
      ranks: the deck's ranks, in index order.
      low_to_high: the same ranks, weakest first.
    """

    ranks: str
    low_to_high: str

    def __post_init__(self) -> None:
        if sorted(self.ranks) != sorted(self.low_to_high):
            raise ValueError(f"{self.low_to_high!r} is not an order of the ranks {self.ranks!r}")

    @property
    def strengths(self) -> list[int]:
        """The strength of each rank, in index order: 1 for the weakest, and so on."""
        return [self.low_to_high.index(rank) + 1 for rank in self.ranks]

    @property
    def above(self) -> list[int]:
        """For each strength from 0, which is below every rank: the ranks above it, bit r for rank r."""
        table = []
        # Entry b: all ranks stronger than the b weakest ones.
        for beaten in range(len(self.ranks) + 1):
            above = self.low_to_high[beaten:]
            table.append(sum(1 << i for i, rank in enumerate(self.ranks) if rank in above))
        return table

    def strength(self, rank: jax.Array) -> jax.Array:
        """Return the strength of a rank: uint32 scalar."""
        return lookup(self.strengths, rank)

    def to_strength(self, ranks: jax.Array, suits: int = 1) -> jax.Array:
        """Return a set of ranks in order of strength: uint32, bit 0 for the weakest rank.

        Args:
          ranks: uint32 scalar, bit r for rank r; or a word of several suits side by side.
          suits: static, the number of suits in the word.
        """
        return self._moved(ranks, [self.ranks.index(rank) for rank in self.low_to_high], suits)

    def to_ranks(self, strengths: jax.Array, suits: int = 1) -> jax.Array:
        """Return the set of ranks of a set from `to_strength`: uint32, bit r for rank r."""
        return self._moved(strengths, [self.low_to_high.index(rank) for rank in self.ranks], suits)

    def _moved(self, bits: jax.Array, sources: list[int], suits: int) -> jax.Array:
        # Bit 0 of every suit in the word; one shift then moves a rank of all suits together.
        lowest = jnp.uint32(sum(1 << (len(self.ranks) * suit) for suit in range(suits)))
        moved = jnp.uint32(0)
        for target, source in enumerate(sources):
            # The bit at `source` of every suit moves to `target` of the same suit.
            moved = moved | ((bits >> source) & lowest) << target
        return moved

    def stronger(self, strength: jax.Array) -> jax.Array:
        """Return the ranks above a strength, bit r for rank r: uint32 scalar.

        Args:
          strength: uint32 scalar; 0 is below every rank.
        """
        return lookup(self.above, strength)


@pytree
class Trick(NamedTuple):
    """The part of the cards on the table that the rules need.

    Attributes:
      led: uint32, the suit that was led; `NO_SUIT` while the table is empty.
      best: uint32, the strength of the winning card; 0 while the table is empty.
      winner: uint32, the seat that played it.
      points: uint32, the points of the cards on the table.
    """

    led: jax.Array
    best: jax.Array
    winner: jax.Array
    points: jax.Array


# The word of a trick is below 2**30 for up to 2**19 points.
# Suits up to `NO_SUIT` = 7 take 3 bits, strengths up to `TRUMP` + 15 take 5, eight seats take 3.
_LAYOUT = Layout(Trick, led=3, best=5, winner=3, points=19)
pack, unpack = _LAYOUT.pack, _LAYOUT.unpack

# The suit led is in the lowest bits, and all other fields of an empty table are 0.
EMPTY_TABLE = NO_SUIT  # the word of an empty trick


def lead_suit(trick: Trick, suit: jax.Array) -> jax.Array:
    """Return the suit to follow once a card of `suit` lies on the table."""
    return jnp.where(trick.led == NO_SUIT, suit, trick.led)


def add_card(
    trick: Trick, seat: jax.Array, suit: jax.Array, strength: jax.Array, points: jax.Array
) -> Trick:
    """Return the trick with one more card.

    Args:
      trick: the cards so far.
      seat: uint32, the player of the card.
      suit: uint32, its suit for the purpose of following.
      strength: uint32, comparable among trumps and cards of the led suit; 0 for any other card.
      points: uint32, its card points.
    """
    # The first card always wins, because `best` is 0 on an empty table.
    # A discard has strength 0 and never wins.
    wins = strength > trick.best
    return Trick(
        led=lead_suit(trick, suit),
        best=jnp.where(wins, strength, trick.best),
        winner=jnp.where(wins, seat, trick.winner),
        points=trick.points + points,
    )


def stronger_trumps(deck: Deck, order: RankOrder, trump: jax.Array, best: jax.Array) -> CardSet:
    """Return the trumps that beat every trump on the table.

    Args:
      order: the trump order.
      trump: uint32 trump suit, or `NO_SUIT`.
      best: strength of the winning card, `TRUMP` + strength in `order` if it is a trump.
    """
    # Use JAX: NumPy warns if an unsigned number goes below 0.
    # While a plain card wins, every trump beats it.
    beaten = jnp.where(best > TRUMP, jnp.subtract(best, TRUMP), 0)
    return CardSet.in_suit(deck, trump, order.stronger(beaten))
