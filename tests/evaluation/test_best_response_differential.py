"""Exact exploitability against OpenSpiel's `nash_conv`, in Oh Hell with few cards and one trick.

OpenSpiel asks for the policy by its own information states. So the numbers agree only if players see
the same in both engines. Two tricks take OpenSpiel many minutes and gigabytes.
"""

import dataclasses
import importlib
from importlib.util import find_spec
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

from jaxcards import xla
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.evaluation.best_response import Pure, exploitability, gains, uniform
from jaxcards.evaluation.histories import game_tree
from jaxcards.evaluation.small_games import every_deal
from jaxcards.games.rikiki.small import small_rikiki
from jaxcards.testing.deals import quick_jit

pytestmark = [
    pytest.mark.differential,
    pytest.mark.skipif(find_spec("open_spiel") is None, reason="open_spiel is not installed"),
]
PLAYERS, SUITS, RANKS = 3, 2, 3
# OpenSpiel counts rank by rank; its first suits are clubs and diamonds, as ours are.
CARDS = [13 * (card % SUITS) + card // SUITS for card in range(SUITS * RANKS)]


def at_random(game):
    return uniform, ()


def heuristic(game):
    return Pure(make_player("heuristic", game)), ()


def network(game):
    agent = NetworkAgent(game, (8,))
    params = agent.init(jax.random.key(2), game)
    return agent.probabilities, jax.tree.map(lambda leaf: 8 * leaf, params)


def our_action(action: int) -> int:
    """Our action of one of theirs: a card, or behind all cards a bid."""
    return CARDS[action] if action < len(CARDS) else 52 + action - len(CARDS)


def their_policy(theirs, ours, policy, params):
    """Our policy for OpenSpiel, asked in our replay of each history."""
    from open_spiel.python.policy import Policy

    init, step = quick_jit(ours.init_from_deck), quick_jit(ours.step)

    @quick_jit
    def weights(state):
        observation, legal = ours.observe(state, state.current_player), ours.legal_actions(state)
        return jnp.where(legal.mask(), policy(params, observation, legal), 0)

    class Same(Policy):
        known: dict = {}

        def action_probabilities(self, state, player_id=None):
            key = state.information_state_string()
            if key not in self.known:
                self.known[key] = self.ask(state)
            return self.known[key]

        def ask(self, state):
            _, dealer, *rest = state.history()  # the first is the number of tricks
            dealt = [CARDS[card] for card in rest[: PLAYERS + 1]]
            others = [card for card in range(52) if card not in dealt]
            replay = init(np.array([*dealt, *others]), dealer)
            for action in rest[PLAYERS + 1 :]:
                replay = step(replay, jnp.int32(our_action(action)))
            found = np.asarray(weights(replay), float)
            return {a: found[our_action(a)] / found.sum() for a in state.legal_actions()}

    return Same(theirs, list(range(PLAYERS)))


@pytest.mark.parametrize(
    "policy_of, penalty, per_trick",
    [
        pytest.param(at_random, False, 1, marks=pytest.mark.slow),
        pytest.param(heuristic, False, 3, marks=pytest.mark.slow),
        pytest.param(network, True, 1, marks=pytest.mark.slow),
    ],
)
def test_gains_of_best_responses(policy_of, penalty, per_trick, monkeypatch):
    import pyspiel
    from open_spiel.python.algorithms.exploitability import nash_conv

    monkeypatch.setattr(xla, "jit", quick.jit)
    size = {"num_suits": SUITS, "num_cards_per_suit": RANKS, "num_tricks_fixed": 1}
    score = {"off_bid_penalty": penalty, "points_per_trick": per_trick}
    theirs = pyspiel.load_game("oh_hell", {"players": PLAYERS, **size, **score})
    rules = {"made_linear": per_trick, "miss_trick": 0}
    rules["miss_diff" if penalty else "miss_trick"] = per_trick
    ours = small_rikiki(PLAYERS, SUITS, RANKS, 1, **rules)
    policy, params = policy_of(ours)
    found = exploitability(ours, policy, params, every_deal(ours))
    known = nash_conv(theirs, their_policy(theirs, ours, policy, params), return_only_nash_conv=False)
    tolerance = 1e-6 if policy_of is network else 1e-9  # its logits are rounded to float32
    np.testing.assert_allclose(found.gains, known.player_improvements, atol=tolerance)
    assert found.nash_conv == pytest.approx(known.nash_conv, abs=3 * tolerance)
    assert found.nash_conv > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("policy_of", [at_random, network])
def test_a_duel(policy_of, monkeypatch):
    """Oh Hell takes three players or more. So OpenSpiel plays our game of two players."""
    import pyspiel
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import TabularPolicy

    from jaxcards.interop import openspiel

    monkeypatch.setattr(xla, "jit", quick.jit)
    ours = small_rikiki(players=2, suits=2, ranks=2, tricks=1)
    given = {"rules": "num_players:2 schedule:1 miss_trick:1", "cards": "2c 3c 2d 3d"}
    theirs = pyspiel.load_game(f"{openspiel.PREFIX}rikiki", given)
    theirs.settings = dataclasses.replace(theirs.settings, game=ours)
    assert theirs.settings.cards == ours.cards
    policy, params = policy_of(ours)
    same = TabularPolicy(theirs)
    for place, state in enumerate(same.states):
        deal, legal = state.deal, ours.legal_actions(state.deal)
        observation = ours.observe(deal, deal.current_player)
        weights = np.where(legal.mask(), policy(params, observation, legal), 0).astype(float)
        same.action_probability_array[place] = weights / weights.sum()
    found = exploitability(ours, policy, params, every_deal(ours))
    known = nash_conv(theirs, same, return_only_nash_conv=False)
    np.testing.assert_allclose(found.gains, known.player_improvements, atol=1e-6)
    assert found.nash_conv > 0.1


@pytest.mark.slow
def test_counterfactual_regret(monkeypatch):
    """The study's solver has the exploitability of OpenSpiel's, iteration by iteration."""
    import pyspiel

    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    cfr = importlib.import_module("experiments.small_games.learners").cfr
    ours = small_rikiki(PLAYERS, SUITS, RANKS, 1)
    size = {"num_suits": SUITS, "num_cards_per_suit": RANKS, "num_tricks_fixed": 1}
    theirs = pyspiel.load_game("oh_hell", {"players": PLAYERS, **size})
    tree, solver = game_tree(ours, every_deal(ours)), pyspiel.CFRSolver(theirs)
    for _, chances in cfr(tree, range(1, 6)):
        solver.evaluate_and_update_policy()
        with jax.enable_x64(True):
            values, best = jax.jit(gains, static_argnums=1)(tree.depths, tree.num_deals, chances[0])
        known = pyspiel.nash_conv(theirs, solver.average_policy())
        assert (best - values).sum() == pytest.approx(known, abs=1e-9)
