"""Endings: as valuable as plain minimax says, in every family of rules."""

import functools

import jax
import numpy as np
import pytest
from support import minimax, quick

import jaxcards
from jaxcards import registry
from jaxcards.agents.search import endgame

_SIDED = [id for id in registry.games() if "/" in id and endgame.has_sides(jaxcards.make(id))]


@functools.lru_cache(maxsize=2)
def solver(id: str, cards: int):
    game = jaxcards.make(id)
    return game, quick.jit(jax.vmap(lambda state: endgame.solve(game, state, cards)))


def compare(id: str, cards: int, number: int, seed: int) -> int:
    """Compares all actions of random endings with minimax, and returns how many endings there were."""
    game, solve = solver(id, cards)
    states = minimax.endings(game, cards, number, seed)
    found = jax.tree.map(np.asarray, solve(states))
    assert found.solved.all()
    expected = minimax.values(game, states)
    assert (found.legal == ~np.isnan(expected)).all()
    own = np.where(found.legal, minimax.worth(game, states, found.returns), np.nan)
    np.testing.assert_array_equal(own, expected)
    return len(own)


@pytest.mark.parametrize("id", ["jass/schieber_1000", "euchre/standard", "sheepshead/standard"])
def test_endings_are_worth_what_minimax_says(id):
    assert compare(id, 2, 96, seed=1) > 32


@pytest.mark.slow
@pytest.mark.parametrize("cards, number", [(1, 500), (2, 1000), (3, 100)])
@pytest.mark.parametrize("id", _SIDED)
def test_all_rules(id, cards, number):
    assert compare(id, cards, number, seed=2) > number / 4


@pytest.mark.slow
@pytest.mark.parametrize("game", ["jass", "belote", "euchre", "sheepshead"])
def test_ten_thousand_endings(game):
    assert compare(registry.canonical_id(game), 2, 10_000, seed=3) > 9_000
