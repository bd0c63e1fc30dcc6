"""Random words: a bijection, evenly spread, and streams that do not meet."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards.errors import UserError
from jaxcards.xla import prng


def key(first=1, second=2):
    return jnp.uint32(first), jnp.uint32(second)


def chi_square(words: np.ndarray, bits: int, shift: int) -> float:
    """Return the chi-square of some bits, in standard deviations from its mean."""
    cells = 1 << bits
    counts = np.bincount((words >> shift) & (cells - 1), minlength=cells)
    expected = words.size / cells
    chi = ((counts - expected) ** 2 / expected).sum()
    return (chi - (cells - 1)) / np.sqrt(2 * (cells - 1))


def test_mix_is_a_bijection():
    """Every step of `mix` can be undone."""

    def undo(word):
        def unshift(word, by):
            result = word
            for _ in range(32 // by):
                result = word ^ (result >> np.uint32(by))
            return result

        word = unshift(word, 16)
        word = word * np.uint32(pow(0x846CA68B, -1, 1 << 32))
        word = unshift(word, 15)
        word = word * np.uint32(pow(0x7FEB352D, -1, 1 << 32))
        return unshift(word, 16)

    sample = np.random.default_rng(0).integers(1 << 32, size=100_000, dtype=np.uint32)
    mixed = np.asarray(prng.mix(jnp.asarray(sample)))
    assert (undo(mixed) == sample).all()
    assert (mixed != sample).mean() > 0.999


@pytest.mark.parametrize("shift", [0, 8, 16, 24])
def test_words_are_even_over_counters_and_over_keys(shift):
    numbers = jnp.arange(1 << 18, dtype=jnp.uint32)
    words = np.asarray(prng.random_word(key(), numbers))
    assert abs(chi_square(words, 8, shift)) < 5
    for over_keys in (prng.random_word((numbers, jnp.uint32(7)), 3),
                      prng.random_word((jnp.uint32(7), numbers), 3)):  # fmt: skip
        assert abs(chi_square(np.asarray(over_keys), 8, shift)) < 5


def test_neighbouring_words_are_independent():
    """Pairs of words of neighbouring counters, and of neighbouring keys, fill a square evenly."""
    numbers = jnp.arange(1 << 18, dtype=jnp.uint32)
    first = np.asarray(prng.random_word(key(), numbers))
    second = np.asarray(prng.random_word(key(), numbers + 1))
    assert abs(chi_square((first >> 28) << 4 | second >> 28, 8, 0)) < 5
    a = np.asarray(prng.random_word((jnp.uint32(5), numbers), 0))
    b = np.asarray(prng.random_word((jnp.uint32(5), numbers + 1), 0))
    assert abs(chi_square((a >> 28) << 4 | b >> 28, 8, 0)) < 5


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 36, 43])
def test_below_is_uniform_and_in_range(bound):
    words = prng.random_word(key(3), jnp.arange(1 << 18, dtype=jnp.uint32))
    drawn = np.asarray(prng.below(words, jnp.uint32(bound), 43))
    counts = np.bincount(drawn, minlength=bound)
    assert len(counts) == bound
    expected = words.size / bound
    chi = ((counts - expected) ** 2 / expected).sum()
    assert chi < bound + 5 * np.sqrt(2 * bound) + 5


@pytest.mark.parametrize("bound, largest", [(5, 36), (36, 36), (11, 194), (194, 194), (157, 158)])
def test_below_has_the_bias_it_promises(bound, largest):
    """Exact: the number of words that give an outcome, from the two ends of its interval."""
    bits = largest.bit_length()
    values = 1 << (32 - bits)
    edges = [-(-outcome * values // bound) for outcome in range(bound + 1)]
    # The edges are those of the function itself.
    inner = np.array(edges[1:-1], np.uint32)
    at = np.asarray(prng.below(jnp.asarray(inner << bits), jnp.uint32(bound), largest))
    under = np.asarray(prng.below(jnp.asarray((inner - 1) << bits), jnp.uint32(bound), largest))
    assert (at == np.arange(1, bound)).all() and (under == np.arange(bound - 1)).all()
    probability = np.diff(edges) / values
    assert np.abs(probability - 1 / bound).max() <= largest / values


def test_streams_of_decisions_do_not_meet_the_counters():
    """The words of 300 counters of a deal and of 300 of each of its 64 decisions are all different."""
    counters = jnp.arange(300, dtype=jnp.uint32)

    def words(first, second):
        own = (first, second)
        decisions = jnp.arange(64, dtype=jnp.uint32)
        sub = jax.vmap(lambda d: prng.random_word(prng.fold(own, d), counters))(decisions)
        firsts = jax.vmap(lambda d: prng.fold(own, d)[0])(decisions)
        return jnp.concatenate([prng.random_word(own, counters), sub.reshape(-1), firsts])

    seconds = prng.random_word(key(9), jnp.arange(20, dtype=jnp.uint32))
    found = np.asarray(jax.vmap(words, (None, 0))(jnp.uint32(11), seconds))
    number = found.shape[1]
    repeats = [number - len(np.unique(row)) for row in found]
    # Among this many random words some agree by chance, n * n / 2**33 = 0.045 a deal.
    assert sum(repeats) <= 6


def test_key_words_of_every_kind_of_key():
    typed = jax.random.key(7)
    raw = jax.random.key_data(typed)
    words = [int(w) for w in prng.key_words(typed)]
    assert words == [int(w) for w in prng.key_words(raw)]
    wide = jax.random.key(7, impl="rbg")
    first, second = prng.key_words(wide)
    assert first.dtype == second.dtype == jnp.uint32
    other = prng.key_words(jax.random.key(8, impl="rbg"))
    assert (int(first), int(second)) != tuple(int(w) for w in other)


@pytest.mark.parametrize(
    "key, named",
    [
        (jnp.uint32(7), "uint32[]"),
        (7, "7"),
        ("seven", "'seven'"),
        (jnp.zeros(2), "float32[2]"),
        (jnp.zeros(1, jnp.uint32), "uint32[1]"),
        (jax.random.split(jax.random.key(0), 3), "key<fry>[3]"),
        (jax.random.split(jax.random.PRNGKey(0), 3), "uint32[3, 2]"),
    ],
)
def test_a_key_is_a_single_key(key, named):
    with pytest.raises(UserError, match=rf"^a key is one key of JAX, .*, not {re.escape(named)}; use"):
        prng.key_words(key)


def test_a_draw_is_the_first_word_of_a_sub_stream():
    one = jax.random.key(3)
    assert int(prng.draw(one, 9)) == int(prng.fold(prng.key_words(one), 9)[0])


def test_key_words_spread_small_seeds_and_lose_none():
    """The words of neighbouring seeds differ in half of their bits; no two keys share both words."""
    numbers = jnp.arange(1 << 16, dtype=jnp.uint32)
    seeds = jax.vmap(prng.key_words)(jnp.stack([numbers * 0, numbers], axis=1))
    for words in seeds:
        assert abs(float(jax.lax.population_count(words[1:] ^ words[:-1]).mean()) - 16) < 0.1
    others = jax.vmap(prng.key_words)(jnp.stack([numbers, numbers * 0], axis=1))
    for pair in (seeds, others):
        assert len(np.unique(np.stack(pair), axis=1).T) == len(numbers)


def test_wrap_keeps_the_first_word():
    wrapped = prng.wrap(key(5, 6))
    assert int(prng.first_word(wrapped)) == int(prng.first_word(jax.random.key_data(wrapped))) == 5
    assert 0 <= float(jax.random.uniform(wrapped)) < 1
