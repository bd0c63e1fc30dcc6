"""Uniform sampling of hidden cards whose classes are known beforehand, such as the suits.

For `jaxcards.determinize`, which checks the arguments; see there for what holders and deals are.
Where all that is known of hidden cards speaks of whole suits (Rikiki: who is out of which suit), it
is enough to settle how many cards of each suit every holder has; which ones is then a free choice.
Layer h of the table says in how many ways holders h, h + 1, ... can be filled when so many cards of
each class are left; one layer follows from the next by a product with a matrix of binomials for each
class. A walk over the holders draws the numbers, a walk over the cards splits each class.

Cost: one float32 for each holder and each combination of cards left in all classes but the largest,
so 11 KB a holder for four suits of 13, whatever the size of the hands; a layer costs 1.6 million
multiplications there. The table over free places (`jaxcards.determinize_by_card`) is cheaper for up
to three hands of few cards, and impossible for six.

Exactness: float32; all numbers are positive and only multiplied and added, so that nothing cancels.
Each layer is scaled to a largest entry of 1, which changes no choice. With C classes of up to n cards
and H holders, no set of deals has a probability that is off by more than H * C * (n + 4) * 2**-23
(2**-14 for 52 cards and 7 holders).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxcards import prng
from jaxcards.determinize_by_card import Words


class Classes(NamedTuple):
    """The hidden cards by class.

    Attributes:
      cards: for each class its hidden cards.
      largest: for each class the most cards that it can have, static.
      may: bool[H, C], whether the holder may have cards of the class.
      least: int32[H, C], the number of cards of the class that the holder has at least.
    """

    cards: tuple[Words, ...]
    largest: tuple[int, ...]
    may: jax.Array
    least: jax.Array


class _Table(NamedTuple):
    """Layers over the cards left of all classes but the `implied` one, which has the rest.

    Attributes:
      order: classes, the implied one last.
      steps: for each holder and each class in this order, float32[n + 1, n + 1]: in how many ways the
        holder can leave j of i cards.
      layers: for each holder, float32 of the ways in which it and those behind it can be filled.
      left: for each holder, int32, the cards that are left before it is filled.
      log2: int32, how often the first layer has been halved by scaling.
    """

    order: tuple[int, ...]
    steps: tuple[tuple[jax.Array, ...], ...]
    layers: tuple[jax.Array, ...]
    left: tuple[jax.Array, ...]
    log2: jax.Array


def _steps(classes: Classes, order: Sequence[int]) -> list[list[jax.Array]]:
    """Returns for each holder and class in how many ways j of i cards can be left: `_Table.steps`."""
    holders = classes.may.shape[0]
    matrices = []
    for c in order:
        n = classes.largest[c] + 1
        taken = np.arange(n)[:, None] - np.arange(n)[None, :]
        ways = [[math.comb(i, j) if j <= i else 0 for j in range(n)] for i in range(n)]
        enough = jnp.asarray(taken) >= classes.least[:, c][:, None, None]
        possible = jnp.where(classes.may[:, c][:, None, None], jnp.asarray(taken >= 0), taken == 0)
        matrices.append(jnp.where(enough & possible, jnp.asarray(ways, jnp.float32), 0))
    return [[matrix[h] for matrix in matrices] for h in range(holders)]


def _table(classes: Classes, sizes: Sequence[jax.Array]) -> _Table:
    """Fills the layers from the last holder to the first."""
    implied = max(range(len(classes.largest)), key=lambda c: classes.largest[c])
    order = (*(c for c in range(len(classes.largest)) if c != implied), implied)
    steps = _steps(classes, order)
    explicit = [classes.largest[c] + 1 for c in order[:-1]]
    rest = classes.largest[implied] + 1
    # Cards left in all explicit classes together, for each entry of a layer.
    together = _together(explicit)
    within = jnp.ones(explicit, bool)  # no more cards than the class has
    for axis, c in enumerate(order[:-1]):
        shape = [-1 if a == axis else 1 for a in range(len(explicit))]
        within &= jnp.arange(explicit[axis]).reshape(shape) <= _count(classes.cards[c])
    left = [jnp.int32(0)]
    for size in reversed(sizes):
        left.insert(0, left[0] + size)
    layers: list[jax.Array] = []
    log2 = jnp.int32(0)
    for h in reversed(range(len(sizes))):
        if not layers:  # the last holder takes what is left: a product of columns
            whole = jnp.ones((*explicit, 1), jnp.float32)
            for axis, matrix in enumerate(steps[h][:-1]):
                shape = [-1 if a == axis else 1 for a in range(whole.ndim)]
                whole = whole * matrix[:, 0].reshape(shape)
        else:
            # The implied class becomes an axis of its own, on which every entry has one place.
            place = left[h + 1] - together
            whole = jnp.where(jnp.arange(rest) == place[..., None], layers[0][..., None], 0)
            for axis, matrix in enumerate(steps[h][:-1]):
                product = jnp.tensordot(matrix, whole, ((1,), (axis,)), precision=lax.Precision.HIGHEST)
                whole = jnp.moveaxis(product, 0, axis)
        place = left[h] - together
        columns = slice(None) if layers else slice(1)
        rows = steps[h][-1][jnp.clip(place, 0, rest - 1), columns]
        layer = jnp.where((place >= 0) & (place < rest), (whole * rows).sum(-1), 0)
        layer = jnp.where(within, layer, 0)
        _, exponent = jnp.frexp(layer.max())
        layer = jnp.ldexp(layer, -exponent)
        log2 = log2 + exponent.astype(jnp.int32)
        layers.insert(0, layer)
    return _Table(order, tuple(map(tuple, steps)), tuple(layers), tuple(left), log2)


def _together(shape: Sequence[int]) -> jax.Array:
    """Returns int32 of a shape, each entry the sum of its indices."""
    return jnp.asarray(np.indices(shape).sum(0), jnp.int32)


def _count(words: Words) -> jax.Array:
    return sum((lax.population_count(word) for word in words), jnp.uint32(0)).astype(jnp.int32)


def count(classes: Classes, sizes: Sequence[jax.Array]) -> jax.Array:
    """Returns the number of deals: float32, infinite from 2**128; 0 where there is none."""
    table = _table(classes, sizes)
    numbers = [_count(classes.cards[c]) for c in table.order]
    complete = sum(numbers, jnp.int32(0)) == table.left[0]
    feasible = complete & jnp.stack([size >= 0 for size in sizes]).all()
    ways = jnp.ldexp(table.layers[0][tuple(numbers[:-1])], table.log2)
    return jnp.where(feasible, ways, 0)


def sample(key: jax.Array, classes: Classes, sizes: Sequence[jax.Array]) -> tuple[Words, ...]:
    """Draws how many cards of each class every holder has, then which ones."""
    table = _table(classes, sizes)
    holders, number = len(sizes), len(table.order)
    words = prng.key_words(key)
    left = [_count(classes.cards[c]) for c in table.order]
    taken = []
    for h in range(holders):
        if h == holders - 1:
            taken.append(left)
            break
        following = _draw(words, h * number, table, h, left)
        taken.append([before - after for before, after in zip(left, following, strict=True)])
        left = following
    quotas = jnp.stack([jnp.stack(numbers) for numbers in taken])  # [H, C in table order]
    return _split(words, holders * number, [classes.cards[c] for c in table.order], quotas)


def _draw(
    words: prng.KeyWords, counter: int, table: _Table, holder: int, left: Sequence[jax.Array]
) -> list[jax.Array]:
    """Draws how many cards of each class are left behind a holder: int32 each."""
    later, steps = table.layers[holder + 1], table.steps[holder]
    rows = [matrix[number] for matrix, number in zip(steps, left, strict=True)]
    rest = rows[-1].shape[0]
    place = table.left[holder + 1] - _together(later.shape)
    last = jnp.where((place >= 0) & (place < rest), rows[-1][jnp.clip(place, 0, rest - 1)], 0)
    # Sums over the classes from the last to the first, then choices from the first to the last.
    sums = [later * last]
    for row in reversed(rows[1:-1]):
        sums.insert(0, (sums[0] * row).sum(-1))
    chosen: list[jax.Array] = []
    for axis in range(later.ndim):
        weights = rows[axis] * sums[axis][tuple(chosen)]
        running = jnp.cumsum(weights)
        bits = prng.random_word(words, counter + axis) >> 8
        mark = bits.astype(jnp.float32) * jnp.float32(2**-24) * running[-1]
        number = jnp.sum(running <= mark, dtype=jnp.int32)
        # The largest entry with any weight: rounding may put the mark on the very end.
        largest = jnp.max(jnp.where(weights > 0, jnp.arange(weights.shape[0]), 0))
        chosen.append(jnp.minimum(number, largest).astype(jnp.int32))
    implied = table.left[holder + 1] - sum(chosen, jnp.int32(0))
    return [*chosen, implied]


def _split(
    words: prng.KeyWords, counter: int, cards: Sequence[Words], quotas: jax.Array
) -> tuple[Words, ...]:
    """Walks over the cards; each goes to a holder in proportion to what it still gets of the class."""
    holders, num_words = quotas.shape[0], len(cards[0])

    def step(quotas: jax.Array, place: jax.Array) -> tuple[jax.Array, jax.Array]:
        owned = []
        for w in range(num_words):
            inside = jnp.stack([(word[w] >> place) & 1 for word in cards]).astype(jnp.int32)
            free = (quotas * inside).sum(1)
            passed = jnp.cumsum(free)
            word = prng.random_word(words, counter + w + num_words * place)
            drawn = prng.below(word, passed[-1].astype(jnp.uint32), 64).astype(jnp.int32)
            owner = jnp.sum(passed <= drawn, dtype=jnp.int32)
            gets = (jnp.arange(holders) == owner) & (passed[-1] > 0)
            quotas = quotas - gets[:, None] * inside
            owned.append(gets.astype(jnp.uint32) << place)
        return quotas, jnp.stack(owned)

    _, bits = lax.scan(step, quotas, jnp.arange(32, dtype=jnp.uint32))
    packed = bits.sum(0, dtype=jnp.uint32)  # [words, H]
    return tuple(tuple(packed[w, h] for w in range(num_words)) for h in range(holders))
