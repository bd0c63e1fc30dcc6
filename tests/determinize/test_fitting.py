"""Deals that fit what a situation cannot say: only these, all equally likely, in few draws."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.hidden_cards import LIMIT, all_deals, as_deals, small, tally, z_score
from support.marks import by_cost

from jaxcards.determinize import Claim, Situation, claim_of_melds, sample_fitting
from jaxcards.testing.deals import quick_jit, to_numpy

SAMPLES = 40_000
CASE = small(*"012 012 12 012 012 01 012 012 02".split(), sizes=(4, 3, 2))
# Some overlap, one is a part of another, one cannot be: card 2 is not for holder 0.
SETS = (0b11, 0b110000, 0b1000_0011, 0b111, 0b11000)


def word_of(deal, holder):
    return sum(1 << card for card, owner in enumerate(deal) if owner == holder)


def has_one(word):
    return any(word & cards == cards for cards in SETS)


def draw(fits, claim=None, samples=SAMPLES, seed=0, **more):
    situation = Situation.of(CASE.words, CASE.sizes, CASE.num_cards, max_size=max(CASE.sizes))
    one = quick_jit(
        jax.vmap(
            lambda key: sample_fitting(key, situation, lambda _, deal: fits(deal), (), claim, **more)
        )
    )
    return jax.tree.map(np.asarray, one(jax.random.split(jax.random.key(seed), samples)))


def claim_of(holder, number=5, known=0):
    sets = jnp.array([*SETS, 0, 0], jnp.uint32)
    return Claim(jnp.int32(holder), (sets,), jnp.int32(number), (jnp.uint32(known),))


def holds_one(holder):
    def fits(deal):
        held = deal[holder][0]
        return jnp.stack([held & cards == cards for cards in SETS]).any()

    return fits


@pytest.mark.slow
@pytest.mark.parametrize("claimed", by_cost([True, False], [True]), ids=["claimed", "drawn"])
@pytest.mark.parametrize("holder", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_uniform_over_all_deals_that_fit(holder, claimed):
    consistent = [deal for deal in all_deals(CASE) if has_one(word_of(deal, holder))]
    assert 1 < len(consistent) < len(all_deals(CASE))
    words, _ = draw(holds_one(holder), claim_of(holder) if claimed else None)
    assert z_score(tally(as_deals(words, CASE), consistent)) < LIMIT


def test_the_chi_square_catches_a_draw_that_forgets_in_how_many_ways_a_deal_comes():
    """A deal with two of the sets is twice as likely if each draw of it is kept."""
    consistent = [deal for deal in all_deals(CASE) if has_one(word_of(deal, 0))]
    ways = [sum(word_of(d, 0) & cards == cards for cards in SETS) for d in consistent]
    assert max(ways) > 1
    chances = np.array(ways) / sum(ways)
    counts = np.random.default_rng(0).multinomial(SAMPLES, chances)
    assert z_score(counts) > LIMIT


@pytest.mark.slow
def test_cards_that_are_known_count_for_the_set():
    """A holder that has card 2 for certain, in no hand any more, has a set with it more often."""
    consistent = [deal for deal in all_deals(CASE) if has_one(word_of(deal, 0) | 0b100)]

    def fits(deal):
        held = deal[0][0] | jnp.uint32(0b100)
        return jnp.stack([held & cards == cards for cards in SETS]).any()

    # Card 2 is out of the pack, so every hand must lack it.
    allowed = tuple(tuple(word & ~np.uint32(0b100) for word in words) for words in CASE.words)
    situation = Situation.of(allowed, (4, 2, 2), CASE.num_cards, max_size=4)
    claim = claim_of(0, known=0b100)
    one = quick_jit(
        jax.vmap(lambda key: sample_fitting(key, situation, lambda _, deal: fits(deal), (), claim))
    )
    words, _ = one(jax.random.split(jax.random.key(0), SAMPLES))
    found = as_deals(jax.tree.map(np.asarray, words), CASE)
    consistent = {
        tuple(-1 if card == 2 else owner for card, owner in enumerate(deal))
        for deal in consistent
        if deal[2] == 1
    }
    assert z_score(tally(found, sorted(consistent))) < LIMIT


@pytest.mark.slow
def test_a_claim_saves_draws_and_no_claim_costs_none():
    rare = 0b11  # two cards
    deals = all_deals(CASE)
    share = sum(word_of(deal, 0) & rare == rare for deal in deals) / len(deals)

    def fits(deal):
        return deal[0][0] & rare == rare

    claim = claim_of(0)._replace(sets=(jnp.array([rare, 0], jnp.uint32),), number=jnp.int32(1))
    _, with_claim = draw(fits, claim, 512)
    _, without = draw(fits, None, 512)
    assert (with_claim == 1).all()
    assert without.mean() == pytest.approx(1 / share, rel=0.2)
    assert share < 0.3
    _, nothing = draw(lambda deal: jnp.ones((), bool), claim_of(0, number=0), 512)
    assert (nothing == 1).all()


def test_it_gives_up_and_says_so():
    words, draws = draw(lambda deal: jnp.zeros((), bool), None, 8, tries=5)
    assert (draws == 6).all()
    assert set(map(tuple, as_deals(words, CASE).tolist())) <= set(all_deals(CASE))


def test_the_largest_meld_is_claimed():
    sets = (jnp.arange(12, dtype=jnp.uint32).reshape(4, 3),)
    number = jnp.array([0, 3, 2, 1], jnp.int32)
    points = [jnp.uint32(1), jnp.uint32(2), jnp.uint32(0)]
    known = [(jnp.uint32(10 * k),) for k in range(3)]
    claim = claim_of_melds(sets, number, points, known)
    assert int(claim.holder) == 1 and int(claim.number) == 2 and int(claim.known[0]) == 10
    assert claim.sets[0].tolist() == [6, 7, 8]
    silent = claim_of_melds(sets, number, [jnp.uint32(0)] * 3, known)
    assert int(silent.number) == 0


@pytest.mark.slow
def test_alone_and_in_batches_of_batches():
    """A deal depends on its own key alone, however many are drawn beside it."""
    situation = Situation.of(CASE.words, CASE.sizes, CASE.num_cards, max_size=max(CASE.sizes))
    fits = holds_one(0)

    def one(key):
        return sample_fitting(key, situation, lambda _, deal: fits(deal), ())

    keys = jax.random.split(jax.random.key(3), (3, 100))
    nested = to_numpy(quick_jit(jax.vmap(jax.vmap(one)))(keys))
    flat = to_numpy(quick_jit(jax.vmap(one))(keys.reshape(-1)))
    alone = quick_jit(one)
    for k in range(0, 300, 60):
        single = to_numpy(alone(keys.reshape(-1)[k]))
        for a, b, c in zip(*map(jax.tree.leaves, (nested, flat, single)), strict=True):
            assert a.reshape(-1)[k] == b[k] == c
    assert flat[1].max() > 3
