"""Endings of French rules beside colver, and endings of Bridge and Spades beside DDS."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.search import endgame
from jaxcards.games.belote.game import Belote
from jaxcards.rollouts import recorded_rollout

pytestmark = [pytest.mark.slow, pytest.mark.differential]

_BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
_CAPOT = 90  # colver counts 252 points for all tricks


class ForCardPoints(Belote):
    """Contrée for nothing but card points, which is what colver solves."""

    def returns(self, state):
        points = self.progress(state)
        points = points + _CAPOT * (points == 162)
        return (points - points[jnp.array([1, 0, 1, 0])]).astype(jnp.float32)


def ending(game, key, wait, cards):
    """Return a random deal, its actions, the number of actions before the ending, and the ending."""
    start = game.init(key)
    _, steps = recorded_rollout(game, RandomAgent(), (), key)
    calls = ((steps.action >= 32) & steps.valid).sum()
    cut = calls + 32 - 4 * cards + wait

    def step(state, turn):
        action, time = turn
        after = game.step(state, action)
        return jax.tree.map(lambda a, b: jnp.where(time < cut, a, b), after, state), None

    times = jnp.arange(game.max_steps)
    state, _ = jax.lax.scan(step, start, (steps.action, times))
    return start.hands, start.public.dealer, steps.action, cut, state


@pytest.mark.parametrize("cards, number", [(2, 1000), (3, 1000), (4, 200)])
def test_colver_finds_the_same_values(cards, number):
    colver = pytest.importorskip("jaxcards.opponents.colver", exc_type=ImportError)
    game = ForCardPoints(jaxcards.make("belote/contree").rules)
    keys = jax.random.split(jax.random.key(cards), number)
    wait = jnp.arange(number) % 4
    play = quick.jit(jax.vmap(lambda key, wait: ending(game, key, wait, cards)))
    hands, dealer, actions, cut, states = play(keys, wait)
    found = quick.jit(jax.vmap(lambda state: endgame.solve(game, state, cards)))(states)
    solved, returns, player = map(np.asarray, (found.solved, found.returns, states.current_player))
    masks = np.stack([np.asarray(jax.vmap(lambda cards: cards.mask())(hand)) for hand in hands], 1)
    actions, cut = np.asarray(actions), np.asarray(cut)
    compared = 0
    for deal in np.flatnonzero(solved):
        theirs = colver.ColverDeal(
            [np.flatnonzero(own).tolist() for own in masks[deal]], int(dealer[deal])
        )
        for action in actions[deal, : cut[deal]].tolist():
            theirs.step(action)
        assert theirs.current_player == player[deal]
        ours = {}
        for action in np.flatnonzero(np.asarray(found.legal)[deal]).tolist():
            ahead = returns[deal, action, 0]
            ours[action] = (252 if ahead == 252 else 162 if ahead != -252 else 252) + ahead
        scores = theirs._env.solve_scores()["scores"]
        assert {colver._FROM_CARD[card]: 2 * points for card, points in scores} == ours
        compared += 1
    assert compared > number / 2


@pytest.mark.parametrize("id", ["bridge/duplicate", "spades/standard"])
def test_dds_finds_the_same_tricks(id, tmp_path):
    pytest.importorskip("endplay")
    command = [sys.executable, str(_BENCHMARKS / "dds.py"), "--games", id, "--cards", "6"]
    command += ["--endings", "300", "--seed", "1", "--results", str(tmp_path)]
    # The flags of the tests compile fast, but endings of six cards would take minutes.
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    subprocess.run(command, check=True, env=environment)
    (row,) = json.loads((tmp_path / "dds.json").read_text())["rows"]
    assert row["endings"] == row["agree"] == 300
