"""Double-dummy tables and par of Bridge, beside the figures that DDS publishes with its source."""

import jax
import numpy as np
import pytest

import jaxcards
from jaxcards.interop.extras import require

pytestmark = pytest.mark.differential

# Hands from North on. Tricks of North, East, South and West: in ♠, ♥, ♦, ♣ and no trump.
PUBLISHED = [
    (
        "QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3",
        0, "none", -110, "2♠",
        [[5, 8, 5, 8], [6, 6, 6, 6], [5, 7, 5, 7], [7, 5, 7, 5], [6, 6, 6, 6]],
    ),
    (
        "AK96.KQ8.A98.K63 QJT5432.T.6.QJ82 .J97543.K7532.94 87.A62.QJT4.AT75",
        1, "north and south", 100, "4♠",
        [[4, 9, 4, 9], [10, 2, 10, 2], [8, 3, 8, 3], [6, 7, 6, 7], [9, 3, 9, 3]],
    ),
    (
        "73.QJT.AQ54.T752 QT6.876.KJ9.AQ84 5.A95432.7632.K6 AKJ9842.K.T8.J93",
        0, "none", -300, "5♥",
        [[3, 10, 3, 10], [9, 4, 9, 4], [8, 4, 8, 4], [3, 9, 3, 9], [4, 8, 4, 8]],
    ),
]  # fmt: skip


def cards_of(text):
    """Return the cards of a hand such as AK96.KQ8.A98.K63, from spades to clubs."""
    suits = zip((3, 2, 1, 0), text.split("."), strict=True)
    return [13 * suit + "23456789TJQKA".index(rank) for suit, ranks in suits for rank in ranks]


@pytest.fixture
def dds():
    pytest.importorskip("endplay")
    from jaxcards.interop import bridge

    return bridge


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("deal", PUBLISHED, ids=["one", "two", "three"])
def test_published_results(dds, deal):
    text, dealer, vulnerable, score, contract, tricks = deal
    hands = [cards_of(hand) for hand in text.split()]
    deck = np.concatenate([hands[(dealer + 1 + turn) % 4] for turn in range(4)])
    sides = {"none": 0, "north and south": 1}[vulnerable]
    state = jaxcards.make("bridge").init_from_deck(deck, dealer, vulnerability=sides)
    spades_first = np.array(tricks)
    np.testing.assert_array_equal(dds.table(state), spades_first[[3, 2, 1, 0, 4]].T)
    par = dds.par(state)
    assert par.score == score and all(text.startswith(contract) for text in par.contracts)
    # The declarer wins what the defenders leave when the player on the left leads.
    assert 13 - dds.best_tricks(dds.to_deal(hands, 3, leader=1)) == tricks[0][0]
    assert 13 - dds.best_tricks(dds.to_deal(hands, 4, leader=2)) == tricks[4][1]


def test_par_follows_the_vulnerable_sides(dds):
    game, key = jaxcards.make("bridge"), jax.random.key(0)
    opening = game.opening(game.init(key))
    scores = [
        dds.par(game.init_from_deck(opening.deck, opening.dealer, vulnerability=sides)).score
        for sides in range(4)
    ]
    # North and South make four spades: 420, or 620 if they are vulnerable.
    assert scores == [420, 620, 420, 620]


def test_the_tiny_game_is_refused(dds):
    state = jaxcards.make("bridge/tiny").init(jax.random.key(0))
    with pytest.raises(jaxcards.UserError, match="52 cards"):
        dds.table(state)


def test_a_missing_package_is_named():
    with pytest.raises(jaxcards.UserError, match=r"jaxcards.interop.bridge needs endplay: pip install"):
        require("no_such_package.dds", "bridge", "endplay")
