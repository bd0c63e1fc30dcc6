"""Situations with hidden cards, for the tests of `jaxcards.determinize`."""

import functools
import itertools
import math
import random
from typing import NamedTuple

import jax
import numpy as np

from jaxcards import determinize
from jaxcards.determinize import by_card, by_class, sample_hidden
from jaxcards.testing.deals import quick_jit


class Case(NamedTuple):
    """For each holder the cards it may have, and its size; `num_cards` in `num_words` words."""

    allowed: tuple[frozenset[int], ...]
    sizes: tuple[int, ...]
    num_cards: int
    num_words: int

    @property
    def words(self):
        per_word = -(-self.num_cards // self.num_words)
        return tuple(
            tuple(
                np.uint32(sum(1 << c % per_word for c in cards if c // per_word == word))
                for word in range(self.num_words)
            )
            for cards in self.allowed
        )

    def holders_of(self, card):
        return [h for h, cards in enumerate(self.allowed) if card in cards]


def small(*columns, sizes, num_words=1):
    """One column a card: a string of the holders that may have it."""
    allowed = tuple(
        frozenset(c for c, column in enumerate(columns) if str(h) in column) for h in range(len(sizes))
    )
    return Case(allowed, sizes, len(columns), num_words)


def all_deals(situation):
    """Return every consistent deal, as a tuple with each card's holder (-1: in no hand)."""
    columns = [situation.holders_of(c) or [-1] for c in range(situation.num_cards)]
    return [
        deal
        for deal in itertools.product(*columns)
        if all(deal.count(h) == size for h, size in enumerate(situation.sizes))
    ]


def as_deals(words, situation):
    """Return int[batch, num_cards], the holder of each card in sampled words (-1: in no hand)."""
    per_word = -(-situation.num_cards // situation.num_words)
    card = np.arange(situation.num_cards)
    deals = np.full((len(np.asarray(words[0][0])), situation.num_cards), -1)
    for holder, holder_words in enumerate(words):
        stacked = np.stack([np.asarray(w) for w in holder_words], axis=1)
        has = (stacked[:, card // per_word] >> (card % per_word).astype(np.uint32)) & 1 == 1
        assert (deals[has] == -1).all(), "a card with two holders"
        deals[has] = np.broadcast_to(holder, has.shape)[has]
    return deals


@functools.cache
def batched(num_cards, max_size, method="sample_hidden"):
    """`sample_hidden` over a batch of keys, words and sizes; or one of its two methods."""
    methods = {"sample_hidden": sample_hidden, "by class": by_class.sample, "by card": by_card.sample}
    draw = methods[method]

    def one(key, allowed, sizes):
        return draw(key, determinize.Situation.of(allowed, sizes, num_cards, max_size=max_size))

    return quick_jit(jax.vmap(one))


def sample(situation, num_samples, seed=0, method="sample_hidden", max_size=None):
    keys = jax.random.split(jax.random.key(seed), num_samples)
    repeat = functools.partial(np.repeat, repeats=num_samples)
    allowed, sizes = jax.tree.map(repeat, (situation.words, situation.sizes))
    return batched(situation.num_cards, max_size or situation.sizes, method)(keys, allowed, sizes)


def random_situation(source, num_cards, num_words, sizes, chance):
    """Constraints that a random deal satisfies; each other holder may have a card by `chance`."""
    cards = source.sample(range(num_cards), sum(sizes))
    allowed = [set() for _ in sizes]
    owners = [h for h, size in enumerate(sizes) for _ in range(size)]
    for card, owner in zip(cards, owners, strict=True):
        for h in range(len(sizes)):
            if h == owner or source.random() < chance:
                allowed[h].add(card)
    return Case(tuple(map(frozenset, allowed)), tuple(sizes), num_cards, num_words)


def random_situations(seed, count, num_cards, num_words, max_sizes, chance=None):
    source = random.Random(seed)
    for k in range(count):
        sizes = [source.randint(0, most) if k % 3 else most for most in max_sizes]
        odds = source.choice([0.0, 0.1, 0.4, 0.8, 1.0]) if chance is None else chance
        yield random_situation(source, num_cards, num_words, sizes, odds)


def stack(situations):
    return jax.tree.map(lambda *leaves: np.array(leaves), *[(s.words, s.sizes) for s in situations])


def exact_count(situation):
    """Return the number of deals in Python's integers, card by card."""

    @functools.cache
    def count(card, free):
        if card == situation.num_cards:
            return int(not any(free))
        holders = situation.holders_of(card)
        if not holders:
            return count(card + 1, free)
        return sum(
            count(card + 1, (*free[:h], free[h] - 1, *free[h + 1 :])) for h in holders if free[h]
        )

    return count(0, situation.sizes)


LIMIT = 4.5  # of `z_score`, standard deviations


def z_score(counts):
    """Return Pearson's statistic against uniform, in standard deviations above its mean."""
    counts = np.asarray(counts, float)
    expected, freedom = counts.mean(), len(counts) - 1
    return (((counts - expected) ** 2).sum() / expected - freedom) / math.sqrt(2 * freedom)


def tally(deals, consistent):
    """Return the number of draws of each consistent deal; any other deal fails the test."""
    index = {deal: i for i, deal in enumerate(consistent)}
    counts = np.zeros(len(consistent), int)
    kinds, times = np.unique(deals, axis=0, return_counts=True)
    for deal, n in zip(kinds, times, strict=True):
        counts[index[tuple(deal.tolist())]] += n
    return counts
