"""The Bridge heuristic: its bids by example, and its strength against random players."""

import jax.numpy as jnp
import numpy as np
import pytest
from agents.heuristics.tables import against_random, interval

import jaxcards
from jaxcards.agents.heuristics.bridge.bidding import choose_bid, hand_of
from jaxcards.records.bridge import BID, call_of
from jaxcards.testing.deals import quick_jit

ME, PARTNER, LEFT = 0, 2, 1


@quick_jit
def answer(cards, bidders):
    return choose_bid(hand_of(cards), bidders, jnp.int32(ME))


def bid(hand, *said):
    """Return the answer to bids, from a hand such as "AKQ2.AKQ.AK2.432" of ♠ ♥ ♦ ♣."""
    cards = np.zeros(52, bool)
    for suit, ranks in zip((3, 2, 1, 0), hand.split("."), strict=True):
        for rank in ranks:
            cards[13 * suit + "23456789TJQKA".index(rank)] = True
    assert cards.sum() == 13
    bidders = np.full(35, -1, np.int32)
    for seat, text in said:
        bidders[call_of(text) - BID] = seat
    found = int(answer(cards, bidders))
    return "pass" if found < 0 else f"{found // 5 + 1}{('C', 'D', 'H', 'S', 'NT')[found % 5]}"


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("K984.Q73.J62.K84", "pass"),  # 9 points
        ("AK984.Q73.J6.K84", "1S"),
        ("A4.KQ873.J6.K842", "1H"),
        ("AK9.QJ3.KJ62.Q84", "1NT"),  # 16 points, balanced
        ("AK9.QJ3.AK62.Q84", "1D"),  # 19 points
        ("AK9.AQ3.AK62.J84", "2NT"),  # 21 points
        ("4.A3.KQ862.KJ842", "1D"),  # of two suits the higher one
    ],
)
def test_bridge_heuristic_opens_with_twelve_points(hand, call):
    assert bid(hand) == call


@pytest.mark.parametrize(
    ("hand", "opening", "call"),
    [
        ("984.Q732.J62.Q84", "1S", "pass"),  # 5 points
        ("K84.Q732.J62.Q84", "1S", "2S"),
        ("KQ84.A32.K62.J84", "1S", "4S"),  # 14 points, a fit
        ("84.KQ32.J62.Q843", "1D", "1H"),
        ("J4.K32.J62.Q8432", "1S", "1NT"),
        ("K4.K32.KJ62.Q843", "1NT", "3NT"),
        ("K84.432.J62.Q843", "1NT", "pass"),
        ("AQ4.K32.KJ62.KQ4", "1NT", "6NT"),
    ],
)
def test_bridge_heuristic_answers_its_partner(hand, opening, call):
    assert bid(hand, (PARTNER, opening)) == call


def test_bridge_heuristic_does_not_pass_a_new_suit():
    assert bid("A4.K32.KJ762.Q84", (ME, "1D"), (PARTNER, "1S")) == "1NT"


def test_bridge_heuristic_rests_in_game():
    assert bid("K84.KQ32.A62.Q84", (ME, "1H"), (PARTNER, "4H")) == "pass"


def test_bridge_heuristic_overcalls_with_five_cards():
    assert bid("AQJ84.K32.J2.843", (LEFT, "1D")) == "1S"
    assert bid("AQ84.K32.J2.8432", (LEFT, "1D")) == "pass"


@pytest.mark.slow
def test_bridge_heuristic_beats_random_players():
    game = jaxcards.make("bridge/duplicate")
    returns, legal, ended = against_random(game, [[0, 1, 0, 1], [1, 0, 1, 0]], 200)
    assert legal.all() and ended.all()
    gain = (returns[:, 0, 0] + returns[:, 1, 1]) / 2
    mean, half = interval(gain)
    assert mean - half > 100
