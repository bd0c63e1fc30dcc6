"""Checks of a situation with hidden cards: its holders, words, sizes, classes and bounds."""

import jax
import numpy as np
import pytest

from jaxcards.determinize import Situation, sample_hidden
from jaxcards.errors import UserError


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
        Situation.of(allowed, sizes, num_cards, max_size=max_size)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_words_of_different_lengths():
    allowed = [[np.uint32(1)], [np.uint32(1), np.uint32(0)]]
    with pytest.raises(UserError, match="different numbers of words"):
        Situation.of(allowed, [1, 0], 32, max_size=1)


def call(**changes):
    """Return a deal of three cards of one class to two holders, with some arguments replaced."""
    settings = dict(
        allowed=[[np.uint32(7)]] * 2, sizes=[1, 2], num_cards=3, max_size=3,
        classes=[[np.uint32(7)]], class_sizes=[3],
    )  # fmt: skip
    settings |= changes
    return sample_hidden(jax.random.key(0), Situation.of(**settings))


def test_a_single_class():
    words = call()
    assert [int(jax.lax.population_count(w)) for (w,) in words] == [1, 2]
    assert int(words[0][0] | words[1][0]) == 7


@pytest.mark.parametrize(
    "changes, said",
    [
        (dict(allowed=[[np.uint32(7)]] * 8, sizes=[1] * 8), "allowed are 1 to 7"),
        (dict(sizes=[3]), "1 sizes for 2 holders"),
        (dict(class_sizes=[3, 1]), "1 classes of sizes"),
        (dict(class_sizes=[-1]), "1 classes of sizes"),
        (dict(classes=[[np.uint32(7)] * 2]), "different numbers of words"),
        (dict(num_cards=33), "33 cards in 1 words"),
        (dict(least=[[0], [0], [0]]), "least="),
        (dict(most=[[3]]), "most="),
        (dict(max_size=(3, 3, 3)), "max_size"),
        (dict(classes=None, class_sizes=(), most=[[0], [0]]), "needs classes="),
        (dict(classes=None, class_sizes=(), least=[[0], [0]]), "needs classes="),
    ],
)
def test_static_arguments_that_do_not_fit_classes(changes, said):
    with pytest.raises(UserError, match=said) as raised:
        call(**changes)
    assert "\n" not in str(raised.value)
