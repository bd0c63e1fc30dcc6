"""Cards that are worth the same: only the highest of them is tried."""

from types import SimpleNamespace

import jax.numpy as jnp
import pytest

from jaxcards.cards.packs import FRENCH
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.tricks import TRUMP, Trick
from jaxcards.kit import distinct_by_rank

HEARTS, SPADES = 2, 3


def cards(text):
    return CardSet.of(FRENCH, FRENCH.cards(text))


def distinct(hand, played="", led=NO_SUIT, best=0):
    """Return the distinct cards of a hand, with spades as trumps."""
    trick = Trick(*map(jnp.uint32, (led, best, 0, 0)))
    state = SimpleNamespace(public=SimpleNamespace(trick=trick), played=cards(played))
    return FRENCH.names(distinct_by_rank(state, cards(hand), SPADES).to_list())


def names(text):
    return FRENCH.names(sorted(FRENCH.cards(text)))


@pytest.mark.parametrize(
    "hand, played, expected",
    [
        ("sA sK sQ s9 s7", "", "sA s9 s7"),  # ace to queen touch
        ("sA sK sQ s9 s7", "s8", "sA s9"),  # nine and seven touch once the eight is played
        ("sA s2", "sK sQ sJ sT s9 s8 s7 s6 s5 s4 s3", "sA"),
        ("sA s2", "sK sQ sJ sT s9 s8 s6 s5 s4 s3", "sA s2"),  # another hand holds the seven
        ("dA h2 cA d2", "", "dA h2 cA d2"),  # suits side by side
    ],
)
def test_cards_of_a_suit_that_touch(hand, played, expected):
    assert distinct(hand, played) == names(expected)


def test_the_best_card_on_the_table_stays_between():
    """Jack and nine differ while the ten is to be beaten, and are the same below the ace."""
    ten, ace = 9, 13
    assert distinct("hJ h9", "hT", led=HEARTS, best=ten) == names("hJ h9")
    assert distinct("hJ h9", "hT hA", led=HEARTS, best=ace) == names("hJ")
    assert distinct("sJ s9", "sT h2", led=HEARTS, best=TRUMP + ten) == names("sJ s9")
