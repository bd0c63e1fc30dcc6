"""Rollouts of matches go deal by deal, and are those of stepping by hand, bit for bit.

That of one preset of every game and of its fresh matches is in the contract (`check_schedule`).
"""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards import Match, prng, rollout
from jaxcards.agents.random import RandomAgent
from jaxcards.testing.deals import quick_jit, require_equal, to_numpy

RANDOM = RandomAgent()
NUMBER = 24
# In both a deal may be over while others go on: a side reaches the target, or nobody picks.
MATCHES = {
    "jass/seed": {"target": 300},
    "sheepshead/seed_doubler": {"num_deals": 3},
}


def by_hand(match, keys, state):
    """Random play of a batch of matches from given states, a step at a time.

    Returns:
      The final states, and for each match how many decisions each of its deals took.
    """

    def decide(key, made, state):
        decision = prng.wrap(prng.fold(prng.key_words(key), made))
        return match.step(state, RANDOM.act((), None, match.legal_actions(state), decision))

    step = quick_jit(jax.vmap(decide, in_axes=(0, None, 0)))
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


@pytest.fixture(scope="module", params=MATCHES, ids=str)
def match(request):
    return Match(jaxcards.make(request.param, **MATCHES[request.param]))


@pytest.fixture(scope="module")
def stepped(match):
    """Keys, first states and final states of a batch of matches, and the lengths of their deals."""
    keys = jax.random.split(jax.random.key(7), NUMBER)
    start = quick_jit(jax.vmap(match.init))(keys)
    return keys, start, *by_hand(match, keys, start)


def test_fresh_matches(match, stepped):
    """With stages and without, batched twice over as in an evaluation, points and returns as well."""
    keys, _, final, lengths = stepped
    assert len({len(deals) for deals in lengths}) > 1 or match.game.name == "sheepshead"
    short = [min(deals) for deals in lengths]
    assert min(short) < max(map(max, lengths)), "no deal is over before others are"
    pairs = keys.reshape(NUMBER // 2, 2)
    for staged in (True, False):

        def play(key, staged=staged):
            return rollout(match, RANDOM, (), key, staged=staged)

        done = quick_jit(jax.vmap(jax.vmap(play)))(pairs)
        assert done.trajectory is None
        flat = jax.tree.map(lambda leaf: leaf.reshape(NUMBER, *leaf.shape[2:]), done)
        require_equal(to_numpy(flat.state), final, f"staged={staged}")
        assert flat.points.tolist() == final.totals.tolist()
        assert flat.returns.tolist() == jax.vmap(match.returns)(final).tolist()


def test_given_states(match, stepped):
    """A deck, the middle of a deal, the end: a match goes on from wherever it is."""
    keys, _, over, _ = stepped
    rng = np.random.default_rng(0)
    decks = jnp.asarray(rng.permuted(np.tile(np.arange(match.deck.num_cards), (NUMBER, 1)), axis=1))
    dealers = jnp.asarray(rng.integers(match.num_players, size=NUMBER))
    given = jax.vmap(lambda deck, dealer, key: match.init_from_deck(deck, dealer, key=key))
    start = quick_jit(given)(decks, dealers, keys)
    begun = start
    act = quick_jit(jax.vmap(lambda s: match.step(s, match.legal_actions(s).nth(jnp.uint32(0)))))
    for _ in range(9):
        begun = act(begun)
    assert not begun.over.any()
    for state, staged in ((start, True), (begun, None)):
        play = quick_jit(
            jax.vmap(lambda k, s, g=staged: rollout(match, RANDOM, (), k, state=s, staged=g).state)
        )
        require_equal(to_numpy(play(keys, state)), by_hand(match, keys, state)[0], f"{staged=}")
    # `play` is the rollout from any state: one that is over stays as it is.
    require_equal(to_numpy(play(keys, over)), over, "a match that is over goes on")


def test_agents_in_their_seats():
    """An agent besides the random one, with seats, against the loop that keeps the decisions."""
    match = Match(jaxcards.make("euchre", target=3))

    class Lowest(RandomAgent):
        def act(self, params, observation, legal, key):
            return legal.nth(jnp.uint32(0))

    def play(key):
        agents, seats = [Lowest(), RANDOM], [0, 1, 1, 0]
        kept = rollout(match, agents, [(), ()], key, seats=seats, trajectory=True)
        staged = rollout(match, agents, [(), ()], key, seats=seats, staged=True)
        return (
            kept[:3],
            rollout(match, agents, [(), ()], key, seats=seats, staged=False)[:3],
            staged[:3],
        )

    keys = jax.random.split(jax.random.key(5), 16)
    kept, plain, staged = to_numpy(quick_jit(jax.vmap(play))(keys))
    require_equal(plain, kept, "deal by deal")
    require_equal(staged, kept, "by stages")
    assert kept[0].over.all() and len(set(kept[0].num_deals.tolist())) > 1


def test_one_match_without_a_batch(match, stepped):
    keys, _, final, _ = stepped
    one = quick_jit(lambda key: rollout(match, RANDOM, (), key).state)(keys[3])
    require_equal(to_numpy(one), jax.tree.map(lambda leaf: leaf[3], final), "alone")


def carries(text: str) -> list[int]:
    """Returns the number of words of each deal that each loop of a program carries."""
    found = re.findall(r"= (\(.*?\)) while\(", text)
    return [len(re.findall(r"u32\[64\]", shapes)) for shapes in found]


def test_what_is_not_used_of_the_last_deal_is_not_computed():
    """Nothing of the history is carried, neither from card to card nor from deal to deal."""
    match = Match(jaxcards.make("jass/differenzler", deals=2))
    history = len(jax.eval_shape(match.init, jax.random.key(0)).deal.history)
    keys = jax.random.key_data(jax.random.split(jax.random.key(0), 64))

    def loops(what):
        function = jax.vmap(lambda key: what(rollout(match, RANDOM, (), key, staged=False)))
        return carries(quick_jit(function).lower(keys).compile().as_text())

    points, state = loops(lambda done: done.points), loops(lambda done: done.state)
    assert len(points) == len(state) == 2 and history >= 8
    assert all(a <= b - history for a, b in zip(points, state, strict=True))
