"""The order in which `jaxcards.determinize.blocks` fills holders, and how large its tables are.

All of this is static: known when a program is compiled.
"""

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_AT_ONCE = 124  # terms of a sum; XLA:CPU compiles longer sums to much slower programs


class Plan(NamedTuple):
    """The blocks, and limits that hold for all situations and bound the tables.

    Attributes:
      blocks: holders by block, at most two in the first and in the last, else one.
      largest: for each class the most cards that it can have; the last class is the `implied` one,
        whose cards follow from the others'.
      most: for each holder and class, the most cards of the class that it can have.
      max_sizes: for each holder, the most cards that it can have.
    """

    blocks: tuple[tuple[int, ...], ...]
    largest: tuple[int, ...]
    most: tuple[tuple[int, ...], ...]
    max_sizes: tuple[int, ...]

    @property
    def layered(self) -> bool:
        """True if a holder lies between the first and the last block."""
        return len(self.blocks) > 2

    def grid(self, block: int) -> tuple[int, ...]:
        """Return the shape of a table over the cards left of the explicit classes, from a block on."""
        behind = list(itertools.chain(*self.blocks[block:]))
        pairs = enumerate(self.largest[:-1])
        # The blocks behind bound the cards left of a class.
        return tuple(min(n, sum(self.most[h][c] for h in behind)) + 1 for c, n in pairs)

    def taken(self, holder: int) -> tuple[int, ...]:
        """Return, by explicit class, the most cards that a holder can take of the classes up to it."""
        together = itertools.accumulate(self.most[holder][:-1])
        return tuple(min(n, self.max_sizes[holder]) for n in together)

    def cost(self, holder: int) -> int:
        """Return the products for each entry of a layer of a holder, if it takes class by class."""
        taken = (0, *self.taken(holder))
        return sum((m + 1) * (n + 1) for m, n in zip(self.most[holder], taken, strict=True))

    def choices(self, holder: int) -> list[list[tuple[int, ...]]]:
        """Return all numbers of cards that a holder can take of the explicit classes, as tuples.

        Returns:
          For each number of cards of the first class, a list of tuples. The list is empty if a program
          with this number of tuples would be too large.
        """
        # Count before listing: ways[n] tuples have n cards of the explicit classes after the first.
        ways = [1]
        # One more class with up to m cards: sums over a window of m + 1 entries.
        for m in self.most[holder][1:-1]:
            sums = [sum(ways[max(0, n - m) : n + 1]) for n in range(len(ways) + m)]
            ways = sums[: self.max_sizes[holder] + 1]
        if sum(ways) > _AT_ONCE:
            return []
        most, others = self.most[holder][0], self.most[holder][1:-1]
        free = self.max_sizes[holder]
        return [[(n, *rest) for rest in _up_to(others, free - n)] for n in range(min(most, free) + 1)]

    def cells(self) -> int:
        """Return the number of entries of the largest table of a situation."""
        found = [1]
        for block in range(1, len(self.blocks)):
            shape = self.grid(block)
            found.append(math.prod(shape))
            # A holder that takes class by class adds an axis to a slab: the cards taken.
            holder = self.blocks[block][0]
            if block < len(self.blocks) - 1 and not self.choices(holder):
                found.append(math.prod(shape[1:]) * (self.taken(holder)[-1] + 1))
        return max(found)

    def shares(self, c: int) -> np.ndarray:
        """Return the factors of numbers of ways with 0, 1, … cards left of a class: float64[largest +
        1].
        """
        largest = self.largest[c]
        if len(self.blocks) <= 2:
            return np.ones(largest + 1)
        # Numbers of ways grow with n, at most like holders**n. Put half of this range on each side of
        # 1. For 64 cards and 7 holders all entries then lie between e**-80 and e**65, in the range of
        # float32.
        rate = max(largest, 1) / (math.e * math.sqrt(len(self.most)))
        return np.array([rate**n / math.factorial(n) for n in range(largest + 1)])


def _up_to(limits: Sequence[int], total: int) -> list[tuple[int, ...]]:
    """Return all tuples of numbers up to `limits` whose sum is at most `total`."""
    if not limits:
        return [()]
    numbers = range(min(limits[0], total) + 1)
    return [(n, *rest) for n in numbers for rest in _up_to(limits[1:], total - n)]


def arrange(costs: Sequence[int], bounded: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Return the blocks that minimise the cost of the holders in between.

    Args:
      costs: the cost of each holder if it is in between.
      bounded: holders that cannot be one of two in a block.
    """
    # The last block: the two most expensive holders that can be a pair, else the most expensive one.
    order = sorted(range(len(costs)), key=lambda holder: costs[holder])
    free = [holder for holder in order if holder not in bounded]
    last = tuple(free[-2:]) if len(free) >= 2 else (order[-1],)
    rest = [holder for holder in order if holder not in last]
    if not rest:
        return (last,)
    # The first block: another such pair, or the most expensive holder if that saves more.
    pair = tuple(holder for holder in rest if holder not in bounded)[-2:]
    together = sum(costs[holder] for holder in pair)
    first = pair if len(pair) == 2 and together > costs[rest[-1]] else (rest[-1],)
    between = [(holder,) for holder in rest if holder not in first]
    return (first, *between, last)
