"""Our games as games of OpenSpiel: its random test, searches, CFR; and its policies at our tables."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import records
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.rollouts import rollout

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, ismcts, mcts  # noqa: E402

from jaxcards.interop import openspiel  # noqa: E402
from jaxcards.interop.openspiel_policies import OpenSpielAgent  # noqa: E402
from jaxcards.interop.openspiel_settings import read_settings  # noqa: E402

TINY = {"rules": "num_players:3 schedule:1", "cards": "Ad Kd Qh Jh"}
DEFAULT = ("jass", "belote", "euchre", "rikiki", "sheepshead", "hearts", "spades", "skat")
DEFAULT += ("bridge",)
OTHERS = {
    "differenzler": ("jass", {"preset": "differenzler"}),
    "coinche": ("belote", {"preset": "coinche"}),
    "three": ("euchre", {"preset": "three_handed"}),
    "dummy": ("euchre", {"preset": "dummy_partner"}),
    "round": ("rikiki", {"round": 3}),
    "six": ("sheepshead", {"preset": "six_called"}),
    "deals": ("euchre", {"deals": 5, "seed": 2}),
}


@pytest.fixture
def tiny():
    return pyspiel.load_game("jaxcards_rikiki", TINY)


def after_chance(game, choose=lambda outcomes: outcomes[0][0]):
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(choose(state.chance_outcomes()))
    return state


@pytest.mark.slow
def test_their_random_test(tiny):
    pyspiel.random_sim_test(tiny, 3, True, False)
    assert str(pyspiel.load_game(str(tiny))) == str(tiny)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFAULT)
def test_every_game_loads_by_its_name(name):
    game = pyspiel.load_game(f"jaxcards_{name}")
    pyspiel.random_sim_test(game, 2, True, False)
    assert game.num_players() == jaxcards.make(name).num_players


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_parameters(name):
    own, given = OTHERS[name]
    pyspiel.random_sim_test(pyspiel.load_game(f"jaxcards_{own}", given), 2, True, False)


def test_play_is_ours(tiny):
    """Chance deals what the record of the deal says, and everything agrees until the end."""
    game = read_settings("rikiki", TINY).game
    record = records.play_deal(game, RandomAgent(), (), jax.random.key(0))
    full = pyspiel.load_game("jaxcards_rikiki", {"rules": TINY["rules"]})
    state = full.new_initial_state()
    for outcome in (record.dealer, *record.deck):
        assert outcome in [action for action, _ in state.chance_outcomes()]
        assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(outcome)
    replayed = records.replay(record)
    masks = np.asarray(quick.jit(jax.vmap(game.legal_action_mask))(replayed.states))
    for number, action in enumerate(record.actions):
        before = replayed.state(number)
        assert state.current_player() == int(before.current_player)
        assert state.legal_actions() == np.flatnonzero(masks[number]).tolist()
        player = state.current_player()
        assert state.action_to_string(player, action) == game.action_to_string(action)
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == game.returns(replayed.state(len(replayed))).tolist()


def test_information_states_tell_apart_what_players_know(tiny):
    """Of all deals: the same string and tensor if, and only if, the player holds and sees the same."""
    seen: dict[str, set] = {}
    for dealer, order in itertools.product(range(3), itertools.permutations(range(4))):
        state = tiny.new_initial_state()
        state.apply_action(dealer)
        for place in order:
            state.apply_action(tiny.settings.cards[place])
        for player in range(3):
            known = (player, dealer, order[player], order[3])  # its card and the one turned up
            text = state.information_state_string(player)
            tensor = tuple(state.information_state_tensor(player))
            seen.setdefault(text, set()).add((known, tensor))
    assert len(seen) == 3 * 3 * 4 * 3 and all(len(known) == 1 for known in seen.values())


def test_a_search_over_information_states_runs(tiny):
    rng = np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(
        game=tiny, evaluator=evaluator, uct_c=20.0, max_simulations=30, random_state=rng
    )
    state = after_chance(tiny)
    assert bot.step(state) in state.legal_actions()


def test_resampling_keeps_what_the_player_knows(tiny):
    sampler = np.random.RandomState(1).random_sample
    hands = set()
    state = after_chance(tiny)
    player = state.current_player()
    for _ in range(12):
        other = state.resample_from_infostate(player, sampler)
        assert other.information_state_string(player) == state.information_state_string(player)
        hands.add(other.information_state_string((player + 1) % 3))
    assert len(hands) > 1 and state.information_state_string((player + 1) % 3)


@pytest.mark.slow
def test_cfr_learns_a_tiny_deck_and_plays_at_our_table():
    """One against two who play at random: the policy of CFR earns what its game says."""
    given = {**TINY, "deals": 6, "seed": 1, "cards": ""}
    game = pyspiel.load_game("jaxcards_rikiki", given)
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    uniform = policies.UniformRandomPolicy(game)

    def worth(seat):
        those = [average if player == seat else uniform for player in range(3)]
        found = expected_game_score.policy_value(game.new_initial_state(), those)
        return found[seat]

    drawn = expected_game_score.policy_value(game.new_initial_state(), [uniform] * 3)
    assert all(worth(seat) >= drawn[seat] for seat in range(3))
    assert sum(worth(seat) - drawn[seat] for seat in range(3)) > 0.5
    own = game.settings.game
    agent = OpenSpielAgent(own, average)
    keys = openspiel.deal_keys(jnp.uint32(1), jnp.arange(6, dtype=jnp.uint32))

    def play(key):
        return rollout(own, [agent, RandomAgent()], [(), ()], key, seats=[0, 1, 1]).returns[0]

    assert np.isfinite(jax.jit(jax.vmap(play))(keys)).all()


def test_a_policy_of_theirs_is_asked_what_its_own_game_would_ask(tiny):
    """At the same moment both give the policy the same information state, and it decides."""
    asked = []

    class First(policies.Policy):
        def __init__(self):
            super().__init__(tiny, list(range(3)))

        def action_probabilities(self, state, player_id=None):
            asked.append(
                (
                    state.current_player(),
                    state.information_state_string(),
                    tuple(state.information_state_tensor()),
                    tuple(state.legal_actions()),
                )
            )
            return {
                action: float(action == state.legal_actions()[0]) for action in state.legal_actions()
            }

    own, state = tiny.settings.game, after_chance(tiny)
    agent = OpenSpielAgent(own, First())

    @quick.jit
    def act(deal):
        observation = own.observe(deal, deal.current_player)
        return agent.act((), observation, own.legal_actions(deal), jax.random.key(0))

    while not state.is_terminal():
        action = int(act(state.deal))
        assert action == state.legal_actions()[0]
        agent.policy.action_probabilities(state)
        ours, theirs = asked[-2:]
        assert ours == theirs
        state.apply_action(action)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"preset": "plane"}, "unknown preset"),
        ({"rules": "players:3"}, "players"),
        ({"rules": "num_players=3"}, "rules are written name:value"),
        ({"round": 1, **TINY}, "round must be 0 to 0"),
        ({"cards": "Ad Ad"}, "cards must be different cards"),
        ({"cards": "Zz"}, "Zz"),
        ({"deals": -1}, "deals must be 0 or more"),
    ],
)
def test_bad_parameters(given, words):
    with pytest.raises(UserError, match=words):
        read_settings("rikiki", given)


def test_what_is_no_policy():
    with pytest.raises(UserError, match=r"action_probabilities\(state\), but dict lacks it"):
        OpenSpielAgent(jaxcards.make("jass"), {})
