"""Sampling of hidden cards by known classes: counts, uniformity, bounds from below, many holders."""

import functools
import itertools
import math
import random
import re
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from jaxcards.determinize import Situation, by_suit, count_deals, plan, sample_hidden
from jaxcards.testing.deals import quick_jit

SAMPLES = 40_000
LIMIT = 4.5  # standard deviations of Pearson's statistic, as in test_uniform.py


class Case(NamedTuple):
    """`suits[c]`: number of hidden cards; `may[h][c]`, `least[h][c]`; `sizes[h]`."""

    suits: tuple[int, ...]
    may: tuple[tuple[bool, ...], ...]
    least: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]

    @property
    def suit_of(self):
        return [c for c, number in enumerate(self.suits) for _ in range(number)]


def arguments(case, lane, num_words=2):
    """Words of the classes and of what each holder may have; class c is a lane of `lane` cards."""

    def words(suits):
        bits = sum(((1 << case.suits[c]) - 1) << (lane * c) for c in suits)
        width = lane * len(case.suits) // num_words
        return tuple(np.uint32((bits >> (width * w)) & ((1 << width) - 1)) for w in range(num_words))

    classes = tuple(words([c]) for c in range(len(case.suits)))
    allowed = tuple(words([c for c, may in enumerate(row) if may]) for row in case.may)
    return allowed, np.int32(case.sizes), classes, np.int32(case.least)


class Limits(NamedTuple):
    """The compile-time facts about cases, as `Situation.of` takes them."""

    max_size: tuple[int, ...]
    most: tuple[tuple[int, ...], ...] | None
    bounded: tuple[int, ...]  # holders that may have a bound


def loose(cases, lane):
    """Nothing: every holder may have all cards, and a bound."""
    holders, suits = len(cases[0].sizes), len(cases[0].suits)
    return Limits((lane * suits,) * holders, None, tuple(range(holders)))


def tight(cases, lane):
    """Return the most of these cases, so that holders without bounds can share a block."""
    holders, suits = range(len(cases[0].sizes)), range(len(cases[0].suits))
    return Limits(
        tuple(max(case.sizes[h] for case in cases) for h in holders),
        tuple(
            tuple(max(min(lane, case.sizes[h]) * case.may[h][c] for case in cases) for c in suits)
            for h in holders
        ),
        tuple(h for h in holders if any(sum(case.least[h]) for case in cases)),
    )


@functools.cache
def compiled(holders, suits, lane, what, limits):
    number = lane * suits

    def one(key, allowed, sizes, classes, least):
        options = dict(
            max_size=limits.max_size, classes=classes, class_sizes=(lane,) * suits, most=limits.most,
            least=[
                [least[h, c] if h in limits.bounded else 0 for c in range(suits)]
                for h in range(holders)
            ],
        )  # fmt: skip
        sizes = [sizes[h] for h in range(holders)]
        situation = Situation.of(allowed, sizes, number, **options)
        return count_deals(situation) if what == "count" else sample_hidden(key, situation)

    return quick_jit(jax.vmap(one))


def run(cases, lane, what, seed=0, limits=loose):
    """Return counts, or int[batch, cards of a case] holders of the cards, of cases of one shape."""
    different = list(dict.fromkeys(cases))
    stacked = jax.tree.map(
        lambda *leaves: np.stack(leaves), *(arguments(case, lane) for case in different)
    )
    index = {case: i for i, case in enumerate(different)}
    stacked = jax.tree.map(lambda leaf: leaf[np.array([index[case] for case in cases])], stacked)
    holders, suits = len(cases[0].sizes), len(cases[0].suits)
    keys = jax.random.split(jax.random.key(seed), len(cases))
    result = compiled(holders, suits, lane, what, limits(different, lane))(keys, *stacked)
    if what == "count":
        return np.asarray(result, float)
    width = lane * suits // 2
    words = [[np.asarray(word, np.uint64) for word in hand] for hand in result]
    bits = np.stack([sum(word << np.uint64(width * k) for k, word in enumerate(h)) for h in words])
    owners = []
    for i, case in enumerate(cases):
        places = [lane * c + k for c, number in enumerate(case.suits) for k in range(number)]
        has = bits[:, i, None] >> np.array(places, np.uint64) & np.uint64(1)
        assert (has.sum(0) == 1).all(), "every card has one holder"
        assert bits[:, i].sum() == sum(1 << p for p in places), "and there are no others"
        owners.append(has.argmax(0))
    return np.array(owners) if len(different) == 1 else owners


def consistent(case, deal):
    counts = [[0] * len(case.suits) for _ in case.sizes]
    for holder, suit in zip(deal, case.suit_of, strict=True):
        counts[holder][suit] += 1
    return all(
        sum(row) == size
        and all(n >= b and (may or n == 0) for n, b, may in zip(row, low, ok, strict=True))
        for row, size, low, ok in zip(counts, case.sizes, case.least, case.may, strict=True)
    )


def all_deals(case):
    holders = range(len(case.sizes))
    return [d for d in itertools.product(holders, repeat=sum(case.suits)) if consistent(case, d)]


def exact_count(case):
    """Return the number of deals by recursion over holders, in Python's integers."""

    @functools.cache
    def ways(holder, left):
        if holder == len(case.sizes):
            return int(not any(left))
        ranges = [
            range(low, (n if may else 0) + 1)
            for n, may, low in zip(left, case.may[holder], case.least[holder], strict=True)
        ]
        total = 0
        for taken in itertools.product(*ranges):
            if sum(taken) == case.sizes[holder]:
                rest = tuple(n - t for n, t in zip(left, taken, strict=True))
                total += math.prod(map(math.comb, left, taken)) * ways(holder + 1, rest)
        return total

    return ways(0, case.suits)


def random_case(source, holders, suits, lane, chance, bound_chance=0.0):
    """Return a case with at least one deal: its bounds and voids come from a random deal."""
    numbers = tuple(source.randint(0, lane) for _ in range(suits))
    owner = [source.randrange(holders) for _ in range(sum(numbers))]
    suit_of = [c for c, number in enumerate(numbers) for _ in range(number)]
    has = [[0] * suits for _ in range(holders)]
    for h, c in zip(owner, suit_of, strict=True):
        has[h][c] += 1
    may = tuple(tuple(n > 0 or source.random() < chance for n in row) for row in has)
    least = tuple(tuple(int(n > 0 and source.random() < bound_chance) for n in row) for row in has)
    return Case(numbers, may, least, tuple(map(sum, has)))


@pytest.mark.parametrize("holders", by_cost(range(1, 8), range(4, 8)))
@pytest.mark.parametrize("limits", [loose, tight])
def test_counts_of_small_cases(holders, limits):
    """Exact, also where no deal exists: with bounds for all holders, for one, and for none."""
    source = random.Random(holders)
    cases = [random_case(source, holders, 4, 3, 0.5, 0.3) for _ in range(150)]
    if limits is tight:  # the first holder alone has bounds, or none has
        nothing = (0,) * 4
        cases = [
            case._replace(least=(case.least[0] if holders % 2 else nothing, *[nothing] * (holders - 1)))
            for case in cases
        ]
    for i in range(0, 150, 5):  # a bound too many, or a size that does not fit
        case = cases[i]
        bounds = [list(row) for row in case.least]
        bounds[source.randrange(holders) if limits is loose else 0][source.randrange(4)] += 2
        sizes = (case.sizes[0] + i % 2, *case.sizes[1:])
        cases[i] = case._replace(least=tuple(map(tuple, bounds)), sizes=sizes)
    expected = np.array([exact_count(case) for case in cases], float)
    found = run(cases, 3, "count", limits=limits)
    bound = holders * 4 * (3 + 4) * 2.0**-23
    small = expected * bound < 0.5
    assert (found[small] == expected[small]).all()
    assert np.allclose(found, expected, rtol=bound)
    assert 5 < (expected == 0).sum() < 100
    if limits is tight and holders in (2, 3, 4):  # no layers: nothing is rounded
        assert (found == expected).all()


@pytest.mark.slow
def test_counts_of_rikiki():
    """Seven holders of 52 cards; the counts reach 2**100 and more."""
    source = random.Random(1)
    cases = []
    for _ in range(40):
        case = random_case(source, 7, 4, 13, 0.6)
        if exact_count(case) < 2**127:
            cases.append(case)
    expected = np.array([exact_count(case) for case in cases], float)
    found = run(cases, 13, "count")
    bound = 7 * 4 * 17 * 2.0**-23
    assert len(cases) > 20 and expected.max() > 1e20
    assert (np.abs(found / expected - 1) < bound).all()


UNIFORM = {
    "two suits, no constraint": Case(
        (3, 3), ((True, True),) * 3, ((0, 0),) * 3, (2, 2, 2)
    ),
    "voids": Case(
        (3, 2, 2, 1),
        ((True, False, True, True), (False, True, True, True), (True, True, True, False)),
        ((0, 0, 0, 0),) * 3,
        (3, 2, 3),
    ),
    "a card of the suit that was called": Case(
        (3, 1, 0, 3), ((True,) * 4,) * 3, ((1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)), (2, 2, 3)
    ),
    "bounds and voids of four holders": Case(
        (3, 3),
        ((True, True), (True, False), (True, True), (False, True)),
        ((0, 1), (1, 0), (0, 0), (0, 0)),
        (2, 1, 2, 1),
    ),
    "two pairs, one holder without cards": Case(
        (3, 3, 2),
        ((True, False, True), (True, True, True), (True, True, True), (True, True, False)),
        ((0, 0, 0),) * 4,
        (2, 0, 3, 3),
    ),
    "a bound that leaves little choice": Case(
        (3, 2, 0, 3),
        ((True, True, True, True), (True, True, True, False), (True, False, True, True)),
        ((2, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
        (3, 2, 3),
    ),
    "two bounds and a pair": Case(
        (3, 3),
        ((True, True), (True, True), (True, True), (True, False)),
        ((0, 1), (2, 0), (0, 0), (0, 0)),
        (1, 2, 2, 1),
    ),
    "a pair, a holder, a pair": Case(
        (3, 3, 1),
        (
            (True, True, True), (False, True, True), (True, True, False), (True, False, True),
            (True, True, True),
        ),
        ((0, 0, 0),) * 5,
        (2, 2, 1, 1, 1),
    ),
    "seven holders": Case(
        (3, 2, 1),
        (
            (True, True, True), (True, False, True), (False, True, True), (True, True, True),
            (True, True, False), (True, False, False), (True, True, True),
        ),
        ((0, 0, 0),) * 7,
        (1, 1, 1, 1, 1, 1, 0),
    ),
}  # fmt: skip


def check_uniform(case, limits):
    deals = all_deals(case)
    assert len(deals) == exact_count(case) > 5
    drawn = run([case] * SAMPLES, 3, "sample", limits=limits)
    index = {deal: i for i, deal in enumerate(deals)}
    counts = np.bincount([index[tuple(d)] for d in drawn.tolist()], minlength=len(deals))
    freedom, expected = len(deals) - 1, SAMPLES / len(deals)
    statistic = ((counts - expected) ** 2).sum() / expected
    assert (statistic - freedom) / math.sqrt(2 * freedom) < LIMIT


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "name",
    by_cost(UNIFORM, {*UNIFORM} - {"two pairs, one holder without cards", "voids"}),
)
@pytest.mark.parametrize("limits", [pytest.param(loose, marks=pytest.mark.slow), tight])
def test_uniform_over_all_consistent_deals(name, limits):
    check_uniform(UNIFORM[name], limits)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a pair, a holder, a pair", "seven holders", "two bounds and a pair"])
def test_uniform_if_holders_have_too_many_choices(name, monkeypatch):
    """Layers class by class, as for holders with large hands."""
    monkeypatch.setattr(plan, "_AT_ONCE", 0)
    compiled.cache_clear()
    check_uniform(UNIFORM[name], tight)
    compiled.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize(
    "suits, sizes",
    [((2, 1, 0, 3), (2, 1, 0, 3)), ((0, 0, 0, 0), (0, 0, 0, 0)), ((3, 3, 3, 3), (3, 3, 3, 3))],
)
def test_voids_settle_everything(suits, sizes):
    may = tuple(tuple(h == c for c in range(4)) for h in range(4))
    case = Case(suits, may, ((0,) * 4,) * 4, sizes)
    for limits in (loose, tight):
        assert run([case], 3, "count", limits=limits).tolist() == [1]
        assert (run([case] * 20, 3, "sample", limits=limits) == np.array(case.suit_of)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", by_cost(["two pairs, one holder without cards", "seven holders"], {"seven holders"})
)
def test_alone_in_a_batch_and_in_batches_of_batches(name, monkeypatch):
    """The same samples, also where a batch is done in parts that do not divide it."""
    monkeypatch.setattr(by_suit, "_TABLE", 1)  # parts of 16
    case = UNIFORM[name]
    allowed, sizes, classes, _ = arguments(case, 3)
    limits = tight([case], 3)
    situation = Situation.of(
        allowed, list(sizes), 3 * len(case.suits), max_size=limits.max_size,
        classes=classes, class_sizes=(3,) * len(case.suits), most=limits.most,
    )  # fmt: skip

    def one(key):
        return sample_hidden(key, situation)

    keys = jax.random.split(jax.random.key(3), 42)
    many = quick_jit(jax.vmap(one))(keys)
    nested = quick_jit(jax.vmap(jax.vmap(one)))(keys.reshape(3, 14))
    alone = quick_jit(one)
    for word, again in zip(jax.tree.leaves(many), jax.tree.leaves(nested), strict=True):
        assert len(set(np.asarray(word).tolist())) > 1 or not np.asarray(word).any()
        assert np.array_equal(word, np.asarray(again).reshape(-1))
    for i in (0, 15, 16, 41):
        row = jax.tree.map(lambda word, i=i: word[i], many)
        assert jax.tree.leaves(alone(keys[i])) == jax.tree.leaves(row)


@pytest.mark.slow
def test_samples_of_many_holders_are_consistent():
    source = random.Random(2)
    cases = [random_case(source, 7, 4, 13, 0.4, 0.2) for _ in range(60)]
    for case, deal in zip(cases, run(cases, 13, "sample"), strict=True):
        assert consistent(case, deal.tolist())
    assert sum(sum(case.suits) for case in cases) > 1000


def test_same_key_same_deal():
    case = UNIFORM["voids"]
    first, again, other = (run([case] * 50, 3, "sample", seed=s).tolist() for s in (1, 1, 2))
    assert first == again != other


def jaxpr_of(name):
    case = UNIFORM[name]
    allowed, sizes, classes, _ = arguments(case, 3)
    number = len(case.suits)

    def draw(key, allowed, sizes, classes):
        situation = Situation.of(
            allowed, list(sizes), 3 * number, max_size=3 * number, classes=classes,
            class_sizes=(3,) * number,
        )  # fmt: skip
        return sample_hidden(key, situation)

    return str(jax.make_jaxpr(draw)(jax.random.key(0), allowed, jnp.asarray(sizes), classes))


def test_loops_have_fixed_lengths():
    assert " while" not in jaxpr_of("bounds and voids of four holders")


def test_tables_are_not_put_together_of_pieces():
    """Pieces side by side are a branch for every entry, which took XLA:CPU ten times as long."""
    jaxpr = jaxpr_of("a card of the suit that was called")
    table = r":f32\[\d+,\d+,\d+\] = "  # two classes, and the situations
    assert re.search(table + "mul ", jaxpr)
    assert not re.search(table + "(concatenate|stack)", jaxpr)
