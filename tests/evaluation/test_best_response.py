"""Exact exploitability against a slow recursion, with known values, and where it must be 0."""

import functools
import itertools
from collections import defaultdict

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes.players import Lowest
from support.marks import by_cost

import jaxcards
from jaxcards import xla
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.players import make_player
from jaxcards.errors import UserError
from jaxcards.evaluation import exploitability
from jaxcards.evaluation.best_response import Pure, short_decks, uniform
from jaxcards.testing.deals import quick_jit

ONE = jaxcards.make("rikiki", num_players=3, schedule=(1,), miss_trick=1)
TWO = jaxcards.make("rikiki", num_players=3, schedule=(2,), miss_trick=1)
NETWORK = NetworkAgent(ONE, (8,))


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


@functools.cache
def deals(game, cards, dealers=(0,), number=None):
    """Every way to deal these cards, by each dealer; or some of them, chosen by chance."""
    size = game.rules.schedule[0]
    decks = short_decks(cards, (size,) * 3 + (1,), 52)
    if number:
        decks = np.random.default_rng(0).permutation(decks)[:number]
    decks, dealers = np.repeat(decks, len(dealers), 0), np.tile(dealers, len(decks))
    return jax.device_get(quick_jit(jax.vmap(game.init_from_deck))(decks, dealers))


def slow(game, policy, params, deals):
    """Return the gains by plain recursion: a best response acts by its player's observations."""
    players = range(game.num_players)

    @quick_jit
    def look(state):
        observation = game.observe(state, state.current_player)
        legal = game.legal_actions(state)
        weights = jnp.where(legal.mask(), policy(params, observation, legal), 0)
        return state.current_player, state.terminated, game.returns(state), weights, observation

    step = quick_jit(game.step)
    number = len(jax.tree.leaves(deals)[0])

    def walk(state):
        """Return a tree of (returns) or (player, observation, {action: (chance, tree)})."""
        player, over, returns, weights, observation = jax.device_get(look(state))
        if over:
            return np.asarray(returns, float)
        weights = np.asarray(weights, float)
        chances = weights / weights.sum()
        mask = np.asarray(game.legal_action_mask(state))
        seen = b"".join(np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(observation))
        after = {int(a): (chances[a], walk(step(state, a))) for a in np.flatnonzero(mask)}
        return int(player), seen, after

    trees = [walk(jax.tree.map(lambda leaf, i=i: leaf[i], deals)) for i in range(number)]

    def value(tree):
        if isinstance(tree, np.ndarray):
            return tree
        return sum(chance * value(child) for chance, child in tree[2].values())

    def best(seat):
        nodes = defaultdict(list)  # situation -> (counterfactual reach, actions)

        def collect(tree, reach):
            if isinstance(tree, np.ndarray):
                return
            player, seen, after = tree
            if player == seat:
                nodes[seen].append((reach, after))
            for chance, child in after.values():
                collect(child, reach if player == seat else reach * chance)

        for tree in trees:
            collect(tree, 1 / number)

        @functools.cache
        def choice(seen):
            def worth(action):
                return sum(reach * answer(after[action][1]) for reach, after in nodes[seen])

            return max(nodes[seen][0][1], key=worth)

        def answer(tree):
            if isinstance(tree, np.ndarray):
                return tree[seat]
            player, seen, after = tree
            if player == seat:
                return answer(after[choice(seen)][1])
            return sum(chance * answer(child) for chance, child in after.values())

        return sum(answer(tree) for tree in trees) / number

    return sum(map(value, trees)) / number, [best(seat) for seat in players]


def network_params():
    """So large that the policy is far from uniform."""
    return jax.tree.map(lambda leaf: 8 * leaf, NETWORK.init(jax.random.key(4), ONE))


# Diamonds and hearts; the card that is turned up decides on trumps.
CASES = {
    "uniform": lambda: (ONE, uniform, (), deals(ONE, (13, 14, 26, 27))),
    "network": lambda: (ONE, NETWORK.probabilities, network_params(), deals(ONE, (13, 14, 26, 27))),
    "heuristic": lambda: (ONE, Pure(make_player("heuristic", ONE)), (), deals(ONE, (13, 20, 26, 38))),
    "two tricks": lambda: (TWO, uniform, (), deals(TWO, (1, 13, 14, 15, 26, 27, 30), number=4)),
    # A best response must know what to do where the policy itself would never have come.
    "lowest": lambda: (TWO, Pure(Lowest()), 0, deals(TWO, (1, 13, 14, 15, 26, 27, 30), number=4)),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", by_cost(CASES, {*CASES} - {"uniform"}))
def test_against_a_slow_recursion(case):
    game, policy, params, some = CASES[case]()
    found = exploitability(game, policy, params, some, batch=64)
    values, best = slow(game, policy, params, some)
    tolerance = 1e-6 if case == "network" else 1e-9  # its logits are rounded to float32
    np.testing.assert_allclose(found.values, values, atol=tolerance)
    np.testing.assert_allclose(found.best, best, atol=tolerance)
    assert found.nash_conv == pytest.approx(sum(best) - values.sum(), abs=3 * tolerance)
    assert all(gain > 1e-3 for gain in found.gains) == (case != "heuristic")


@pytest.mark.slow
def test_the_batch_changes_nothing():
    game, policy, params, some = CASES["two tricks"]()
    whole, parts = (exploitability(game, policy, params, some, batch) for batch in (4096, 7))
    assert whole == parts


@pytest.mark.slow
def test_a_best_response_plays_the_same_in_all_deals_that_look_the_same():
    """With one deal the seat knows all cards; with more it gains less than the mean of those."""
    some = deals(ONE, (13, 14, 15, 26, 27), number=40)
    number = len(jax.tree.leaves(some)[0])
    together = exploitability(ONE, uniform, (), some)
    single = [
        exploitability(ONE, uniform, (), jax.tree.map(lambda leaf, i=i: leaf[i : i + 1], some))
        for i in range(number)
    ]
    np.testing.assert_allclose(together.values, np.mean([one.values for one in single], axis=0))
    assert together.nash_conv < np.mean([one.nash_conv for one in single]) - 0.1


@pytest.mark.slow
def test_what_observations_forget_changes_nothing(monkeypatch):
    """Ours have perfect recall: without a memory of its own a player knows as much."""
    from jaxcards.evaluation import histories

    game, policy, params, some = CASES["two tricks"]()
    found = exploitability(game, policy, params, some)
    monkeypatch.setattr(histories, "_remembered", lambda key, action: 0 * key)
    histories._functions.cache_clear()
    assert exploitability(game, policy, params, some) == found
    histories._functions.cache_clear()


def nothing(params, observation, legal):
    return jnp.zeros(legal.layout.num_actions)


def test_a_policy_without_weights():
    with pytest.raises(UserError, match="at least one above 0"):
        exploitability(ONE, nothing, (), CASES["uniform"]()[-1])


@pytest.mark.slow
def test_probabilities_are_those_of_the_agent():
    """Of many draws each action has its share, under the game's own names and not the network's."""
    game = jaxcards.make("rikiki", num_players=3, schedule=(4,))
    agent = NetworkAgent(game, (8,))
    params = jax.tree.map(lambda leaf: 8 * leaf, agent.init(jax.random.key(3), game))

    @quick_jit
    @functools.partial(jax.vmap, in_axes=(None, None, 0))
    def draw(params, state, key):
        observation = game.observe(state, state.current_player)
        return agent.act(params, observation, game.legal_actions(state), key)

    state = game.init(jax.random.key(5))
    for action in (52, 53, 54):  # three bids, then cards
        state = game.step(state, jnp.int32(action))
    observation, legal = game.observe(state, state.current_player), game.legal_actions(state)
    cards = np.arange(game.num_actions, dtype=np.int32)[np.asarray(legal.mask())]
    assert (jax.vmap(lambda a: agent.encoding.action(observation, a))(cards) != cards).any()
    found = np.asarray(quick_jit(agent.probabilities)(params, observation, legal))
    actions = draw(params, state, jax.random.split(jax.random.key(1), 20000))
    shares = np.bincount(actions, minlength=game.num_actions) / 20000
    assert (found[~np.asarray(legal.mask())] == 0).all() and found.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(shares, found, atol=0.02)
    assert found.max() - found[np.asarray(legal.mask())].min() > 0.1
    greedy = NetworkAgent(game, (8,), greedy=True)
    chosen = np.asarray(quick_jit(greedy.probabilities)(params, observation, legal))
    assert chosen.tolist() == (found == found.max()).astype(float).tolist()


def test_short_decks():
    found = short_decks((9, 5, 7, 3), (1, 2), 12)
    assert found.shape == (12, 12) and (np.sort(found, axis=1) == np.arange(12)).all()
    dealt = {(deck[0], frozenset(deck[1:3]), deck[3]) for deck in found.tolist()}
    expected = {(a, frozenset((b, c)), d) for a, b, c, d in itertools.permutations((3, 5, 7, 9))}
    assert dealt == expected and len(dealt) == 12
