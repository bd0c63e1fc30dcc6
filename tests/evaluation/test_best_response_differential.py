"""Exact exploitability against OpenSpiel's `nash_conv`, in Oh Hell with a few cards.

OpenSpiel asks for the policy by its own information states. So the numbers agree only if players see the
same in both engines.
"""

from importlib.util import find_spec

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from games.rikiki.peers import OS_SUITS
from jaxcards import xla
from jaxcards.agents.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.evaluation.best_response import Pure, exploitability, short_decks, uniform
from jaxcards.testing.deals import quick_jit

pytestmark = [
    pytest.mark.differential,
    pytest.mark.skipif(find_spec("open_spiel") is None, reason="open_spiel is not installed"),
]
PLAYERS = 3


def compare(tricks: int, suits: int, ranks: int, score: dict, policy_of) -> None:
    """Both engines play `policy_of(game)` = (policy, params) with every deal of a short deck."""
    import pyspiel
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms.exploitability import nash_conv

    penalty = score["off_bid_penalty"]
    theirs = pyspiel.load_game(
        "oh_hell",
        {
            "players": PLAYERS,
            "num_suits": suits,
            "num_cards_per_suit": ranks,
            "num_tricks_fixed": tricks,
            **score,
        },
    )
    rule = "miss_diff" if penalty else "miss_trick"
    per_trick = score["points_per_trick"]
    ours = jaxcards.make(
        "rikiki",
        num_players=PLAYERS,
        schedule=(tricks,),
        made_linear=per_trick,
        **{rule: per_trick},
    )
    policy, params = policy_of(ours)
    # OpenSpiel counts rank by rank; of two suits the first are clubs and diamonds.
    cards = [13 * OS_SUITS[card % suits] + card // suits for card in range(suits * ranks)]
    numbers = {ours_: number for number, ours_ in enumerate(cards)}
    decks = np.repeat(short_decks(cards, (tricks,) * PLAYERS + (1,), 52), PLAYERS, 0)
    dealers = np.tile(np.arange(PLAYERS), len(decks) // PLAYERS)
    init = quick_jit(ours.init_from_deck)
    found = exploitability(ours, policy, params, jax.vmap(init)(decks, dealers))

    step = quick_jit(ours.step)

    @quick_jit
    def probabilities(state):
        observation, legal = ours.observe(state, state.current_player), ours.legal_actions(state)
        return jnp.where(legal.mask(), policy(params, observation, legal), 0)

    class Same(policies.Policy):
        """Our policy, asked in our replay of their history."""

        known: dict = {}

        def action_probabilities(self, state, player_id=None):
            key = state.information_state_string()
            if key not in self.known:
                self.known[key] = self.ask(state)
            return self.known[key]

        def ask(self, state):
            _, dealer, *rest = state.history()
            dealt = PLAYERS * tricks
            hands = [cards[rest[i]] for seat in range(PLAYERS) for i in range(seat, dealt, PLAYERS)]
            top = cards[rest[dealt]]
            others = [card for card in range(52) if card not in [*hands, top]]
            replay = init(np.array([*hands, top, *others]), dealer)
            for action in rest[dealt + 1 :]:
                replay = step(replay, jnp.int32(named(action)))
            chances = np.asarray(probabilities(replay), float)
            return {action: chances[named(action)] / chances.sum() for action in state.legal_actions()}

    def named(action):
        """Our action of one of theirs: a card, or behind all cards a bid."""
        return cards[action] if action < len(numbers) else 52 + action - len(numbers)

    known = nash_conv(
        theirs,
        Same(theirs, list(range(PLAYERS))),
        return_only_nash_conv=False,
        use_cpp_br=False,
    )
    tolerance = 1e-9 if policy_of is not network else 1e-6  # its logits are rounded to float32
    np.testing.assert_allclose(found.gains, known.player_improvements, atol=tolerance)
    assert found.nash_conv == pytest.approx(known.nash_conv, abs=3 * tolerance)
    assert found.nash_conv > 0.1


def at_random(game):
    return uniform, ()


def heuristic(game):
    return Pure(make_player("heuristic", game)), ()


def network(game):
    agent = NetworkAgent(game, (8,))
    params = agent.init(jax.random.key(2), game)
    return agent.probabilities, jax.tree.map(lambda leaf: 8 * leaf, params)


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


@pytest.mark.parametrize("policy_of", [at_random, heuristic, network])
@pytest.mark.parametrize("penalty, per_trick", [(False, 1), (True, 3)])
def test_one_trick(policy_of, penalty, per_trick):
    compare(1, 2, 3, {"off_bid_penalty": penalty, "points_per_trick": per_trick}, policy_of)


@pytest.mark.slow
@pytest.mark.parametrize("policy_of", [at_random])
def test_two_tricks(policy_of):
    compare(2, 1, 7, {"off_bid_penalty": False, "points_per_trick": 1}, policy_of)
