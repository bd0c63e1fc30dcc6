"""Sampling of hidden cards: every sample is consistent, counts are right, edges hold."""

import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.hidden_cards import (
    Case,
    all_deals,
    as_deals,
    batched,
    exact_count,
    random_situations,
    sample,
    small,
    stack,
)

from jaxcards.determinize import Situation, by_class, count_deals, sample_hidden

SHAPES = {
    "jass": (36, 2, (9, 9, 9), 600),
    "belote": (32, 1, (8, 8, 8), 300),
    "two seats": (36, 2, (18, 18), 100),
    "euchre": (24, 1, (5, 5, 5, 4), 200),
    "uneven words": (25, 2, (5, 5, 5), 100),
    "rikiki": (52, 2, (7, 7, 7, 31), 24),
    "three of 52": (52, 2, (13, 13, 26), 24),
}


def sampling(num_cards, max_size):
    return lambda key, allowed, sizes: sample_hidden(
        key, Situation.of(allowed, sizes, num_cards, max_size=max_size)
    )


def counting(num_cards, max_size):
    return lambda allowed, sizes: count_deals(
        Situation.of(allowed, sizes, num_cards, max_size=max_size)
    )


@pytest.mark.slow_after(3)
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


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_drawn_is_computed_once(name):
    """Every word comes out of a fence, which ends in a division: XLA copies no draw into its uses."""
    num_cards, num_words, max_sizes, _ = SHAPES[name]
    allowed, sizes = stack(list(random_situations(1, 1, num_cards, num_words, max_sizes)))
    one = jax.tree.map(lambda leaf: leaf[0], (jax.random.split(jax.random.key(0), 1), allowed, sizes))
    program = jax.make_jaxpr(sampling(num_cards, max_sizes))(*one).jaxpr
    made_by = {out: equation.primitive.name for equation in program.eqns for out in equation.outvars}
    assert {made_by[out] for out in program.outvars} == {"div"}


@pytest.mark.parametrize("name", SHAPES)
def test_count_deals(name):
    num_cards, num_words, max_sizes, count = SHAPES[name]
    situations = list(random_situations(2, min(count, 60), num_cards, num_words, max_sizes))
    allowed, sizes = stack(situations)
    counter = counting(num_cards, max_sizes)
    counts = jax.jit(jax.vmap(counter))(allowed, sizes)
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
            "".join(str(h) for h in range(holders) if source.random() < 0.5) for _ in range(num_cards)
        ]
        sizes = [source.randint(0, 3) for _ in range(holders - 1)]
        total = sum(map(bool, columns)) + source.choice([0, 0, 0, 1])
        sizes.append(max(0, min(most, total - sum(sizes))))
        situations.append(small(*columns, sizes=tuple(sizes)))
    allowed, sizes = stack(situations)
    counter = counting(num_cards, most)
    counts = jax.jit(jax.vmap(counter))(allowed, sizes)
    expected = [exact_count(s) for s in situations]
    assert np.asarray(counts).tolist() == expected
    assert 50 < sum(n == 0 for n in expected) < 550


def test_an_integer_below_a_bound_of_two_words():
    source = random.Random(11)
    pairs = [(source.getrandbits(64), source.getrandbits(source.randint(1, 64))) for _ in range(999)]
    pairs += [(2**64 - 1, 2**64 - 1), (2**64 - 1, 1), (0, 7), (2**32, 2**32), (2**63, 2**33 + 1)]
    array = np.array(pairs, np.uint64)
    high, low = (array >> 32).astype(np.uint32), (array & 0xFFFFFFFF).astype(np.uint32)
    found = by_class._below((high[:, 0], low[:, 0]), (high[:, 1], low[:, 1]))
    found = np.asarray(found[0], np.uint64) << 32 | np.asarray(found[1], np.uint64)
    assert found.tolist() == [x * y >> 64 for x, y in pairs]


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", ["jass", "euchre"])
def test_same_key_same_deal_alone_and_in_a_batch(name):
    num_cards, num_words, max_sizes, _ = SHAPES[name]
    situations = list(random_situations(4, 6, num_cards, num_words, max_sizes, chance=0.7))
    allowed, sizes = stack(situations)
    keys = jax.random.split(jax.random.PRNGKey(9), len(situations))  # raw keys too
    many = batched(num_cards, max_sizes)(keys, allowed, sizes)
    again = batched(num_cards, max_sizes)(keys, allowed, sizes)
    assert jax.tree.all(jax.tree.map(np.array_equal, many, again))
    single = jax.jit(sampling(num_cards, max_sizes))
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


@pytest.mark.slow_after(6)
@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("max_size", ["tight", "loose"])
def test_a_single_consistent_deal(name, max_size):
    situation = EDGES[name]
    most = situation.sizes if max_size == "tight" else situation.num_cards
    (only,) = all_deals(situation)
    deals = as_deals(sample(situation, 20, max_size=most), situation)
    assert (deals == np.array(only)).all()
    assert counting(situation.num_cards, most)(situation.words, situation.sizes) == 1


def test_every_card_of_two_full_words():
    """The highest bits: 64 cards, one holder short of all."""
    situation = Case((frozenset(range(64)), frozenset(range(64))), (63, 1), 64, 2)
    deals = as_deals(sample(situation, 2000), situation)
    assert ((deals == 1).sum(axis=1) == 1).all()
    assert set(deals.argmax(axis=1).tolist()) == set(range(64))


@pytest.mark.parametrize("name", SHAPES)
def test_jaxpr_budget(name):
    num_cards, num_words, max_sizes, _ = SHAPES[name]
    allowed = [[jnp.uint32(0)] * num_words] * len(max_sizes)
    sizes = [0] * len(max_sizes)
    jaxpr = jax.make_jaxpr(sampling(num_cards, max_sizes))(jax.random.key(0), allowed, sizes)
    assert equations(jaxpr.jaxpr) < 600
    text = str(jaxpr)
    assert "scatter" not in text and " while" not in text


def equations(jaxpr):
    """Equations of a jaxpr and of all jaxprs inside it."""
    total = 0
    for equation in jaxpr.eqns:
        values = jax.tree.leaves(list(equation.params.values()), is_leaf=lambda x: hasattr(x, "eqns"))
        total += 1 + sum(equations(x) for x in values if hasattr(x, "eqns"))
    return total
