"""Uniform sampling of hidden cards by classes of equal columns: up to three holders and 34 cards.

Cards with equal columns of the matrix (which holder may have which card) form a class. Call the holders
A, B and C, and let A be the smallest. Once the numbers of cards of the classes AB, AC and ABC that go
to A are fixed, the rest is a free choice between B and C. So a table over two numbers counts all deals
(`_class_table`), and a walk over the cards splits the classes (`_split`). Each count is a product of
binomials, held exactly in two uint32 words: outside x64 mode JAX lacks uint64, and float32 would round
these counts.

Deviation from uniform, for T consistent deals: the counts are exact, so only the finite random words
matter. The probability of each deal is 1 / T up to a factor within 1 ± (2**-18 + T / 2**64), where T <
2**38 in Jass. (A card is placed among d * p equal parts of 2**32, d and p at most the number of cards
still to place; 1² + ... + 34² < 2**14. The table's entry is chosen by 64 bits.)
"""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxcards.determinize.situation import Situation, Words, count_cards, union
from jaxcards.xla.leaves import tied
from jaxcards.xla.prng import high_word, scaled

_MAX_HOLDERS = 3
_MAX_CARDS = 34  # C(34, 17) < 2**32 < C(35, 17): one uint32 holds every binomial

# Rows of 64 entries, so that indices wrap by a mask.
_SIDE = 64
_PASCAL = np.zeros((_SIDE, _SIDE), np.uint32)
for _n in range(_MAX_CARDS + 1):
    _PASCAL[_n, : _n + 1] = [math.comb(_n, _k) for _k in range(_n + 1)]


def applies(situation: Situation) -> bool:
    """Return whether this method can count the deals of a situation."""
    return len(situation.allowed) <= _MAX_HOLDERS and situation.max_hidden <= _MAX_CARDS


class _ClassTable(NamedTuple):
    """The number of deals for each way to give cards of the classes AB and AC to A."""

    entries: tuple[np.ndarray, np.ndarray]  # cards of AB and of AC that A takes
    order: tuple[int, ...]  # which holder is A, B, C; holders past the last have no cards
    words: tuple[Words, Words, Words]  # what A, B, C may have
    counts: tuple[jax.Array, jax.Array, jax.Array, jax.Array]  # cards in classes AB, AC, ABC, BC
    places: tuple[jax.Array, jax.Array]  # places of A and B that forced cards leave free
    high: jax.Array  # uint32[entries]; running totals, high word
    low: jax.Array  # uint32[entries]; low word
    feasible: jax.Array  # bool; no holder has fewer places than cards that only it may have


def _entries(max_size: int) -> tuple[np.ndarray, np.ndarray]:
    """All (cards of AB for A, cards of AC for A) that a holder of `max_size` cards can have."""
    pairs = [(i, j) for i in range(max_size + 1) for j in range(max_size + 1 - i)]
    first, second = np.array(pairs, np.int32).T
    return first, second


def _choose(n: jax.Array, k: jax.Array) -> jax.Array:
    """Binomials by look-up, 0 for k < 0 and for k > n; n up to 34, uint32.

    Indices wrap modulo 64, so they stay in bounds. A negative n or a k below n - 64 reads a wrong
    entry; in `_class_table` another factor of the same product is then 0.
    """
    side = _SIDE - 1
    flat = jnp.asarray(_PASCAL.reshape(-1))
    return flat.at[(n & side) * _SIDE + (k & side)].get(mode="promise_in_bounds")


def _class_table(situation: Situation) -> _ClassTable:
    """Count by class: A takes i, j, t cards of AB, AC, ABC, and B its share of what A leaves."""
    # Fill up to three holders with empty ones, which may have no card.
    nobody = tuple(jnp.uint32(0) for _ in situation.allowed[0])
    missing = _MAX_HOLDERS - len(situation.allowed)
    holders = (*situation.allowed, *(nobody,) * missing)
    sizes = (*situation.sizes, *(jnp.int32(0),) * missing)
    most = (*situation.max_sizes, *(0,) * missing)
    # A is the holder with the fewest places, so the table has the fewest entries.
    order = tuple(sorted(range(_MAX_HOLDERS), key=lambda holder: most[holder]))
    a, b, c = words = holders[order[0]], holders[order[1]], holders[order[2]]

    def cards(column: tuple[bool, bool, bool]) -> jax.Array:
        """Return the size of the class of cards that A, B, C may have as `column` says."""
        parts = [tuple(w if may else ~w for w in word) for word, may in zip(words, column, strict=True)]
        # At least one of the three is not inverted, so the unused bits of a word stay 0.
        return count_cards(tuple(x & y & z for x, y, z in zip(*parts, strict=True)))

    ab, ac = cards((True, True, False)), cards((True, False, True))
    abc, bc = cards((True, True, True)), cards((False, True, True))
    # Places left after the cards that only this holder may have.
    free_a = sizes[order[0]] - cards((True, False, False))
    free_b = sizes[order[1]] - cards((False, True, False))
    free_c = sizes[order[2]] - cards((False, False, True))

    entries = _entries(most[order[0]])

    # A loop, because XLA:CPU computes the products again for each output of a cumulative sum:
    # four times slower.
    def add(running: tuple, entry: tuple) -> tuple[tuple, tuple]:
        high, low = running
        i, j = entry
        # A takes t cards of ABC. B gets the rest of AB, then cards of the pool: BC and the rest of ABC.
        t = free_a - i - j
        # The first product is at most C(ab + ac + abc, free_a), so it fits in one word.
        first = _choose(ab, i) * _choose(ac, j) * _choose(abc, t)
        second = _choose(bc + abc - t, free_b - ab + i)
        product = first * second
        # Addition of 64 bits: the low word has overflowed if it is below its addend.
        low = low + product
        high = high + high_word(first, second) + (low < product).astype(jnp.uint32)
        return (high, low), (high, low)

    nothing = tied((jnp.uint32(0), jnp.uint32(0)), ab)
    xs = tuple(jnp.asarray(x) for x in entries)
    _, (high, low) = lax.scan(add, nothing, xs)
    feasible = (free_a >= 0) & (free_b >= 0) & (free_c >= 0)
    return _ClassTable(
        entries,
        order,
        (a, b, c),
        (ab, ac, abc, bc),
        (free_a, free_b),
        high,
        low,
        feasible,
    )


def _below(bits: tuple[jax.Array, jax.Array], bound: tuple[jax.Array, jax.Array]) -> Words:
    """floor(bits * bound / 2**64), a uniform integer below `bound`; pairs are (high, low) words."""
    # Long multiplication by digits of 32 bits; of `column`, the second digit, only the carry is used.
    (x1, x0), (y1, y0) = bits, bound
    column = high_word(x0, y0)
    carry = jnp.uint32(0)
    for term in (x1 * y0, x0 * y1):
        column += term
        carry += (column < term).astype(jnp.uint32)
    low, high = x1 * y1, high_word(x1, y1)
    for term in (high_word(x1, y0), high_word(x0, y1), carry):
        low += term
        high += (low < term).astype(jnp.uint32)
    return high, low


def count(situation: Situation) -> jax.Array:
    """Return the number of deals, float32, given that the sizes add up to the cards."""
    table = _class_table(situation)
    high, low = table.high[-1], table.low[-1]
    deals = high.astype(jnp.float32) * jnp.float32(2**32) + low.astype(jnp.float32)
    return jnp.where(table.feasible, deals, jnp.float32(0))


def sample(key: jax.Array, situation: Situation) -> tuple[Words, ...]:
    """Draw an entry of the table, then split the classes card by card."""
    # The entry: how many cards of AB and of AC go to A, in proportion to the deals.
    table = _class_table(situation)
    shape = (situation.cards_per_word, len(situation.allowed[0]))
    # Two words for the entry, and one for each card.
    random = jax.random.bits(key, (2 + math.prod(shape),), jnp.uint32)
    high, low = _below((random[0], random[1]), (table.high[-1], table.low[-1]))
    # The entries whose running total does not exceed the number drawn; the next one is chosen.
    passed = (table.high < high) | ((table.high == high) & (table.low <= low))
    entry = jnp.sum(passed, dtype=jnp.int32)
    i, j = (jnp.asarray(x)[entry] for x in table.entries)
    # The remaining choices: which cards of each class, and the pool of B and C.
    ab, ac, abc, bc = table.counts
    t = table.places[0] - i - j
    # B and C share the cards of BC, and those of ABC that A leaves.
    pool = bc + abc - t
    left = _bytes(ab, ac, abc, pool)
    quota = _bytes(i, j, t, table.places[1] - ab + i)
    split = _split(random[2:].reshape(shape), table.words, left, quota)
    # From A, B and C back to the order of the holders.
    return tuple(split[table.order.index(holder)] for holder in range(len(situation.allowed)))


def _bytes(*numbers: jax.Array) -> jax.Array:
    """Four numbers below 256 in one word, the first lowest: one value instead of four in a loop."""
    packed = (number.astype(jnp.uint32) << (8 * place) for place, number in enumerate(numbers))
    return sum(packed, jnp.uint32(0))


def _split(
    random: jax.Array, words: tuple[Words, Words, Words], left: jax.Array, quota: jax.Array
) -> tuple[Words, Words, Words]:
    """Walk over the cards; each goes to a holder with probability quota / left of its class.

    All splits of a class are then equally likely. The bytes of `left` and `quota` are for classes AB,
    AC and ABC (left: cards of the class not yet seen; quota: how many of them A still gets). The last
    byte is for the pool of cards that are free between B and C (quota: B's). One random word a card
    decides twice. The high word of its product with `left` decides for A. The low word, which is evenly
    spread given the high one, decides between B and C.
    """
    a, b, c = words

    def step(carry: tuple, xs: tuple) -> tuple[tuple, None]:
        left, quota, for_a, for_b = carry
        bits, place = xs
        for_a, for_b = list(for_a), list(for_b)
        # Card `place` of every word; each has random bits of its own.
        for w in range(len(a)):
            in_a, in_b, in_c = ((x[w] >> place) & 1 for x in (a, b, c))
            # A, or not: A gets quota out of left cards of the class, and all cards that only A may
            # have.
            in_class = in_a & (in_b | in_c)
            # Byte of the class in `left` and `quota`: bit 0 for AB, 8 for AC, 16 for ABC.
            shift = (in_c << 3) << (in_b & in_c)
            # For a card outside the three classes, 1 leaves the whole random word to B and C.
            parts = jnp.where(in_class == 1, (left >> shift) & 255, 1)
            position, rest = scaled(bits[w], parts), bits[w] * parts
            chosen = (position < ((quota >> shift) & 255)).astype(jnp.uint32)
            to_a = in_a & (chosen | (1 ^ in_class))
            # B or C: B gets quota out of left cards of the pool, and all cards that C may not have.
            in_pool = in_b & in_c & ~to_a
            chosen = (scaled(rest, left >> 24) < (quota >> 24)).astype(jnp.uint32)
            to_b = in_b & ~to_a & (chosen | (1 ^ in_c))
            # The card has been seen: in its class and, if A does not get it, in the pool.
            left = left - (in_class << shift) - (in_pool << 24)
            quota = quota - ((in_class & to_a) << shift) - ((in_pool & to_b) << 24)
            for_a[w] |= to_a << place
            for_b[w] |= to_b << place
        return (left, quota, tuple(for_a), tuple(for_b)), None

    nothing = tied(tuple(jnp.zeros_like(x) for x in a), left)
    places = jnp.arange(random.shape[0], dtype=jnp.uint32)
    # Unrolled, so that values stay in registers between cards.
    carry, _ = lax.scan(step, (left, quota, nothing, nothing), (random, places), unroll=True)
    _, _, for_a, for_b = carry
    # C gets the rest.
    for_c = tuple(u & ~x & ~y for u, x, y in zip(union(words), for_a, for_b, strict=True))
    return for_a, for_b, for_c
