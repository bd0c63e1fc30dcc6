"""Contests of Weis that the examples leave out."""

import jax.numpy as jnp
import pytest

import jaxcards
from jaxcards.games.jass.play import DECK

# Seat 0 has ♦10-J-Q and ♣J-Q-K, seat 3, who is earlier in order, ♥Q-K-A.
DECK_OF_TWO_RUNS = [
    23, 27, 11, 2, 28, 19, 7, 32, 10, 17, 12, 35, 33, 22, 18, 30, 20, 9, 13, 25, 3, 31, 29, 24, 26,
    1, 21, 0, 14, 15, 4, 34, 5, 16, 6, 8,
]  # fmt: skip


@pytest.mark.parametrize(("height", "expected"), [(True, (20, 20)), (False, (60, 0))])
def test_without_height_any_of_the_longest_runs_may_be_in_trumps(height, expected):
    """With height the ace wins; without, the run in trumps, although its owner has a higher one."""
    game = jaxcards.make("jass", weis_height=height)
    state = game.init_from_deck(DECK_OF_TWO_RUNS, 0)
    assert {4, 5, 6, 14, 15, 16} <= set(state.hands[0].to_list())
    assert set(DECK.cards("Qh Kh Ah")) <= set(state.hands[3].to_list())
    state = game.step(state, jnp.int32(game.string_to_action("choose c")))
    # King and queen of clubs in seat 0 are worth another 20 in either case.
    assert game.points(state).tolist() == [*expected, *expected]
