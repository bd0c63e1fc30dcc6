"""Sampling of hidden cards is uniform over all consistent deals."""

import math
import random

import numpy as np
import pytest
from support.hidden_cards import (
    LIMIT,
    all_deals,
    as_deals,
    exact_count,
    random_situation,
    sample,
    small,
    tally,
    z_score,
)
from support.marks import by_cost

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


SAMPLES = 60_000


BASIC = {"three, no constraint", "three, voids", "three, pairs only", "four, talon"}


@pytest.mark.slow_after(2)
@pytest.mark.parametrize("name", by_cost(SMALL, {*SMALL} - BASIC))
def test_uniform_over_all_consistent_deals(name):
    situation = SMALL[name]
    consistent = all_deals(situation)
    counts = tally(as_deals(sample(situation, SAMPLES), situation), consistent)
    assert len(consistent) > 1
    assert z_score(counts) < LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SMALL if name.startswith("three")])
def test_second_method_is_uniform_with_three_holders(name):
    situation = SMALL[name]
    words = sample(situation, SAMPLES, method="by card")
    assert z_score(tally(as_deals(words, situation), all_deals(situation))) < LIMIT


@pytest.mark.slow
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
    """The statistic rejects a sampler that draws half of the deals 8 % too often."""
    deals = len(all_deals(SMALL[name]))
    chances = np.where(np.arange(deals) % 2 == 0, 1.08, 1.0)
    counts = np.random.default_rng(0).multinomial(SAMPLES, chances / chances.sum())
    assert z_score(counts) > LIMIT


@pytest.mark.slow
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
                cards if h == holder else cards - {card} for h, cards in enumerate(situation.allowed)
            )
            chance = exact_count(situation._replace(allowed=fixed)) / total
            found = (deals[:, card] == holder).mean()
            if chance in (0, 1):
                assert found == chance
            else:
                deviation = math.sqrt(chance * (1 - chance) / num_samples)
                worst = max(worst, abs(found - chance) / deviation)
    assert 1 < worst < LIMIT  # 81 of them: the largest is hardly ever below 1
