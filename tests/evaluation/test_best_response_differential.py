"""Exact exploitability against OpenSpiel's `nash_conv`, in Oh Hell with six cards and one trick.

OpenSpiel asks for the policy by its own information states. So the numbers agree only if players see
the same in both engines. Two tricks take OpenSpiel many minutes and gigabytes.
"""

from importlib.util import find_spec

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.evaluation.best_response import Pure, exploitability, short_decks, uniform
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
    ours = jaxcards.make(
        "rikiki",
        num_players=PLAYERS,
        schedule=(1,),
        made_linear=per_trick,
        **{"miss_diff" if penalty else "miss_trick": per_trick},
    )
    policy, params = policy_of(ours)
    decks = np.repeat(short_decks(CARDS, (1,) * (PLAYERS + 1), 52), PLAYERS, 0)
    dealers = np.tile(np.arange(PLAYERS), len(decks) // PLAYERS)
    deals = quick_jit(jax.vmap(ours.init_from_deck))(decks, dealers)
    found = exploitability(ours, policy, params, deals)
    known = nash_conv(theirs, their_policy(theirs, ours, policy, params), return_only_nash_conv=False)
    tolerance = 1e-6 if policy_of is network else 1e-9  # its logits are rounded to float32
    np.testing.assert_allclose(found.gains, known.player_improvements, atol=tolerance)
    assert found.nash_conv == pytest.approx(known.nash_conv, abs=3 * tolerance)
    assert found.nash_conv > 0.1
