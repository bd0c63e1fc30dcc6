"""Count, or draw, the numbers of cards of each class that every block of holders gets, in batches.

The algorithm of `by_suit`; `situation` defines holders, classes and deals. Holders stand in a row of
*blocks*, which `plan` chooses. Two phases:

1. Backward, from the last block to the second: a *layer* has, for each combination of cards left, the
   number of ways to give them to this block and those behind it. Its axes are the cards left of the
   *explicit* classes; those of the last class, the *implied* one, follow.
2. Forward, from the first block: draw the cards that a block leaves, in proportion to its own ways
   times the entry of the next layer. The last block gets the rest.

A block of two holders A and B needs no sum. A takes all cards of the block that B may not have. The
rest of its hand comes from the cards that both may have, which is one binomial. Only the first and the
last block can be pairs. A single holder in between costs, for every entry, a sum over all cards that it
may take. So four holders need no sums, and five need those of one layer. A holder with bounds is free
as the first block.

A layer holds the number of ways divided by r! for each class with r cards left, times a constant for
each card (`Plan.shares`). The weight of a holder's cards is then independent of the cards left. A layer
is a sum of shifted copies of the next layer. The batch is the last axis of all arrays: one instruction
handles a register full of situations.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxcards.determinize.plan import Plan
from jaxcards.determinize.slabs import WIDTH, Slabs, along, binomial, column, stack, to_rank
from jaxcards.xla import prng
from jaxcards.xla.leaves import tied


class Situations(NamedTuple):
    """The constraints of each of B situations.

    Attributes:
      counts: int32[C, B], hidden cards of each class.
      may: bool[H, C, B], whether the holder may have cards of the class.
      least: int32[H, C, B], the minimum number of cards of the class for the holder; 0 for a holder in
        a block of two.
      sizes: int32[H, B], the number of hidden cards of each holder.
    """

    counts: jax.Array
    may: jax.Array
    least: jax.Array
    sizes: jax.Array


def _taken_at_once(
    choices: list[list[tuple[int, ...]]], rows: list[jax.Array]
) -> Callable[[jax.Array], list[jax.Array]]:
    """Return a function that spreads a slab of the next layer over slabs of a holder's own layer.

    Args:
      choices: for each number of cards of the first class, the combinations that a holder can take of
        all explicit classes.
      rows: for each class, factors by the number of cards taken; of the implied class, by the number
        taken of all others.

    Returns:
      A function from slab i to a list: item n is the addend of slab i + n, for n cards taken of the
      first class.
    """
    # weights: for each number of cards of the first class, float32[choices, B].
    weights = []
    for group in choices:
        # The factor of the implied class depends on the number of all explicit cards taken.
        product = rows[-1][np.array([sum(choice) for choice in group])]
        for c, row in enumerate(rows[:-1]):
            product = product * row[np.array([choice[c] for choice in group])]
        weights.append(product)

    def tables(ways: jax.Array) -> list[jax.Array]:
        # Pad with zeros in front, so that a copy shifted by the cards taken is a slice.
        most = [row.shape[0] - 1 for row in rows[1:-1]]
        padded = lax.pad(ways, jnp.float32(0), [*((m, 0, 0) for m in most), (0, 0, 0)])
        # For each number taken of the first class, the weighted sum of the shifted copies.
        found = []
        for group, weight in zip(choices, weights, strict=True):
            total = jnp.zeros_like(ways)
            for number, choice in enumerate(group):
                # Entry r of the copy is entry r - n of the slab: n of the r cards left are taken now.
                window = [
                    slice(m - n, m - n + size)
                    for m, n, size in zip(most, choice[1:], ways.shape, strict=False)
                ]
                total = total + to_rank(weight[number], ways) * padded[tuple(window)]
            found.append(total)
        return found

    return tables


def _taken_by_class(
    taken: tuple[int, ...], rows: list[jax.Array]
) -> Callable[[jax.Array], list[jax.Array]]:
    """Do the same as `_taken_at_once` for many choices, by summing over one class at a time.

    Args:
      taken: for each explicit class, the most cards that the holder can take of those up to it.
      rows: as in `_taken_at_once`.
    """

    def tables(ways: jax.Array) -> list[jax.Array]:
        # Add a first axis: the cards taken of the remaining classes, at this point all explicit ones.
        table = ways[None] * along(rows[-1], 0, ways.ndim)
        # Class by class from the last: for n cards of class c, shift its axis and the first axis by n.
        for c in reversed(range(1, len(taken))):
            # kept: numbers of cards taken of the classes before c; most: the most cards of class c.
            kept, most, size = taken[c - 1] + 1, rows[c].shape[0] - 1, table.shape[c]
            edges = [(0, 0, 0)] * table.ndim
            edges[0], edges[c] = (0, max(0, kept + most - table.shape[0]), 0), (most, 0, 0)
            padded = lax.pad(table, jnp.float32(0), edges)
            table = jnp.zeros((kept, *table.shape[1:]), jnp.float32)
            for n in range(most + 1):
                window = [slice(None)] * table.ndim
                window[0], window[c] = slice(n, n + kept), slice(most - n, most - n + size)
                table = table + to_rank(rows[c][n], table) * padded[tuple(window)]
        # The first axis now counts the cards of the first class alone: one addend for each number.
        parts = zip(rows[0][: taken[0] + 1], table, strict=True)
        return [to_rank(row, ways) * part for row, part in parts]

    return tables


def _choose(weights: jax.Array, word: jax.Array) -> jax.Array:
    """Draw an index in proportion to float32[n, B] weights by uint32[B] random words: int32[B]."""
    # running: float32[n, B]; the mark is a uniform point below the last sum, from 24 random bits.
    running = jnp.cumsum(weights, axis=0)
    mark = (word >> 8).astype(jnp.float32) * jnp.float32(2**-24) * running[-1]
    number = jnp.sum(running <= mark[None], axis=0, dtype=jnp.int32)
    # Stop at the last index with a weight: rounding may make the mark equal to the sum of all weights.
    indices = jnp.arange(weights.shape[0], dtype=jnp.int32)[:, None]
    return jnp.minimum(number, jnp.max(jnp.where(weights > 0, indices, 0), axis=0))


class _Chain:
    """The layers of a plan for B situations, and the draws from them.

    `left` has int32[B] for each block: the cards that it gets together with all blocks behind it.
    """

    def __init__(self, plan: Plan, known: Situations) -> None:
        self.plan, self.known = plan, known
        sizes = [sum(known.sizes[h] for h in block) for block in plan.blocks]
        nobody = jnp.zeros_like(known.sizes[0])
        # A block gets its cards together with those behind it; the last entry is 0.
        self.left = [sum(sizes[j:], nobody) for j in range(len(sizes) + 1)]
        self.layers = self._layers()

    def _takes(self, block: int, c: int, number: jax.Array) -> jax.Array:
        """Return whether a block may take `number` cards of class c: bool."""
        may, least = self.known.may, self.known.least
        holders = self.plan.blocks[block]
        # A pair may take a class if either holder may.
        possible = may[holders[0], c] | may[holders[-1], c]
        bound = least[holders[0], c] if len(holders) == 1 else jnp.int32(0)
        bound, possible = to_rank(bound, number), to_rank(possible, number)
        # A class that the block may not have allows 0 cards; a negative number is always refused.
        return (number >= jnp.maximum(bound, 0)) & (possible | (number == 0))

    def _shared(self, block: int) -> tuple[jax.Array, jax.Array]:
        """Return a pair's index into `binomial`: int32[B] for no cards, int32[C, B] more for each card.

        The index is that of (n, k): the first holder gets k of the n cards that both may have.
        """
        a, b = self.plan.blocks[block]
        may = self.known.may.astype(jnp.int32)
        # A card for both raises n by one; a card that only the first may have lowers k by one.
        return self.known.sizes[a], may[a] * may[b] * WIDTH - may[a] * (1 - may[b])

    def ways_to_share(self, block: int, taken: jax.Array) -> jax.Array:
        """Return the number of ways to share int32[C, B] cards among a block's holders: float32[B]."""
        classes = range(len(self.plan.largest))
        fits = jnp.stack([self._takes(block, c, taken[c]) for c in classes]).all(0)
        if len(self.plan.blocks[block]) == 1:
            return fits.astype(jnp.float32)
        start, steps = self._shared(block)
        # The first holder of the pair chooses among the cards that both may have.
        return jnp.where(fits, binomial(start + (steps * taken).sum(0, dtype=jnp.int32)), 0)

    def _slabs(self, block: int, left_to: int, before: jax.Array | None = None) -> Slabs:
        """Return the ways for one block, over the cards r left for the blocks from `left_to` on.

        Without `before`, the block is the last and takes the r cards: the entries are those of a layer.
        With int32[C, B] `before`, the block takes the rest, `before` - r. The entries times those of
        the next layer are then numbers of ways.
        """
        plan, shape = self.plan, self.plan.grid(left_to)
        # Rows: for each class, a factor that depends on r of this class only.
        rows = []
        for c, largest in enumerate(plan.largest):
            if c < len(shape):
                r = jnp.arange(shape[c], dtype=jnp.int32)[:, None]
            else:  # the implied class, by the cards left of all others together
                r = jnp.arange(sum(shape) - len(shape) + 1, dtype=jnp.int32)[:, None]
                # All cards left less the explicit ones: int32[sum, B].
                r = jnp.expand_dims(self.left[left_to], 0) - r
            if before is None:
                rows.append(self._share(block, c, r))
                continue
            inside = jnp.clip(r, 0, largest)
            shares = plan.shares(c)
            # The binomial chooses which of the cards found are left.
            ways = binomial(before[c][None] * WIDTH + inside)
            # Undo the share in the next layer's entry, up to the constant `shares[-1]`.
            ways = ways * jnp.asarray(shares[-1] / shares, jnp.float32)[inside]
            # Entries with a clipped number or with cards that the block may not take have no ways.
            rows.append(jnp.where(self._takes(block, c, before[c][None] - r) & (r == inside), ways, 0))
        # Places: for a pair, the index; `left` and the other classes give the implied class's cards.
        places = None
        if len(plan.blocks[block]) == 2:
            start, steps = self._shared(block)
            if before is not None:
                # The block takes `before` - r: start from all cards, and step back for each card left.
                start, steps = start + (steps * before).sum(0, dtype=jnp.int32), -steps
            # The implied class has `left` less the other classes: its step is taken off each of theirs.
            start = start + steps[-1] * self.left[left_to]
            places = [
                (steps[c] - steps[-1])[None] * jnp.arange(n, dtype=jnp.int32)[:, None]
                for c, n in enumerate(shape)
            ]
            # The constant part of the index goes with the first class.
            places[0] = places[0] + start[None]
        return Slabs(shape, rows, places)

    def _layers(self) -> dict[int, Slabs | jax.Array]:
        """Return the layer of each block after the first: the ways to fill it and those behind it."""
        final = len(self.plan.blocks) - 1
        if not final:
            return {}
        slabs = self._slabs(final, final)
        # With two blocks the draws read the factors, and the table is not stored.
        if not self.plan.layered:
            return {final: slabs}
        layers: dict[int, Slabs | jax.Array] = {}
        layers[final] = layer = stack(slabs)
        for block in reversed(range(1, final)):
            layers[block] = layer = self._layer(block, layer)
        return layers

    def _layer(self, block: int, later: jax.Array) -> jax.Array:
        """Return the layer of a block of one holder, from the next layer.

        Slab i of the next layer adds to slabs i, i + 1, … of this one, for 0, 1, … cards of the first
        class. Slab i is then complete; those after it are the carry.
        """
        plan, (holder,) = self.plan, self.plan.blocks[block]
        shape, most, taken = plan.grid(block), plan.most[holder], plan.taken(holder)
        # Rows: for each class, a factor by the number of cards that the holder takes of it.
        counts = [jnp.arange(m + 1, dtype=jnp.int32)[:, None] for m in most[:-1]]
        rows = [self._share(block, c, number) for c, number in enumerate(counts)]
        # Cards of the implied class, by the number taken of all explicit ones: int32[sum, B].
        number = self.known.sizes[holder][None] - jnp.arange(taken[-1] + 1, dtype=jnp.int32)[:, None]
        rows.append(self._share(block, len(shape), number))
        # Few choices become one long sum; many are summed class by class, in a smaller program.
        choices = plan.choices(holder)
        tables = _taken_at_once(choices, rows) if choices else _taken_by_class(taken, rows)
        # More cards can be left here than for the next block: extend the next layer by zeros.
        edges = [(0, n - size, 0) for n, size in zip(shape, later.shape, strict=False)]
        later = lax.pad(later, jnp.float32(0), [*edges, (0, 0, 0)])

        def slab(waiting: list[jax.Array], ways: jax.Array) -> tuple[list[jax.Array], jax.Array]:
            # waiting[n]: what the slabs so far have added to slab i + n.
            total = [x + y for x, y in zip(waiting, tables(ways), strict=True)]
            return [*total[1:], jnp.zeros_like(ways)], total[0]

        return lax.scan(slab, [jnp.zeros_like(later[0])] * (taken[0] + 1), later)[1]

    def _share(self, block: int, c: int, number: jax.Array) -> jax.Array:
        """Return the factor of a layer's entry if a block takes `number` cards of class c, else 0."""
        # Beyond the table the factor is 0, not that of the nearest entry.
        inside = jnp.clip(number, 0, self.plan.largest[c])
        share = jnp.asarray(self.plan.shares(c), jnp.float32)[inside]
        return jnp.where(self._takes(block, c, number) & (number == inside), share, 0)

    def sums(self, block: int, before: jax.Array) -> tuple[Slabs, list[jax.Array]]:
        """Return the ways to fill a block and those behind it with int32[C, B] cards, in two forms.

        The first form is the table of the block's own ways over the cards that it leaves. The second
        has the sums of this table times the next layer: over the first axis, over the first two, … over
        all.
        """
        mine, later = self._slabs(block, block + 1, before), self.layers[block + 1]

        def add(total: jax.Array, first: jax.Array) -> tuple[jax.Array, None]:
            behind = later(first) if isinstance(later, Slabs) else later[first]
            return total + mine(first) * behind, None

        # Sum the first class slab by slab, so that the whole product is never stored.
        nothing = jnp.zeros((*mine.shape[1:], before.shape[-1]), jnp.float32)
        nothing = tied(nothing, before[0, 0])
        total, _ = lax.scan(add, nothing, jnp.arange(mine.shape[0], dtype=jnp.int32))
        # sums[k] is summed over the first k + 1 classes.
        sums = [total]
        # Until only the axis of the batch is left.
        while sums[-1].ndim > 1:
            sums.append(sums[-1].sum(0))
        return mine, sums

    def draw(self, block: int, before: jax.Array, random: prng.KeyWords, counter: int) -> jax.Array:
        """Draw the number of cards of each class that a block leaves of int32[C, B]: int32[C, B]."""
        mine, sums = self.sums(block, before)
        later = self.layers[block + 1]
        # From the last explicit class to the first, given those drawn before.
        chosen: list[jax.Array] = []  # of the last explicit classes
        for step in range(len(mine.shape)):
            word = prng.random_word(random, counter + step)
            if step < len(mine.shape) - 1:
                # This sum still has the axes of this class and of the classes drawn already.
                weights = column(sums[-2 - step], chosen)
            else:  # recompute one column: storing the whole table costs more
                behind = later.column(chosen) if isinstance(later, Slabs) else column(later, chosen)
                weights = mine.column(chosen) * behind
            chosen.insert(0, _choose(weights, word))
        # The implied class makes up the number of cards left.
        implied = self.left[block + 1] - sum(chosen, jnp.zeros_like(before[0]))
        return jnp.stack([*chosen, implied])


def count(plan: Plan, known: Situations) -> jax.Array:
    """Return the number of deals of situations whose sizes fit: float32[B], infinite from 2**128."""
    chain = _Chain(plan, known)
    if len(plan.blocks) == 1:
        return chain.ways_to_share(0, known.counts)
    ways = chain.sums(0, known.counts)[1][-1]
    # Undo the constants of `Plan.shares`.
    for c in range(len(plan.largest)):
        ways = ways * jnp.float32(1 / plan.shares(c)[-1])
    # Only plans with layers have factors that are not whole numbers.
    return jnp.round(ways) if plan.layered else ways


def draw(plan: Plan, known: Situations, random: prng.KeyWords) -> jax.Array:
    """Draw the number of cards of each class that every block gets: int32[blocks, C, B].

    Uses the first C * blocks random words, for C classes.
    """
    chain = _Chain(plan, known)
    left, taken = known.counts, []
    # The last block gets the rest and needs no draw.
    for block in range(len(plan.blocks) - 1):
        rest = chain.draw(block, left, random, block * len(plan.largest))
        taken.append(left - rest)
        left = rest
    return jnp.stack([*taken, left])
