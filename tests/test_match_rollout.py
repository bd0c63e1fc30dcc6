"""Rollouts of matches go deal by deal, and are those of stepping by hand, bit for bit.

For fresh matches of every game the contract says so (`check_schedule`).
"""

import functools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.fakes.players import Unstaged
from support.marks import by_cost

import jaxcards
from jaxcards import Match, rollout
from jaxcards.agent import RandomAgent
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import quick_jit, require_equal, to_numpy
from jaxcards.throughput import staged_rollout
from jaxcards.xla import prng

RANDOM = RandomAgent()
NUMBER = 24
# In both games a deal may end before others: a side reaches the target, or all players pass.
MATCHES = {
    "jass/swisslos": {"target": 300},
    "sheepshead/deepsheep_doubler": {"num_deals": 3},
}


@functools.cache
def decision(match):
    """Return a compiled step of random play for a batch: (keys, decisions so far, states) -> states."""

    def decide(key, made, state):
        chosen_by = prng.wrap(prng.fold(prng.key_words(key), made))
        return match.step(state, RANDOM.act((), None, match.legal_actions(state), chosen_by))

    return quick_jit(jax.vmap(decide, in_axes=(0, None, 0)))


def by_hand(match, keys, state):
    """Random play of a batch of matches from given states, a step at a time.

    Returns:
      The final states, and for each match how many decisions each of its deals took.
    """
    step = decision(match)
    lengths = [[] for _ in range(len(keys))]
    begun = [0] * len(keys)
    for made in range(match.max_steps):
        after = step(keys, jnp.uint32(made), state)
        for i in np.flatnonzero(np.asarray(after.num_deals != state.num_deals)):
            lengths[i].append(made + 1 - begun[i])
            begun[i] = made + 1
        state = after
        if state.over.all():
            break
    return to_numpy(state), lengths


@pytest.fixture(scope="module", params=by_cost(MATCHES, {"sheepshead/deepsheep_doubler"}), ids=str)
def match(request):
    return Match(jaxcards.make(request.param, **MATCHES[request.param]))


@pytest.fixture(scope="module")
def stepped(match):
    """Return matches played by hand: NUMBER from given decks, NUMBER from fresh deals.

    Returns:
      Keys, first states, final states, and the lengths of the deals of each match.
    """
    keys = jax.random.split(jax.random.key(7), 2 * NUMBER)
    rng = np.random.default_rng(0)
    decks = rng.permuted(np.tile(np.arange(match.deck.num_cards), (NUMBER, 1)), axis=1)
    dealers = rng.integers(match.num_players, size=NUMBER)

    def begin(deck, dealer, key, other):
        return match.init_from_deck(deck, dealer, key=key), match.init(other)

    both = quick_jit(jax.vmap(begin))(decks, dealers, keys[:NUMBER], keys[NUMBER:])
    start = jax.tree.map(lambda *leaves: np.concatenate(leaves), *both)
    return keys, start, *by_hand(match, keys, start)


def test_deals_are_over_before_others(stepped):
    """The situations of the other tests do occur."""
    *_, lengths = stepped
    assert min(min(deals) for deals in lengths) < max(max(deals) for deals in lengths)


@pytest.mark.slow
@pytest.mark.parametrize("match", ["sheepshead/deepsheep_doubler"], indirect=True)
def test_by_stages(match, stepped):
    """Batched twice over, as in an evaluation; points and returns as well."""
    keys, start, final, _ = stepped

    def play(key, state):
        return staged_rollout(match, RANDOM, (), key, state=state)

    twice = jax.tree.map(lambda leaf: leaf.reshape(2, NUMBER, *leaf.shape[1:]), (keys, start))
    done = quick_jit(jax.vmap(jax.vmap(play)))(*twice)
    done = to_numpy(jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), done))
    require_equal(done.state, final, "the stages change the end of a match")
    assert (done.points == final.totals).all()
    assert (done.returns == jax.vmap(match.returns)(final)).all()


@pytest.mark.slow
def test_from_any_state(match, stepped):
    """A match goes on from wherever it is: in the middle of a deal, at the beginning, at its end."""
    keys, start, over, _ = stepped
    begun = start
    act = quick_jit(jax.vmap(lambda s: match.step(s, match.legal_actions(s).nth(jnp.uint32(0)))))
    for _ in range(9):
        begun = act(begun)
    assert not begun.over.any() and not begun.deal.terminated.any()
    expected, _ = by_hand(match, keys, begun)
    play = quick_jit(jax.vmap(lambda key, state: rollout(match, RANDOM, (), key, state=state).state))
    require_equal(to_numpy(play(keys, begun)), expected, "from the middle of a deal")
    require_equal(to_numpy(play(keys, start)), over, "from the beginning")
    require_equal(to_numpy(play(keys, over)), over, "a match that is over goes on")


@pytest.mark.slow
def test_agents_in_their_seats():
    """An agent besides the random one, with seats, against the loop that keeps the decisions."""
    match = Match(jaxcards.make("euchre", target=3))

    class Lowest:
        def act(self, params, observation, legal, key):
            return legal.nth(jnp.uint32(0))

    def play(key):
        agents, seats = [Lowest(), RANDOM], [0, 1, 1, 0]
        kept, _ = recorded_rollout(match, agents, [(), ()], key, seats=seats)
        return kept, rollout(match, agents, [(), ()], key, seats=seats)

    keys = jax.random.split(jax.random.key(5), 16)
    kept, plain = to_numpy(quick_jit(jax.vmap(play))(keys))
    require_equal(plain, kept, "deal by deal")
    assert kept[0].over.all() and len(set(kept[0].num_deals.tolist())) > 1


def carries(text: str) -> list[int]:
    """Return the number of words of each deal that each loop of a program carries."""
    found = re.findall(r"= (\(.*?\)) while\(", text)
    return [len(re.findall(r"u32\[64\]", shapes)) for shapes in found]


@pytest.mark.slow
def test_what_is_not_used_of_the_last_deal_is_not_computed():
    """The history is not part of the carry, from card to card or from deal to deal."""
    match = Match(jaxcards.make("jass/differenzler", deals=2))
    history = len(jax.eval_shape(match.init, jax.random.key(0)).deal.public.history)
    keys = jax.random.key_data(jax.random.split(jax.random.key(0), 64))

    def loops(what):
        function = jax.vmap(lambda key: what(rollout(match, Unstaged(), (), key)))
        return carries(quick_jit(function).lower(keys).compile().as_text())

    points, state = loops(lambda done: done.points), loops(lambda done: done.state)
    assert len(points) == len(state) == 2 and history >= 8
    assert all(a <= b - history for a, b in zip(points, state, strict=True))
