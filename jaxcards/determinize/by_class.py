"""Exactly uniform sampling of hidden cards under a matrix of what each holder may have.

A *holder* is a place that hides cards: another seat, the talon, the discards. What a player knows
says which holder may have which card, and how many hidden cards each holder has. A *deal* gives
every hidden card to one holder that may have it, in the right numbers. `sample_hidden` draws one
deal, all of them equally likely, without rejection; `count_deals` counts them. Both are pure
functions of one situation (batch with `jax.vmap`), know no game, and have fixed loop counts.

Static arguments choose between three methods:

* Up to three holders and 34 cards (Jass, Belote and most others). Cards with equal columns of the
  matrix form a class. Call the holders A, B and C, and let A be the smallest. When it is settled
  how many cards of the classes AB, AC and ABC go to A, the rest is a free choice between B and
  C; so a table over two numbers counts all deals (`_class_table`), and a walk over the cards
  splits the classes (`_split`). Each count is a product of binomials, held exactly in two uint32
  words: outside x64 mode there is no uint64, and float32 would round these counts.
* With `classes`, how many cards of each class every holder has, in float32: two holders at the start
  and two at the end are counted by binomials, each other one by a table over the cards left of each
  class (`jaxcards.determinize.by_suit`): for up to seven holders whose constraints speak of whole
  suits, and for holders that must have a card of a class (the declarer who called for it).
* Otherwise a table over the free places of all holders but one, card by card, in float32
  (`jaxcards.determinize.by_card`). Both state what they cost and how exact they are.

How far the first method is from uniform, for T consistent deals: the counts are exact, only the
finite random words remain; the probability of each single deal is 1 / T up to a factor within
1 ± (2**-18 + T / 2**64), where T < 2**38 in Jass. (A card is placed among d * p equal parts of
2**32, d and p at most the number of cards still to place; 1² + ... + 34² < 2**14. The table's
entry is chosen by 64 bits.)
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxcards.determinize import by_card, by_suit
from jaxcards.determinize.by_card import Words
from jaxcards.determinize.by_suit import most_cards
from jaxcards.errors import UserError
from jaxcards.xla.products import high_word, scaled

MAX_HOLDERS = 6  # 7 with `classes`
_MAX_CLASS_HOLDERS = 3
_MAX_CLASS_CARDS = 34  # C(34, 17) < 2**32 < C(35, 17): one uint32 holds every binomial

_SIDE = 64
_PASCAL = np.zeros((_SIDE, _SIDE), np.uint32)
for _n in range(_MAX_CLASS_CARDS + 1):
    _PASCAL[_n, : _n + 1] = [math.comb(_n, _k) for _k in range(_n + 1)]


def sample_hidden(
    key: jax.Array,
    allowed: Sequence[Sequence[jax.Array]],
    sizes: Sequence[jax.Array | int],
    num_cards: int,
    *,
    max_size: int | Sequence[int],
    classes: Sequence[Sequence[jax.Array]] | None = None,
    class_sizes: Sequence[int] = (),
    least: Sequence[Sequence[jax.Array | int]] | None = None,
    most: Sequence[Sequence[int]] | None = None,
) -> tuple[Words, ...]:
    """One deal of the hidden cards, uniform over all deals that `allowed` and `sizes` admit.

    Args:
      key: a JAX key, typed or raw uint32[2].
      allowed: for each of the 1 to 6 holders the cards it may have, as uint32 scalar words.
      sizes: int32 scalars, how many hidden cards each holder has.
      num_cards: static; cards of the deck. With W words, each word has `ceil(num_cards / W)` bits.
      max_size: static; the most that any holder can have, or one number for each holder (a
        talon may be larger than a hand). Tighter is faster.
      classes: disjoint sets that hold all hidden cards, inside of each of which every holder may have
        all cards or none, such as the unseen cards of each suit; chooses the method that needs it.
      class_sizes: static; the most cards that each class can have.
      least: int32 for each holder and class, how many cards of the class it has at least; needs
        `classes`. None stands for 0. Holders whose numbers are all the Python int 0 cost less than
        others, of which one is cheap and more are not.
      most: static; for each holder and class, the most cards of the class that the holder can have,
        where `max_size` and `class_sizes` do not say it; needs `classes`. Tighter is faster.

    Returns:
      For each holder its cards, as words like those of `allowed`.

    At least one deal must exist, thus `sum(sizes)` must be the number of cards in the union of
    `allowed`, and no size may exceed `max_size`; otherwise the result has no meaning. Static
    arguments that do not fit together raise UserError.
    """
    if classes is not None:
        return by_suit.sample(
            key,
            *by_suit.known(
                allowed, sizes, num_cards, max_size, classes, class_sizes, least, most
            ),
        )
    _no_bounds(least, most)
    problem = _problem(allowed, sizes, num_cards, max_size)
    return (_sample_by_class if problem.by_class else _sample_by_card)(key, problem)


def count_deals(
    allowed: Sequence[Sequence[jax.Array]],
    sizes: Sequence[jax.Array | int],
    num_cards: int,
    *,
    max_size: int | Sequence[int],
    classes: Sequence[Sequence[jax.Array]] | None = None,
    class_sizes: Sequence[int] = (),
    least: Sequence[Sequence[jax.Array | int]] | None = None,
    most: Sequence[Sequence[int]] | None = None,
) -> jax.Array:
    """How many deals `allowed` and `sizes` admit, float32 scalar; 0 where there is none.

    Arguments as for `sample_hidden`, but a deal need not exist. Exact below 2**24; otherwise
    the relative error is below 2**-23 with up to 3 holders and 34 cards, and below
    N * H * 2**-24 for N cards and H holders beyond. With `classes`, see `determinize_by_suit`.
    """
    if classes is not None:
        return by_suit.count(
            *by_suit.known(
                allowed, sizes, num_cards, max_size, classes, class_sizes, least, most
            )
        )
    _no_bounds(least, most)
    problem = _problem(allowed, sizes, num_cards, max_size)
    total = sum(problem.sizes, jnp.int32(0))
    consistent = total == _count(_union(problem.allowed))
    if problem.by_class:
        table = _class_table(problem)
        high, low = table.high[-1], table.low[-1]
        deals = high.astype(jnp.float32) * jnp.float32(2**32) + low.astype(jnp.float32)
        consistent &= table.feasible
    else:
        deals = by_card.count(*problem[:4])
    return jnp.where(consistent, deals, jnp.float32(0))


class _Problem(NamedTuple):
    allowed: tuple[Words, ...]  # per holder
    sizes: tuple[jax.Array, ...]  # int32 per holder
    num_cards: int
    max_sizes: tuple[int, ...]  # per holder
    by_class: bool

    @property
    def cards_per_word(self) -> int:
        return -(-self.num_cards // len(self.allowed[0]))


def _problem(
    allowed: Sequence[Sequence[jax.Array]],
    sizes: Sequence[jax.Array | int],
    num_cards: int,
    max_size: int | Sequence[int],
) -> _Problem:
    """The arguments, checked as far as they are static."""
    holders = len(allowed)
    if not 1 <= holders <= MAX_HOLDERS:
        raise UserError(f"{holders} holders of hidden cards; allowed are 1 to {MAX_HOLDERS}")
    if len(sizes) != holders:
        raise UserError(f"{len(sizes)} sizes for {holders} holders; one size a holder is needed")
    num_words = len(allowed[0])
    if any(len(words) != num_words for words in allowed) or not num_words:
        raise UserError("holders with different numbers of words; all need the same, at least one")
    if not 1 <= num_cards <= 32 * num_words:
        raise UserError(f"{num_cards} cards in {num_words} words; allowed are 1 to {32 * num_words}")
    max_sizes = most_cards(max_size, holders, num_cards)
    hidden = min(num_cards, sum(max_sizes))
    if hidden * math.log2(holders) >= 128:
        raise UserError(f"{hidden} hidden cards for {holders} holders; their deals exceed 2**128")
    mask = jnp.uint32(2 ** -(-num_cards // num_words) - 1)
    return _Problem(
        tuple(tuple(jnp.asarray(w, jnp.uint32) & mask for w in words) for words in allowed),
        tuple(jnp.asarray(size, jnp.int32) for size in sizes),
        num_cards,
        max_sizes,
        holders <= _MAX_CLASS_HOLDERS and hidden <= _MAX_CLASS_CARDS,
    )


def _no_bounds(least: object, most: object) -> None:
    for name, bounds in (("least", least), ("most", most)):
        if bounds is not None:
            raise UserError(f"{name}= needs classes=: say which cards are counted together")


def _count(words: Words) -> jax.Array:
    """The number of cards in a set, int32."""
    return sum((lax.population_count(w) for w in words), jnp.uint32(0)).astype(jnp.int32)


def _union(allowed: Sequence[Words]) -> Words:
    united = allowed[0]
    for words in allowed[1:]:
        united = tuple(x | y for x, y in zip(united, words, strict=True))
    return united


def _sample_by_card(key: jax.Array, problem: _Problem) -> tuple[Words, ...]:
    return by_card.sample(key, *problem[:4])


# Up to three holders: classes of cards, exact counts in two words ---------------------------------


class _ClassTable(NamedTuple):
    """How many deals there are for each way to give cards of the classes AB and AC to A."""

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

    Indices are taken modulo 64, so that none is out of bounds. A negative n or a k below n - 64
    reads a wrong entry; in `_class_table` another factor of the same product is then 0.
    """
    side = _SIDE - 1
    flat = jnp.asarray(_PASCAL.reshape(-1))
    return flat.at[(n & side) * _SIDE + (k & side)].get(mode="promise_in_bounds")


def _class_table(problem: _Problem) -> _ClassTable:
    """Counts by class: A takes i, j, t cards of AB, AC, ABC, and B its rest of what A leaves."""
    nobody = tuple(jnp.uint32(0) for _ in problem.allowed[0])
    missing = _MAX_CLASS_HOLDERS - len(problem.allowed)
    holders = (*problem.allowed, *(nobody,) * missing)
    sizes = (*problem.sizes, *(jnp.int32(0),) * missing)
    most = (*problem.max_sizes, *(0,) * missing)
    order = tuple(sorted(range(_MAX_CLASS_HOLDERS), key=lambda holder: most[holder]))
    a, b, c = words = holders[order[0]], holders[order[1]], holders[order[2]]

    def cards(column: tuple[bool, bool, bool]) -> jax.Array:
        """The size of the class whose cards A, B, C may have as `column` says."""
        parts = [tuple(w if may else ~w for w in word) for word, may in zip(words, column, strict=True)]
        return _count(tuple(x & y & z for x, y, z in zip(*parts, strict=True)))

    ab, ac = cards((True, True, False)), cards((True, False, True))
    abc, bc = cards((True, True, True)), cards((False, True, True))
    free_a = sizes[order[0]] - cards((True, False, False))
    free_b = sizes[order[1]] - cards((False, True, False))
    free_c = sizes[order[2]] - cards((False, False, True))

    entries = _entries(most[order[0]])

    # A loop, because XLA:CPU computes the products again for each output of a cumulative sum:
    # four times slower.
    def add(running: tuple, entry: tuple) -> tuple[tuple, tuple]:
        high, low = running
        i, j = entry
        t = free_a - i - j
        # The first product is at most C(ab + ac + abc, free_a), so it fits in one word.
        first = _choose(ab, i) * _choose(ac, j) * _choose(abc, t)
        second = _choose(bc + abc - t, free_b - ab + i)
        product = first * second
        low = low + product
        high = high + high_word(first, second) + (low < product).astype(jnp.uint32)
        return (high, low), (high, low)

    nothing = (jnp.uint32(0), jnp.uint32(0))
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


def _sample_by_class(key: jax.Array, problem: _Problem) -> tuple[Words, ...]:
    """Draws an entry of the table, then splits the classes card by card."""
    table = _class_table(problem)
    shape = (problem.cards_per_word, len(problem.allowed[0]))
    random = jax.random.bits(key, (2 + math.prod(shape),), jnp.uint32)
    high, low = _below((random[0], random[1]), (table.high[-1], table.low[-1]))
    passed = (table.high < high) | ((table.high == high) & (table.low <= low))
    entry = jnp.sum(passed, dtype=jnp.int32)
    i, j = (jnp.asarray(x)[entry] for x in table.entries)
    ab, ac, abc, bc = table.counts
    t = table.places[0] - i - j
    pool = bc + abc - t
    left = _bytes(ab, ac, abc, pool)
    quota = _bytes(i, j, t, table.places[1] - ab + i)
    split = _split(random[2:].reshape(shape), table.words, left, quota)
    return tuple(split[table.order.index(holder)] for holder in range(len(problem.allowed)))


def _bytes(*numbers: jax.Array) -> jax.Array:
    """Four numbers below 256 in one word, the first lowest: one value instead of four in a loop."""
    packed = (number.astype(jnp.uint32) << (8 * place) for place, number in enumerate(numbers))
    return sum(packed, jnp.uint32(0))


def _split(
    random: jax.Array, words: tuple[Words, Words, Words], left: jax.Array, quota: jax.Array
) -> tuple[Words, Words, Words]:
    """Walks over the cards; each goes to a holder with probability quota / left of its class.

    That makes all splits of a class equally likely. Bytes of `left` and `quota`: classes AB, AC,
    ABC (left: cards of the class not yet seen; quota: how many of them A still gets), and the pool
    of cards that are free between B and C (quota: B's). One random word a card decides twice: the
    high word of its product with `left` for A, and the low word, which is evenly spread given the
    high one, between B and C.
    """
    a, b, c = words

    def step(carry: tuple, xs: tuple) -> tuple[tuple, None]:
        left, quota, for_a, for_b = carry
        bits, place = xs
        for_a, for_b = list(for_a), list(for_b)
        for w in range(len(a)):
            in_a, in_b, in_c = ((x[w] >> place) & 1 for x in (a, b, c))
            in_class = in_a & (in_b | in_c)
            shift = (in_c << 3) << (in_b & in_c)
            parts = jnp.where(in_class == 1, (left >> shift) & 255, 1)
            position, rest = scaled(bits[w], parts), bits[w] * parts
            chosen = (position < ((quota >> shift) & 255)).astype(jnp.uint32)
            to_a = in_a & (chosen | (1 ^ in_class))
            in_pool = in_b & in_c & ~to_a
            chosen = (scaled(rest, left >> 24) < (quota >> 24)).astype(jnp.uint32)
            to_b = in_b & ~to_a & (chosen | (1 ^ in_c))
            left = left - (in_class << shift) - (in_pool << 24)
            quota = quota - ((in_class & to_a) << shift) - ((in_pool & to_b) << 24)
            for_a[w] |= to_a << place
            for_b[w] |= to_b << place
        return (left, quota, tuple(for_a), tuple(for_b)), None

    nothing = tuple(jnp.zeros_like(x) for x in a)
    places = jnp.arange(random.shape[0], dtype=jnp.uint32)
    # Unrolled: 5 times faster than a loop, as nothing then goes through memory between cards.
    carry, _ = lax.scan(step, (left, quota, nothing, nothing), (random, places), unroll=True)
    _, _, for_a, for_b = carry
    for_c = tuple(u & ~x & ~y for u, x, y in zip(_union(words), for_a, for_b, strict=True))
    return for_a, for_b, for_c
