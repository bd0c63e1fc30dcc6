"""Small games and endings: their deals, and their trees of histories."""

import dataclasses
import importlib
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.errors import UserError
from jaxcards.evaluation import histories
from jaxcards.evaluation.best_response import exploitability, uniform
from jaxcards.evaluation.histories import game_tree
from jaxcards.evaluation.small_games import endings, every_deal
from jaxcards.games.rikiki.small import small_rikiki
from jaxcards.testing.deals import quick_jit

DUEL = small_rikiki(players=2, suits=2, ranks=3, tricks=1)


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


def test_every_deal_comes_once_and_init_draws_among_them():
    deals = every_deal(DUEL)
    assert len(deals.public.dealer) == 6 * 5 * 4 * 2

    def name(state):
        hands = [np.asarray(jnp.stack(hand.words, -1)) for hand in state.hands]
        rows = [*np.concatenate(hands, 1).T, state.public.turnup, state.public.dealer]
        return set(zip(*(np.asarray(row).tolist() for row in rows), strict=True))

    drawn = quick_jit(jax.vmap(DUEL.init))(jax.random.split(jax.random.key(0), 2000))
    assert len(name(deals)) == 240 and name(drawn) == name(deals)


def test_a_duel_is_zero_sum():
    found = exploitability(DUEL, uniform, (), every_deal(DUEL))
    assert sum(found.values) == pytest.approx(0) and found.nash_conv > 1
    assert found.gains[0] == pytest.approx(found.gains[1])


@pytest.mark.slow
def test_chunks_change_nothing(monkeypatch):
    deals = every_deal(DUEL)
    whole = game_tree(DUEL, deals)
    monkeypatch.setattr(histories, "_STATES", 40)
    parts = game_tree(DUEL, deals, batch=64)
    assert parts.num_nodes == whole.num_nodes
    assert parts.num_information_sets == whole.num_information_sets
    one, other = (exploitability(DUEL, uniform, (), tree) for tree in (whole, parts))
    np.testing.assert_allclose(one.best, other.best, atol=1e-12)
    np.testing.assert_allclose(one.values, other.values, atol=1e-12)


def test_keys_that_share_64_bits_are_refused():
    numbers = histories._Numbers()
    keys = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4]], np.uint32)
    found, new = numbers.of(keys)
    assert sorted(found.tolist()) == [0, 0, 1] and found[0] == found[2] and len(new) == 2
    again, none = numbers.of(keys[:2])
    assert (again == found[:2]).all() and not len(none)
    with pytest.raises(RuntimeError, match="64 bits"):
        numbers.of(np.array([[1, 2, 0, 0]], np.uint32))


@pytest.mark.parametrize(
    "given, words",
    [({"tricks": 3}, "need 7 cards, not 6"), ({"players": 8}, "num_players")],
)
def test_impossible_games(given, words):
    with pytest.raises(UserError, match=words):
        small_rikiki(**({"players": 2, "suits": 2, "ranks": 3, "tricks": 1} | given))
    with pytest.raises(UserError, match="two players"):
        dataclasses.replace(small_rikiki(3, 2, 3, 1), duel=True)


def ending(id, cards):
    """Return a deal of random play whose hands have this number of cards left."""
    game, rng = jaxcards.make(id), np.random.default_rng(0)
    look = quick_jit(lambda state: (game.legal_action_mask(state), game.cards_to_play(state)))
    step, state = quick_jit(game.step), game.init(jax.random.key(1))
    while (look(state)[1] > cards).any():
        state = step(state, jnp.int32(rng.choice(np.flatnonzero(look(state)[0]))))
    return game, state


@pytest.mark.slow
@pytest.mark.parametrize("id", ["jass", "euchre", "skat"])
def test_endings_have_the_same_past(id):
    game, state = ending(id, 2)
    found = endings(game, state)
    number = len(jax.tree.leaves(found)[0])
    players = len(game.card_places(state).hands)
    assert 1 < number <= {3: 90, 4: 2520}[players]
    for leaf, known in zip(jax.tree.leaves(found.public), jax.tree.leaves(state.public), strict=True):
        assert (np.asarray(leaf) == np.asarray(known)).all()
    same = [
        np.asarray(leaf) == np.asarray(known)
        for leaf, known in zip(jax.tree.leaves(found), jax.tree.leaves(state), strict=True)
    ]
    flat = [one.reshape(number, -1).all(1) for one in same]
    assert np.all(flat, axis=0).sum() == 1  # the deal itself is one of them
    gains = exploitability(game, uniform, (), found)
    assert sum(gains.values) == pytest.approx(0, abs=1e-3) and gains.nash_conv >= 0


@pytest.mark.slow
def test_learners_of_the_study_become_harder_to_exploit(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    study = importlib.import_module("experiments.small_games.study")
    monkeypatch.setattr(study, "TABLES", 4)
    monkeypatch.setattr(study, "SEEDS", 2)
    monkeypatch.setattr(study, "STOPS", (1024, 8192))
    monkeypatch.setattr(study, "ITERATIONS", (1, 8))
    tree = game_tree(DUEL, every_deal(DUEL))
    for name in ("Q-table", "CFR", "PPO, magnet 0.1"):
        first, last = study.measured(name, tree)["gain"]
        assert len(first) == {"Q-table": 4, "CFR": 1}.get(name, 2)
        assert np.mean(last) < 0.8 * np.mean(first)
