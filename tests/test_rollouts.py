"""Rollouts: the same as stepping by hand, any agents in any seats, and nothing computed in vain."""

import dataclasses
import functools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.fakes.players import Unstaged

import jaxcards
from jaxcards import rollout
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import quick_jit
from jaxcards.throughput import staged_rollout
from jaxcards.xla import prng

GAME = jaxcards.make("jass/tournament")
RANDOM = RandomAgent()


@dataclasses.dataclass(frozen=True)
class Extreme:
    """Plays the lowest or the highest legal action."""

    highest: bool

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        index = legal.count() - 1 if self.highest else jnp.uint32(0)
        return legal.nth(index)


LOW, HIGH = Extreme(False), Extreme(True)


@dataclasses.dataclass(frozen=True)
class Told:
    """Plays the legal action whose index its parameter says."""

    def init(self, key, game):
        return jnp.uint32(0)

    def act(self, params, observation, legal, key):
        return legal.nth(jnp.minimum(params, legal.count() - 1))


@pytest.fixture(scope="module")
def played():
    keys = jax.random.split(jax.random.key(0), 16)
    return keys, quick_jit(jax.vmap(lambda k: recorded_rollout(GAME, RANDOM, (), k)))(keys)


STANDARD = jaxcards.make("rikiki/standard")
SHORT = jaxcards.make("rikiki", num_players=3, schedule=(3, 1, 2))


def of_round(game, key, round):
    return staged_rollout(game, RANDOM, (), key, round=round).state


@functools.cache
def of_any_round(game):
    """Deals of a round that is known to no compiler: one for all lanes, and one for each."""
    deal = functools.partial(of_round, game)
    return quick_jit(jax.vmap(deal, in_axes=(0, None))), quick_jit(jax.vmap(deal))


# Three cards each, and one; ten, one and six cards.
ROUNDS = [(SHORT, 0), (SHORT, 1), (STANDARD, 0), (STANDARD, 9), (STANDARD, 14)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "game, round",
    [pytest.param(*one, marks=[] if one[0] is SHORT else pytest.mark.slow) for one in ROUNDS],
)
def test_a_round_of_the_whole_batch_ends_with_its_last_trick(game, round):
    """Deals of a known round, of a traced one, and of one in each lane are those of the plain loop."""
    keys = jax.random.split(jax.random.key(3), 64)

    def plain(key):
        start = game.init(key, round=round)
        return rollout(game, RANDOM, (), key, state=start).state

    expected = quick_jit(jax.vmap(plain))(keys)
    assert bool(expected.terminated.all())
    known = quick_jit(jax.vmap(lambda key: of_round(game, key, round)))(keys)
    one, each = of_any_round(game)
    traced, lanes = one(keys, jnp.uint32(round)), each(keys, jnp.full(len(keys), round))
    for state in (known, traced, lanes):
        jax.tree.map(np.testing.assert_array_equal, state, expected)


@pytest.mark.parametrize("id, round", [("rikiki/standard", 19), ("rikiki/standard", -1), ("jass", 1)])
def test_a_round_that_there_is_not(id, round):
    with pytest.raises(UserError, match=f"round must be .*not {round}"):
        staged_rollout(jaxcards.make(id), RANDOM, (), jax.random.key(0), round=round)


@pytest.mark.slow
def test_deals_of_different_rounds_may_be_side_by_side():
    game = SHORT
    keys, rounds = jax.random.split(jax.random.key(4), 38), jnp.arange(38) % game.num_rounds
    _, each = of_any_round(game)
    state = each(keys, rounds)
    assert bool(state.terminated.all()) and (state.public.round == rounds).all()
    assert (state.public.num_played == 3 * jnp.asarray(game.rules.schedule)[rounds]).all()


@pytest.fixture(scope="module")
def step():
    return quick_jit(GAME.step)


def test_points_are_those_of_stepping_by_hand(played, step):
    """The deal, the keys of decisions and the agent's choices, all by hand in Python."""
    keys, (result, steps) = played
    legal_of = quick_jit(GAME.legal_actions)
    for i in range(3):
        state = quick_jit(GAME.init)(keys[i])
        words = prng.key_words(keys[i])
        time = 0
        while not bool(state.terminated):
            key = prng.wrap(prng.fold(words, time))
            action = RANDOM.act((), None, legal_of(state), key)
            assert int(action) == int(steps.action[i, time])
            state = step(state, action)
            time += 1
        assert GAME.points(state).tolist() == result.points[i].tolist()
        assert GAME.returns(state).tolist() == result.returns[i].tolist()
        final = jax.tree.map(lambda leaf, i=i: leaf[i], result.state)
        assert jax.tree.all(jax.tree.map(lambda a, b: bool(a == b), state, final))
        assert int(steps.valid[i].sum()) == time


def test_the_trajectory_replays(played):
    """Players, observations, legal sets and actions of every step belong to the states passed."""
    keys, (result, steps) = played

    def replay(key, actions):
        def step(state, action):
            player = state.current_player
            seen = (player, GAME.observe(state, player), GAME.legal_actions(state), ~state.terminated)
            return GAME.step(state, action), seen

        return jax.lax.scan(step, GAME.init(key), actions)

    final, seen = quick_jit(jax.vmap(replay))(keys, steps.action)
    recorded = (steps.player, steps.observation, steps.legal, steps.valid)
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), seen, recorded))
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), final, result.state))
    mask = jax.vmap(jax.vmap(lambda legal: legal.mask()))(steps.legal)
    chosen = np.take_along_axis(np.asarray(mask), np.asarray(steps.action)[..., None], axis=2)
    assert chosen.all()
    assert steps.action.shape == (16, GAME.max_steps)
    # Valid steps come first.
    valid = np.asarray(steps.valid)
    assert (valid[:, 1:] <= valid[:, :-1]).all() and valid.sum(axis=1).min() >= 37


@pytest.mark.slow
def test_stages_change_nothing():
    """Two agents in seats of their own, and one who plays at random, in stages and without."""
    keys = jax.random.split(jax.random.key(3), 32)

    def both(agents, params, seats):
        ways = rollout, staged_rollout
        plays = [lambda k, way=way: way(GAME, agents, params, k, seats=seats) for way in ways]
        plain, staged = quick_jit(lambda keys: [jax.vmap(play)(keys) for play in plays])(keys)
        assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), plain, staged))

    both([LOW, HIGH], [(), ()], [0, 1, 1, 0])
    both(Unstaged(), (), None)


def test_only_random_play_is_staged_by_default():
    """An agent is compiled once for each stage; one that is expensive to compile must not be."""
    calls = []

    @dataclasses.dataclass(frozen=True)
    class Counted(Extreme):
        def act(self, params, observation, legal, key):
            calls.append(1)
            return super().act(params, observation, legal, key)

    jax.eval_shape(lambda k: rollout(GAME, Counted(False), (), k), jax.random.key(0))
    assert len(calls) == 1
    jax.eval_shape(lambda k: staged_rollout(GAME, Counted(False), (), k), jax.random.key(0))
    assert len(calls) == 1 + 4  # a call, a lead, a card in between, the last one


def test_a_given_state_is_where_it_begins(step):
    deck = np.random.default_rng(0).permutation(36)
    state = GAME.init_from_deck(deck, 2)
    play = quick_jit(lambda state, key: rollout(GAME, RANDOM, (), key, state=state).state)
    final = play(step(state, jnp.int32(36)), jax.random.key(0))
    assert final.hands[0].to_list() == state.hands[0].to_list()
    assert int(final.public.dealer) == 2 and int(final.public.mode) == 0
    over = play(final, jax.random.key(1))
    assert jax.tree.all(jax.tree.map(lambda a, b: bool(a == b), over, final))


def test_every_agent_plays_its_own_seat():
    """Four agents told four things; the trajectory shows who chose what."""
    agents = [Told()] * 4
    params = [jnp.uint32(i) for i in range(4)]
    keys = jax.random.split(jax.random.key(1), 8)
    play = quick_jit(jax.vmap(lambda k: recorded_rollout(GAME, agents, params, k)[1]))
    _expect(play(keys), np.tile(np.arange(4), (8, 1)))


def test_seats_may_be_traced():
    """Two agents, all their seatings in one batch."""
    agents, params = [LOW, HIGH], [(), ()]
    seatings = np.array([[s >> i & 1 for i in range(4)] for s in range(16)])
    play = quick_jit(jax.vmap(lambda k, s: recorded_rollout(GAME, agents, params, k, seats=s)[1]))
    keys = jnp.broadcast_to(jax.random.key_data(jax.random.key(2)), (16, 2))
    steps = play(keys, seatings)
    _expect(steps, np.where(seatings, 99, 0))
    # The same as without seats, where each agent is named for its seat.
    named = quick_jit(lambda k: recorded_rollout(GAME, [LOW, HIGH, LOW, HIGH], [()] * 4, k)[1].action)
    again = named(jax.random.key(2))
    assert steps.action[0b1010].tolist() == again.tolist()


def _expect(steps, index):
    """Assert that each seat chose the legal action of its index, or the last one if there are fewer."""
    mask = np.asarray(jax.vmap(jax.vmap(lambda legal: legal.mask()))(steps.legal))
    for deal, time in np.argwhere(np.asarray(steps.valid)):
        legal = np.flatnonzero(mask[deal, time])
        wanted = legal[min(index[deal, int(steps.player[deal, time])], len(legal) - 1)]
        assert int(steps.action[deal, time]) == wanted


def test_errors():
    key = jax.random.key(0)
    with pytest.raises(UserError, match="2 agents need one set of parameters each, not 1"):
        rollout(GAME, [RANDOM, RANDOM], [()], key)
    with pytest.raises(UserError, match="has 4 seats: give one agent, 4 agents, or seats="):
        rollout(GAME, [RANDOM, RANDOM], [(), ()], key)
    with pytest.raises(UserError, match=r"each of the 4 seats; it has shape \[2\]"):
        rollout(GAME, [RANDOM, RANDOM], [(), ()], key, seats=[0, 1])
    for wrong in (2, -1):
        with pytest.raises(UserError, match=f"agent {wrong}; allowed are 0 to 1"):
            rollout(GAME, [RANDOM, RANDOM], [(), ()], key, seats=[0, 1, wrong, 1])


# ---- What is not used is not computed -----------------------------------------------------------


def compiled(function) -> str:
    keys = jax.random.key_data(jax.random.split(jax.random.key(0), 64))
    return jax.jit(jax.vmap(function)).lower(keys).compile().as_text()


def carries(text: str) -> list[int]:
    """Return the number of batched arrays that each while-loop of a program carries."""
    found = re.findall(r"= (\(.*?\)) while\(", text)
    return [len(re.findall(r"\w+\[64\b", shapes)) for shapes in found]


@pytest.mark.slow
def test_points_alone_pay_for_nothing_else():
    """The loop for points alone does not carry the history or records."""
    points = max(carries(compiled(lambda k: rollout(GAME, Unstaged(), (), k).points)))
    state = max(carries(compiled(lambda k: rollout(GAME, Unstaged(), (), k).state)))
    steps = max(carries(compiled(lambda k: recorded_rollout(GAME, RANDOM, (), k)[1])))
    history = len(jax.eval_shape(GAME.init, jax.random.key(0)).public.history)
    assert history == 8
    # What a program's text counts beside is the compiler's choice, another on every machine.
    assert points + history <= state < steps


@dataclasses.dataclass(frozen=True)
class Costly:
    """A random player whose card does not exist if the answer is unused; counts the used ones."""

    asked: list = dataclasses.field(default_factory=list, hash=False, compare=False)

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        return RANDOM.act(params, observation, legal, key)

    def act_if_asked(self, params, observation, legal, key, asked):
        jax.debug.callback(lambda asked: self.asked.append(bool(asked)), asked)
        return jnp.where(asked, self.act(params, observation, legal, key), 99)


def test_a_costly_agent_is_asked_for_what_it_decides_and_for_nothing_else(played):
    keys, (done, steps) = played
    costly, seats = Costly(), [0, 1, 0, 0]

    @quick_jit
    @jax.vmap
    def play(key):
        return rollout(GAME, [RANDOM, costly], [(), ()], key, seats=seats).points

    assert (np.asarray(play(keys)) == np.asarray(done.points)).all()
    jax.effects_barrier()
    decided = np.asarray((steps.player == 1) & steps.valid).sum()
    assert sum(costly.asked) == decided < len(costly.asked)
