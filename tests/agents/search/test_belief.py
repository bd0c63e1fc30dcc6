"""Beliefs: weights equal those of plain loops, and implausible worlds disappear."""

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
from jaxcards.agents.search.analysis import draw_worlds
from jaxcards.agents.search.belief import (
    Belief,
    effective_size,
    keep,
    log_weights,
    resample,
    tempered,
)
from jaxcards.agents.search.playing import play_on
from jaxcards.cards.actions import IDLE
from jaxcards.errors import UserError
from jaxcards.past import beginning, past_actions
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import same_rows, take

GAME = jaxcards.make("rikiki", num_players=3, schedule=(4,))
BID_NOTHING = GAME.string_to_action("bid 0")
NETWORK = NetworkAgent(GAME, (8,))
DEALS, WORLDS = 2, 8
BELIEF = Belief(calls=0.75, cards=0.4, floor=0.15)


class Sure(NetworkAgent):
    """Bids three tricks or more with the card 0 in its hand; otherwise plays at random."""

    def _log_probabilities(self, params, observation, legal):
        mask = self.encoding.legal(observation, legal).mask()
        action = jax.vmap(lambda one: self.encoding.action(observation, one))(jnp.arange(mask.size))
        holds = observation.hand.contains(jnp.uint32(0))
        low = (action >= BID_NOTHING) & (action < BID_NOTHING + 3)
        mask = mask & ~(holds & low)
        return jnp.where(mask, -jnp.log(mask.sum()), -jnp.inf)


@pytest.fixture(scope="module")
def moments():
    """Observations, legal actions and keys of all decisions of random deals: calls, then cards."""

    def play(key):
        _, steps = recorded_rollout(GAME, RandomAgent(), (), key)
        return steps.observation, steps.legal

    observation, legal = quick.jit(jax.vmap(play))(jax.random.split(jax.random.key(5), DEALS))
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), (observation, legal))
    return *flat, jax.random.split(jax.random.key(6), DEALS * GAME.max_steps)


@pytest.fixture(scope="module")
def opinions():
    """Parameters of a network that is surer than a fresh one."""
    return jax.tree.map(lambda x: 8 * x, NETWORK.init(jax.random.key(0), GAME))


def drawn(agent, params, moments, belief, worlds=WORLDS):
    def draw(observation, key):
        return draw_worlds(GAME, agent, params, observation, key, worlds=worlds, belief=belief)

    return quick.jit(jax.vmap(draw))(moments[0], moments[2])


@pytest.fixture(scope="module")
def uniform(moments):
    return drawn(NETWORK, (), moments, None, WORLDS * BELIEF.draws)


@pytest.fixture(scope="module")
def believed(moments, opinions):
    return drawn(NETWORK, opinions, moments, BELIEF)


def weigh(agent, params, worlds, players, belief):
    def one(worlds, player):
        return log_weights(GAME, agent, params, worlds, player, belief)

    return np.asarray(quick.jit(jax.vmap(one))(worlds, players))


@pytest.mark.slow
def test_weights_are_those_of_plain_loops(moments, uniform, opinions):
    players = np.asarray(moments[0].player)
    found = weigh(NETWORK, opinions, uniform, players, BELIEF)
    past = quick.jit(jax.vmap(functools.partial(past_actions, GAME)))
    start = quick.jit(lambda world: beginning(GAME, world))

    @quick.jit
    def look(state, action):
        seen, legal = GAME.observe(state, state.current_player), GAME.legal_actions(state)
        chance = jnp.exp(NETWORK.log_probabilities(opinions, seen, legal))
        return GAME.step(state, action), state.current_player, state.playing, legal.mask().sum(), chance

    floored = 0
    for row in (1, 3, 12):  # of 15 decisions of the first deal, three of them bids
        worlds = take(uniform, row)
        actions = np.asarray(past(worlds).action)
        for number in range(2):
            state, weight = start(take(worlds, number)), 0.0
            for action in actions[number][actions[number] != IDLE]:
                state, seat, playing, choices, chance = look(state, jnp.int32(action))
                if seat != players[row] and choices > 1:
                    floored += chance[action] < BELIEF.floor
                    exponent = BELIEF.cards if playing else BELIEF.calls
                    weight += exponent * np.log(max(chance[action], BELIEF.floor))
            np.testing.assert_allclose(found[row, number], weight, rtol=1e-4, atol=1e-5)
    assert floored and np.ptp(found[12]) > 0.1
    assert (found[0] == 0).all()  # before any decision


@pytest.mark.slow
def test_worlds_that_nobody_would_have_played_in_are_gone(moments, uniform):
    """A low bid excludes a card: the worlds in which the bidder has it get weight 0."""
    seen = moments[0]
    belief = Belief(floor=0.0)

    def choose(worlds, player, word):
        return keep(GAME, Sure(GAME), (), worlds, player, word, WORLDS, belief)

    words = np.arange(len(seen.player), dtype=np.uint32) << 26
    kept = quick.jit(jax.vmap(choose))(uniform, seen.player, words)
    bids = np.asarray(seen.public.bids)[:, None] >> (np.arange(3) * 10) & 1023
    place = (np.arange(3) - 1 - np.asarray(seen.public.dealer)[:, None].astype(int)) % 3
    has_bid = place < np.asarray(seen.public.num_bids)[:, None]
    hides = has_bid & (bids < 3) & (np.arange(3) != np.asarray(seen.player)[:, None])

    def share(worlds):
        holds = np.stack([np.asarray(hand.words[0]) & 1 for hand in worlds.hands], -1)
        return (holds * hides[:, None]).sum(-1).mean(1)

    explained = ~_impossible(uniform, hides)
    assert (share(uniform) > 0)[explained].sum() > 4
    assert (share(kept)[explained] == 0).all()


def _impossible(worlds, hides):
    """Where no world explains what was done: all of them are kept then."""
    holds = np.stack([np.asarray(hand.words[0]) & 1 for hand in worlds.hands], -1)
    return (holds * hides[:, None]).sum(-1).all(1)


@pytest.mark.slow
def test_worlds_of_a_belief_are_some_of_those_drawn(moments, uniform, believed):
    """And the player sees in each of them what it saw, in every field."""
    index = []
    for row in range(0, len(moments[2]), 5):
        ours, all_ = jax.tree.map(np.asarray, (take(believed, row), take(uniform, row)))
        one = [np.flatnonzero(same_rows(all_, jax.tree.map(lambda x, n=n: x[n : n + 1], ours)))
               for n in range(WORLDS)]  # fmt: skip
        assert all(map(len, one))
        index.append([int(numbers[0]) for numbers in one])
    plain = [list(range(WORLDS)) for _ in index]
    assert index != plain  # not simply the first ones

    def look(worlds, player):
        return jax.vmap(lambda world: GAME.observe(world, player))(worlds)

    found = quick.jit(jax.vmap(look))(believed, moments[0].player)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(moments[0]), strict=True):
        assert (np.asarray(one) == np.asarray(other)[:, None]).all()


@pytest.mark.slow
def test_the_search_plays_the_worlds_of_its_belief_out(moments, opinions, believed):
    row = 12
    observation, legal, key = take(moments, row)
    agent = SearchAgent(GAME, NETWORK, worlds=WORLDS, candidates=3, belief=BELIEF)
    found = quick.jit(agent.analyse)(opinions, observation, legal, key)
    kept = take(believed, row)
    returns = quick.jit(functools.partial(play_on, GAME, NETWORK))(opinions, kept, found.action, key)
    own = np.asarray(returns)[..., int(observation.player)]
    np.testing.assert_allclose(found.value, own.mean(0), rtol=1e-5)


@pytest.mark.parametrize("effective", [1 / 8, 1 / 2])
def test_the_effective_sample_size_is_kept_large(effective):
    spread = np.geomspace(0.1, 300, 64)[:, None]
    drawn = np.random.default_rng(0).normal(size=(64, 128)) * spread

    def find(row):
        weight = tempered(row, effective)
        return weight, effective_size(weight)

    weight, size = map(np.asarray, quick.jit(jax.vmap(find))(drawn.astype(np.float32)))
    np.testing.assert_allclose(weight.sum(1), 1, rtol=1e-5)
    least = effective * 128
    assert (size >= least * 0.999).all()
    # As large as it must be and no larger; where the weights are even enough they stay as they are.
    raw = np.exp(drawn - drawn.max(1, keepdims=True))
    even = raw.sum(1) ** 2 / (raw**2).sum(1) >= least
    assert even.any() and (~even).any()
    np.testing.assert_allclose(size[~even], least, rtol=0.01)
    np.testing.assert_allclose(weight[even], (raw / raw.sum(1, keepdims=True))[even], rtol=1e-3)
    order = np.argsort(drawn, axis=1)
    assert (np.diff(np.take_along_axis(weight, order, axis=1)) >= 0).all()


def test_impossible_worlds_have_no_weight():
    few = jnp.full(64, -jnp.inf).at[jnp.array([3, 9])].set(jnp.array([-1.0, -50.0]))
    find = quick.jit(lambda row: tempered(row, 1 / 8))
    weight = np.asarray(find(few))
    assert (weight[[3, 9]] == 0.5).all() and weight.sum() == 1
    assert (np.asarray(find(jnp.full(64, -jnp.inf))) == 1 / 64).all()


def test_resampling_is_systematic_and_unbiased():
    weight = np.random.default_rng(1).dirichlet(np.full(24, 0.5)).astype(np.float32)
    weight[[0, 7, 23]] = 0
    weight /= weight.sum()
    words = (np.arange(4096, dtype=np.uint32) << 20) + 2**19
    index = np.asarray(quick.jit(jax.vmap(lambda word: resample(weight, word, 16)))(words))
    assert (np.diff(index, axis=1) >= 0).all()
    counts = (index[:, :, None] == np.arange(24)).sum(1)
    assert (np.abs(counts - 16 * weight) < 1 + 1e-4).all()
    np.testing.assert_allclose(counts.mean(0), 16 * weight, atol=2e-3)
    assert not counts[:, weight == 0].any()
    # At the very end of the interval as well.
    assert weight[np.asarray(resample(weight, np.uint32(2**32 - 1), 16))].min() > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "id", ["belote/bela", "jass/schieber_1000", "hearts/standard", "spades/standard"]
)
def test_the_true_deal_is_likelier_than_others(id):
    """Among worlds drawn uniformly it would be in the middle by its weight."""
    game = jaxcards.make(id)
    agent, params = jaxcards.load_agent(game)

    def one(key):
        done, steps = recorded_rollout(game, agent, params, key)
        number = game.max_steps // 2
        state = game.init(key)
        for time in range(number):
            state = game.step(state, steps.action[time])
        player = state.current_player
        others = jax.vmap(lambda key: game.determinize(key, state, player))(jax.random.split(key, 31))
        worlds = jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), state, others)
        weight = log_weights(game, agent, params, worlds, player, Belief())
        return (weight[0] > weight[1:]).mean() + (weight[0] == weight[1:]).mean() / 2

    rank = quick.jit(jax.vmap(one))(jax.random.split(jax.random.key(0), 64))
    assert rank.mean() > 0.6


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"draws": 1}, "draws must be at least 2"),
        ({"calls": 1.5}, "exponent of calls must be from 0 to 1"),
        ({"cards": -0.1}, "exponent of cards must be from 0 to 1"),
        ({"floor": 1.0}, "floor must be from 0 and below 1"),
        ({"effective": 0.0}, "effective must be above 0 and below 1"),
    ],
)
def test_settings_out_of_range(settings, words):
    with pytest.raises(UserError, match=words):
        Belief(**settings)


def test_a_policy_without_probabilities_has_no_beliefs():
    with pytest.raises(UserError, match="NetworkAgent, not RandomAgent"):
        SearchAgent(GAME, RandomAgent(), belief=Belief())


def test_calls_of_another_say_nothing():
    believing = SearchAgent(GAME, NETWORK, belief=BELIEF)
    assert believing.without_calls().belief == dataclasses.replace(BELIEF, calls=0)
    plain = SearchAgent(GAME, NETWORK)
    assert plain.without_calls() == plain
