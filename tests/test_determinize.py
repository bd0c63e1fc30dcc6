"""Sampling of hidden cards: uniform over all consistent deals, and always consistent."""

import functools
import itertools
import math
import random
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxcards import determinize
from jaxcards.determinize import count_deals, sample_hidden
from jaxcards.errors import UserError


class Situation(NamedTuple):
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
        frozenset(c for c, column in enumerate(columns) if str(h) in column)
        for h in range(len(sizes))
    )
    return Situation(allowed, sizes, len(columns), num_words)


# Classes AB, AC, BC, ABC (and with four holders many more) alone, together, forced and empty.
SMALL = {
    "two holders": small("01", "0", "01", "01", "1", "01", "01", sizes=(3, 4)),
    "three, no constraint": small(*["012"] * 6, sizes=(2, 2, 2)),
    "three, all classes": small(*"01 02 12 012 012 01 12 0 012".split(), sizes=(3, 3, 3)),
    "three, pairs only": small(*"01 01 02 02 12 12 01 02".split(), sizes=(3, 3, 2), num_words=2),
    "three, voids": small(*"12 12 12 012 012 02 02 012".split(), sizes=(1, 4, 3), num_words=2),
    "three, uneven": small(*"012 12 01 012 02 012 12 012".split(), sizes=(5, 2, 1)),
    "three, one empty": small(*"02 2 02 02 02 0 02".split(), sizes=(3, 0, 4)),
    "three, card of nobody": small(*["01", "", "012", "12", "012", "", "02"], sizes=(2, 1, 2)),
    "four, no constraint": small(*["0123"] * 6, sizes=(2, 2, 1, 1)),
    "four, many classes": small(
        *"01 23 012 0123 13 0123 2 03".split(), sizes=(2, 2, 2, 2), num_words=2
    ),
    "four, talon": small(*"0123 13 023 3 123 0123 03 013".split(), sizes=(2, 1, 2, 3)),
}


def all_deals(situation):
    """Every consistent deal, as a tuple with each card's holder (-1: nobody's)."""
    columns = [situation.holders_of(c) or [-1] for c in range(situation.num_cards)]
    return [
        deal
        for deal in itertools.product(*columns)
        if all(deal.count(h) == size for h, size in enumerate(situation.sizes))
    ]


def as_deals(words, situation):
    """int[batch, num_cards], the holder of each card in sampled words (-1: nobody's)."""
    per_word = -(-situation.num_cards // situation.num_words)
    card = np.arange(situation.num_cards)
    deals = np.full((len(np.asarray(words[0][0])), situation.num_cards), -1)
    for holder, holder_words in enumerate(words):
        stacked = np.stack([np.asarray(w) for w in holder_words], axis=1)
        has = (stacked[:, card // per_word] >> (card % per_word).astype(np.uint32)) & 1 == 1
        assert (deals[has] == -1).all(), "a card with two holders"
        deals[has] = np.broadcast_to(holder, has.shape)[has]
    return deals


def z_score(counts):
    """How many standard deviations Pearson's statistic against uniform is above its mean."""
    counts = np.asarray(counts, float)
    expected, freedom = counts.mean(), len(counts) - 1
    return (((counts - expected) ** 2).sum() / expected - freedom) / math.sqrt(2 * freedom)


def tally(deals, consistent):
    """How often each consistent deal was drawn; any other deal fails the test."""
    index = {deal: i for i, deal in enumerate(consistent)}
    counts = np.zeros(len(consistent), int)
    kinds, times = np.unique(deals, axis=0, return_counts=True)
    for deal, n in zip(kinds, times, strict=True):
        counts[index[tuple(deal.tolist())]] += n
    return counts


@functools.cache
def batched(num_cards, max_size, method="sample_hidden"):
    """`sample_hidden` over a batch of keys, words and sizes; or one of its two methods."""

    def one(key, allowed, sizes):
        if method == "sample_hidden":
            return sample_hidden(key, allowed, sizes, num_cards, max_size=max_size)
        problem = determinize._problem(allowed, sizes, num_cards, max_size)
        return getattr(determinize, method)(key, problem)

    return jax.jit(jax.vmap(one))


def sample(situation, num_samples, seed=0, method="sample_hidden", max_size=None):
    keys = jax.random.split(jax.random.key(seed), num_samples)
    repeat = functools.partial(np.repeat, repeats=num_samples)
    allowed, sizes = jax.tree.map(repeat, (situation.words, situation.sizes))
    return batched(situation.num_cards, max_size or situation.sizes, method)(keys, allowed, sizes)


SAMPLES = 60_000
LIMIT = 4.5  # standard deviations


@pytest.mark.parametrize("name", SMALL)
def test_uniform_over_all_consistent_deals(name):
    situation = SMALL[name]
    consistent = all_deals(situation)
    counts = tally(as_deals(sample(situation, SAMPLES), situation), consistent)
    assert len(consistent) > 1
    assert z_score(counts) < LIMIT


@pytest.mark.parametrize("name", [name for name in SMALL if name.startswith("three")])
def test_second_method_is_uniform_with_three_holders(name):
    situation = SMALL[name]
    words = sample(situation, SAMPLES, method="_sample_by_card")
    assert z_score(tally(as_deals(words, situation), all_deals(situation))) < LIMIT


def test_five_holders():
    situation = small(*"014 0123 23 0123 1234 04 34".split(), sizes=(1, 1, 2, 1, 2))
    counts = tally(as_deals(sample(situation, SAMPLES), situation), all_deals(situation))
    assert z_score(counts) < LIMIT


def sequential_fill(situation, consistent):
    """Probability of each deal when each card goes to a holder in proportion to its free places.

    Only holders count that may have the card and with which a deal can still be completed, so
    that every draw is consistent: the usual way to deal around voids. It is not uniform.
    """
    possible = {deal[:k] for deal in consistent for k in range(len(deal) + 1)}
    result = []
    for deal in consistent:
        chance = 1.0
        for k, holder in enumerate(deal):
            free = {
                h: situation.sizes[h] - deal[:k].count(h)
                for h in situation.holders_of(k)
                if (*deal[:k], h) in possible
            }
            if holder >= 0:
                chance *= free[holder] / sum(free.values())
        result.append(chance)
    return np.array(result)


UNCONSTRAINED = {"three, no constraint", "four, no constraint"}


@pytest.mark.parametrize("name", SMALL)
def test_the_chi_square_catches_sequential_fill(name):
    """The same number of samples and the same limit reject a plausible wrong sampler."""
    consistent = all_deals(SMALL[name])
    chances = sequential_fill(SMALL[name], consistent)
    assert chances.sum() == pytest.approx(1)
    counts = np.random.default_rng(0).multinomial(SAMPLES, chances)
    if name in UNCONSTRAINED:  # there, sequential fill is right
        assert z_score(counts) < LIMIT
    else:
        assert z_score(counts) > LIMIT


@pytest.mark.parametrize("name", SMALL)
def test_the_chi_square_catches_a_subtle_error(name):
    """It also rejects a sampler that draws half of the deals 8 % too often."""
    deals = len(all_deals(SMALL[name]))
    chances = np.where(np.arange(deals) % 2 == 0, 1.08, 1.0)
    counts = np.random.default_rng(0).multinomial(SAMPLES, chances / chances.sum())
    assert z_score(counts) > LIMIT


def random_situation(source, num_cards, num_words, sizes, chance):
    """Constraints that a random deal satisfies; each other holder may have a card by `chance`."""
    cards = source.sample(range(num_cards), sum(sizes))
    allowed = [set() for _ in sizes]
    owners = [h for h, size in enumerate(sizes) for _ in range(size)]
    for card, owner in zip(cards, owners, strict=True):
        for h in range(len(sizes)):
            if h == owner or source.random() < chance:
                allowed[h].add(card)
    return Situation(tuple(map(frozenset, allowed)), tuple(sizes), num_cards, num_words)


def random_situations(seed, count, num_cards, num_words, max_sizes, chance=None):
    source = random.Random(seed)
    for k in range(count):
        sizes = [source.randint(0, most) if k % 3 else most for most in max_sizes]
        odds = source.choice([0.0, 0.1, 0.4, 0.8, 1.0]) if chance is None else chance
        yield random_situation(source, num_cards, num_words, sizes, odds)


def stack(situations):
    return jax.tree.map(lambda *leaves: np.array(leaves), *[(s.words, s.sizes) for s in situations])


SHAPES = {
    "jass": (36, 2, (9, 9, 9), 600),
    "belote": (32, 1, (8, 8, 8), 300),
    "two seats": (36, 2, (18, 18), 100),
    "euchre": (24, 1, (5, 5, 5, 4), 200),
    "uneven words": (25, 2, (5, 5, 5), 100),
    "rikiki": (52, 2, (7, 7, 7, 31), 24),
    "three of 52": (52, 2, (13, 13, 26), 24),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_sample_is_consistent(name):
    num_cards, num_words, max_sizes, count = SHAPES[name]
    situations = list(random_situations(1, count, num_cards, num_words, max_sizes))
    allowed, sizes = stack(situations)
    keys = jax.random.split(jax.random.key(3), count)
    words = batched(num_cards, max_sizes)(keys, allowed, sizes)
    deals = as_deals(words, situations[0])
    for situation, deal in zip(situations, deals, strict=True):
        for card, holder in enumerate(deal.tolist()):
            may = situation.holders_of(card)
            assert holder in may or (holder == -1 and not may)
        for holder, size in enumerate(situation.sizes):
            assert (deal == holder).sum() == size


def exact_count(situation):
    """The number of deals in Python's integers, card by card."""

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


@pytest.mark.parametrize("name", SHAPES)
def test_count_deals(name):
    num_cards, num_words, max_sizes, count = SHAPES[name]
    situations = list(random_situations(2, min(count, 60), num_cards, num_words, max_sizes))
    allowed, sizes = stack(situations)
    counter = functools.partial(count_deals, num_cards=num_cards, max_size=max_sizes)
    counts = jax.jit(jax.vmap(lambda a, s: counter(a, s)))(allowed, sizes)
    assert counts.dtype == jnp.float32
    by_class = len(max_sizes) <= 3 and min(num_cards, sum(max_sizes)) <= 34
    bound = 2.0**-23 if by_class else num_cards * len(max_sizes) * 2.0**-24
    for situation, found in zip(situations, np.asarray(counts, float), strict=True):
        exact = exact_count(situation)
        assert exact > 0
        assert abs(found - exact) <= (bound * exact if exact >= 2**24 else 0)


@pytest.mark.parametrize("method", ["by class", "by card"])
def test_count_deals_where_there_may_be_none(method):
    """Also on sizes that no deal has: too many, too few, or forced cards without a place."""
    num_cards, holders, most = 9, (3 if method == "by class" else 4), 5
    source = random.Random(5)
    situations = []
    for _ in range(600):
        columns = [
            "".join(str(h) for h in range(holders) if source.random() < 0.5)
            for _ in range(num_cards)
        ]
        sizes = [source.randint(0, 3) for _ in range(holders - 1)]
        total = sum(map(bool, columns)) + source.choice([0, 0, 0, 1])
        sizes.append(max(0, min(most, total - sum(sizes))))
        situations.append(small(*columns, sizes=tuple(sizes)))
    allowed, sizes = stack(situations)
    counter = functools.partial(count_deals, num_cards=num_cards, max_size=most)
    counts = jax.jit(jax.vmap(lambda a, s: counter(a, s)))(allowed, sizes)
    expected = [exact_count(s) for s in situations]
    assert np.asarray(counts).tolist() == expected
    assert 50 < sum(n == 0 for n in expected) < 550


def test_marginals_of_a_jass_deal():
    """27 hidden cards: how often each seat has each card, against exact counts."""
    situation = random_situation(random.Random(7), 36, 2, (9, 9, 9), 0.6)
    num_samples, total = 40_000, exact_count(situation)
    assert total > 2**20
    deals = as_deals(sample(situation, num_samples), situation)
    worst = 0.0
    for card in range(36):
        for holder in situation.holders_of(card):
            fixed = tuple(
                cards if h == holder else cards - {card}
                for h, cards in enumerate(situation.allowed)
            )
            chance = exact_count(situation._replace(allowed=fixed)) / total
            found = (deals[:, card] == holder).mean()
            if chance in (0, 1):
                assert found == chance
            else:
                deviation = math.sqrt(chance * (1 - chance) / num_samples)
                worst = max(worst, abs(found - chance) / deviation)
    assert 1 < worst < LIMIT  # 81 of them: the largest is hardly ever below 1


def test_an_integer_below_a_bound_of_two_words():
    source = random.Random(11)
    pairs = [
        (source.getrandbits(64), source.getrandbits(source.randint(1, 64))) for _ in range(999)
    ]
    pairs += [(2**64 - 1, 2**64 - 1), (2**64 - 1, 1), (0, 7), (2**32, 2**32), (2**63, 2**33 + 1)]
    array = np.array(pairs, np.uint64)
    high, low = (array >> 32).astype(np.uint32), (array & 0xFFFFFFFF).astype(np.uint32)
    found = determinize._below((high[:, 0], low[:, 0]), (high[:, 1], low[:, 1]))
    found = np.asarray(found[0], np.uint64) << 32 | np.asarray(found[1], np.uint64)
    assert found.tolist() == [x * y >> 64 for x, y in pairs]


@pytest.mark.parametrize("name", ["jass", "euchre"])
def test_same_key_same_deal_alone_and_in_a_batch(name):
    num_cards, num_words, max_sizes, _ = SHAPES[name]
    situations = list(random_situations(4, 6, num_cards, num_words, max_sizes, chance=0.7))
    allowed, sizes = stack(situations)
    keys = jax.random.split(jax.random.PRNGKey(9), len(situations))  # raw keys too
    many = batched(num_cards, max_sizes)(keys, allowed, sizes)
    again = batched(num_cards, max_sizes)(keys, allowed, sizes)
    assert jax.tree.all(jax.tree.map(np.array_equal, many, again))
    single = jax.jit(functools.partial(sample_hidden, num_cards=num_cards, max_size=max_sizes))
    for k, situation in enumerate(situations):
        typed = jax.random.wrap_key_data(keys[k])
        one = single(typed, situation.words, situation.sizes)
        assert jax.tree.leaves(one) == jax.tree.leaves(jax.tree.map(lambda x, k=k: x[k], many))
    other = batched(num_cards, max_sizes)(keys + 1, allowed, sizes)
    assert not jax.tree.all(jax.tree.map(np.array_equal, many, other))


EDGES = {
    "all forced": small(*"0 1 2 2 1 0".split(), sizes=(2, 2, 2)),
    "forced by sizes": small(*"01 01 02 12".split(), sizes=(0, 2, 2)),
    "no hidden cards": small("", "", sizes=(0, 0, 0)),
    "one holder": small("0", "", "0", sizes=(2,)),
    "four, all forced": small(*"0 1 2 3".split(), sizes=(1, 1, 1, 1)),
    "four, no hidden cards": small("", "", sizes=(0, 0, 0, 0)),
    "four, forced by sizes": small(*"03 0123 013".split(), sizes=(0, 0, 1, 2)),
}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("max_size", ["tight", "loose"])
def test_a_single_consistent_deal(name, max_size):
    situation = EDGES[name]
    most = situation.sizes if max_size == "tight" else situation.num_cards
    (only,) = all_deals(situation)
    deals = as_deals(sample(situation, 20, max_size=most), situation)
    assert (deals == np.array(only)).all()
    count = count_deals(situation.words, situation.sizes, situation.num_cards, max_size=most)
    assert count == 1


def test_every_card_of_two_full_words():
    """The highest bits: 64 cards, one holder short of all."""
    situation = Situation((frozenset(range(64)), frozenset(range(64))), (63, 1), 64, 2)
    deals = as_deals(sample(situation, 2000), situation)
    assert ((deals == 1).sum(axis=1) == 1).all()
    assert set(deals.argmax(axis=1).tolist()) == set(range(64))


@pytest.mark.parametrize("name", SHAPES)
def test_jaxpr_budget(name):
    num_cards, num_words, max_sizes, _ = SHAPES[name]
    allowed = [[jnp.uint32(0)] * num_words] * len(max_sizes)
    one = functools.partial(sample_hidden, num_cards=num_cards, max_size=max_sizes)
    jaxpr = jax.make_jaxpr(one)(jax.random.key(0), allowed, [0] * len(max_sizes))
    assert equations(jaxpr.jaxpr) < 600
    text = str(jaxpr)
    assert "scatter" not in text and " while" not in text


def equations(jaxpr):
    """Equations of a jaxpr and of all jaxprs inside it."""
    total = 0
    for equation in jaxpr.eqns:
        values = jax.tree.leaves(
            list(equation.params.values()), is_leaf=lambda x: hasattr(x, "eqns")
        )
        total += 1 + sum(equations(x) for x in values if hasattr(x, "eqns"))
    return total


@pytest.mark.parametrize(
    "holders, sizes, num_words, num_cards, max_size, said",
    [
        (0, 0, 1, 32, 8, "0 holders"),
        (7, 7, 1, 32, 8, "allowed are 1 to 6"),
        (3, 2, 1, 32, 8, "2 sizes for 3 holders"),
        (3, 3, 0, 32, 8, "words"),
        (3, 3, 1, 36, 8, "36 cards in 1 words"),
        (3, 3, 1, 0, 8, "0 cards"),
        (3, 3, 1, 32, (8, 8), "max_size"),
        (3, 3, 1, 32, -1, "max_size"),
        (6, 6, 2, 52, 13, "2**128"),
    ],
)
def test_static_arguments_that_do_not_fit(holders, sizes, num_words, num_cards, max_size, said):
    allowed, sizes = [[np.uint32(0)] * num_words] * holders, [0] * sizes
    with pytest.raises(UserError) as raised:
        sample_hidden(jax.random.key(0), allowed, sizes, num_cards, max_size=max_size)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_words_of_different_lengths():
    allowed = [[np.uint32(1)], [np.uint32(1), np.uint32(0)]]
    with pytest.raises(UserError, match="different numbers of words"):
        count_deals(allowed, [1, 0], 32, max_size=1)
