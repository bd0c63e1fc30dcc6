"""Search: its values are those of plain loops, it leaves the policy on evidence alone, and it gains."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import analyse, scores
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.rollouts import recorded_rollout
from jaxcards.xla import prng

GAME = jaxcards.make("rikiki", num_players=3, schedule=(4,))
NETWORK = NetworkAgent(GAME, (8,))
WORLDS, CANDIDATES = 8, 4


@pytest.fixture(scope="module")
def moments():
    """Decisions of random deals: observations, legal actions and keys, calls and cards among them."""

    def play(key: jax.Array):
        _, steps = recorded_rollout(GAME, RandomAgent(), (), key)
        return steps.observation, steps.legal

    keys = jax.random.split(jax.random.key(2), 12)
    observation, legal = quick.jit(jax.vmap(play))(keys)
    merge = lambda x: x.reshape(-1, *x.shape[2:])  # noqa: E731
    observation, legal = jax.tree.map(merge, (observation, legal))
    number = legal.words[0].shape[0]
    return observation, legal, jax.random.split(jax.random.key(3), number)


def found(agent, params, moments):
    def look(observation, legal, key):
        return analyse(
            GAME, agent, params, observation, legal, key, worlds=WORLDS, candidates=CANDIDATES
        )

    return jax.tree.map(np.asarray, quick.jit(jax.vmap(look))(*moments))


@pytest.fixture(scope="module")
def by_network(moments):
    params = NETWORK.init(jax.random.key(0), GAME)
    return params, found(NETWORK, params, moments)


@pytest.mark.slow
def test_candidates_are_the_likeliest_legal_actions(moments, by_network):
    params, analysis = by_network
    observation, legal, _ = moments
    mask = np.asarray(jax.vmap(lambda one: one.mask())(legal))
    log_probability = np.asarray(
        jax.vmap(NETWORK.log_probabilities, in_axes=(None, 0, 0))(params, observation, legal)
    )
    for row in range(len(mask)):
        own = analysis.action[row][analysis.legal[row]]
        best = sorted(np.flatnonzero(mask[row]), key=lambda a, r=row: -log_probability[r, a])
        assert own.tolist() == [int(a) for a in best[:CANDIDATES]]
        np.testing.assert_allclose(
            analysis.policy[row][: len(own)], np.exp(log_probability[row, own]), rtol=1e-5
        )
    # What stands in for a missing candidate is the first one, played with the same luck.
    assert (analysis.gain[~analysis.legal] == 0).all() and (~analysis.legal).any()


@pytest.mark.slow_after(1)
def test_values_are_those_of_plain_loops(moments):
    """Deal by deal and step by step, with the random words that the search says it uses."""
    analysis = found(RandomAgent(), (), moments)
    observation, legal, keys = moments
    step = quick.jit(GAME.step)
    sample = quick.jit(GAME.sample_state)
    act = quick.jit(lambda state, key: RandomAgent().act((), None, GAME.legal_actions(state), key))
    spread = np.where(analysis.legal.all(1), np.abs(analysis.gain).max(1), 0)
    row = int(spread.argmax())
    one = jax.tree.map(lambda x: x[row], observation)
    words = prng.key_words(keys[row])
    cards, play = prng.fold(words, 0), prng.fold(words, 1)
    returns = np.zeros((WORLDS, CANDIDATES))
    for world in range(WORLDS):
        start = sample(jnp.stack(prng.fold(cards, world)), one)
        for place, action in enumerate(analysis.action[row]):
            state, time = step(start, jnp.int32(action)), 0
            while not bool(state.terminated):
                key = prng.wrap(prng.fold(prng.fold(play, world), time))
                state, time = step(state, act(state, key)), time + 1
            returns[world, place] = GAME.returns(state)[int(one.player)]
    assert spread[row] > 0
    np.testing.assert_allclose(analysis.value[row], returns.mean(0), rtol=1e-5)
    gains = returns - returns[:, :1]
    np.testing.assert_allclose(analysis.gain[row], gains.mean(0), atol=1e-5)
    error = gains.std(0, ddof=1) / np.sqrt(WORLDS)
    np.testing.assert_allclose(analysis.gain_error[row], error, atol=1e-5)


@pytest.mark.slow
def test_it_leaves_the_policy_on_evidence_alone(moments, by_network):
    legal, analysis = moments[1], by_network[1]

    def choices(agent):
        return np.asarray(jax.vmap(agent.choice)(analysis, legal))

    own = analysis.action[:, 0]
    search = SearchAgent(GAME, NETWORK)
    assert (choices(dataclasses.replace(search, threshold=1e9)) == own).all()
    played = choices(search)
    mask = np.asarray(jax.vmap(lambda one: one.mask())(legal))
    assert mask[np.arange(len(played)), played].all()
    is_call = mask[:, GAME.deck.num_cards :].any(1)
    assert (played == own)[is_call].all() and (played != own)[~is_call].any()
    assert (choices(dataclasses.replace(search, calls=True)) != own)[is_call].any()
    # Of those with enough evidence, the one with the most of it.
    row = int((played != own).argmax())
    evidence = analysis.gain[row] - analysis.gain_error[row]
    place = int(np.where(analysis.legal[row], evidence, -1).argmax())
    assert evidence[place] > 0 and played[row] == analysis.action[row, place]


@pytest.mark.slow
def test_a_decision_that_needs_no_search_costs_none(moments, by_network):
    """Calls and forced moves play the policy's choice, without playing deals out."""
    observation, legal, keys = moments
    params, _ = by_network
    agent = SearchAgent(GAME, NETWORK, worlds=2, candidates=2)
    together = np.asarray(quick.jit(jax.vmap(agent.act, (None, 0, 0, 0)))(params, *moments))
    score = jax.vmap(functools.partial(scores, NETWORK, params))(observation, legal, keys)
    masks = np.asarray(jax.vmap(lambda own: own.mask())(legal))
    calls = masks[:, GAME.deck.num_cards :].any(-1)
    settled = calls | (masks.sum(-1) == 1)
    assert (together == np.asarray(score).argmax(-1))[settled].all()
    asked = []

    class Told(NetworkAgent):
        def act(self, params, observation, legal, key):
            jax.debug.callback(lambda: asked.append(1))
            return super().act(params, observation, legal, key)

    alone = quick.jit(dataclasses.replace(agent, base=Told(GAME, (8,))).act_if_asked)
    choice = (~settled).argmax()
    rows = (calls.argmax(), True), (settled.argmax(), True), (choice, True), (choice, False)
    for row, used in rows:
        asked.clear()
        given = jax.tree.map(lambda x, row=row: x[row], (observation, legal, keys))
        played = int(alone(params, *given, jnp.bool(used)))
        jax.effects_barrier()
        assert bool(asked) == (used and not settled[row])
        assert played == together[row] or not used


def test_an_agent_that_is_no_network_is_the_first_candidate(moments):
    observation, legal, keys = moments
    agent = RandomAgent()
    score = jax.vmap(functools.partial(scores, agent, ()))(observation, legal, keys)
    chosen = jax.vmap(agent.act, in_axes=(None, 0, 0, 0))((), observation, legal, keys)
    assert (np.asarray(score).argmax(-1) == np.asarray(chosen)).all()


@pytest.mark.slow
def test_it_gains():
    """Even on random play: cards that lose points in most deals are found out."""
    base = RandomAgent()
    search = SearchAgent(GAME, base, worlds=16, candidates=4, calls=True)
    result = evaluate(GAME, [search, base], [(), ()], ["search", "random"], 128, seed=1)
    assert result.pairs[0].difference.low > 0.5


@pytest.mark.parametrize("settings, words", [({"worlds": 1}, "worlds"), ({"candidates": 0}, "cand")])
def test_budgets_of_nothing(settings, words):
    with pytest.raises(UserError, match=f"{words}.* must be at least 2"):
        SearchAgent(GAME, RandomAgent(), **settings)
