"""Windows of steps with fresh deals, against deals that are stepped one by one."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import learn
from jaxcards.testing.deals import quick_jit, require_equal, to_numpy

LANES, STEPS = 16, 90


def by_chance(observation, legal, key):
    return legal.sample(key), observation.player


@pytest.fixture(
    scope="module", params=by_cost(["jass", "euchre/three_handed"], {"euchre/three_handed"})
)
def window(request):
    """Return a game, the states before and after a window of random play, and its transitions."""
    game = jaxcards.make(request.param)
    start = jax.vmap(game.init)(jax.random.split(jax.random.key(0), LANES))
    keys = jax.random.split(jax.random.key(1), LANES)
    collect = partial(learn.collect, game, by_chance, num_steps=STEPS)
    final, played = quick_jit(jax.vmap(collect, out_axes=(0, 1)))(start, keys)
    return game, start, to_numpy(final), to_numpy(played)


@pytest.mark.slow
def test_steps_lead_from_state_to_state_and_a_fresh_deal_follows_the_end(window):
    game, start, final, played = window
    states = jax.tree.map(lambda a, b: np.concatenate([a, b[None]]), played.state, final)
    require_equal(jax.tree.map(lambda x: x[0], states), to_numpy(start), "another beginning")
    after = to_numpy(quick_jit(jax.vmap(jax.vmap(game.step)))(played.state, played.action))
    ended = played.terminated
    assert (after.terminated == ended).all() and ended.sum(0).min() >= 2
    following = jax.tree.map(lambda x: x[1:], states)
    goes_on = jax.tree.map(lambda x: x[~ended], (after, following))
    require_equal(*goes_on, "a step that leads elsewhere")
    fresh = jax.tree.map(lambda x: x[ended], following)
    length = jax.vmap(lambda state: game.history(game.observe(state, 0)).length)(fresh)
    assert (length == 0).all() and not np.asarray(fresh.terminated).any()
    hands = np.asarray(jax.vmap(lambda state: game.card_places(state).hands[0].mask())(fresh))
    assert len(np.unique(hands, axis=0)) == len(hands), "no deal comes twice"


@pytest.mark.slow
def test_a_transition_is_what_the_player_to_act_was_given(window):
    game, _, _, played = window

    def given(state):
        player = state.current_player
        return game.observe(state, player), game.legal_actions(state), player

    seen = quick_jit(jax.vmap(jax.vmap(given)))(played.state)
    require_equal((played.observation, played.legal, played.player), to_numpy(seen), "seen otherwise")
    assert (played.extra == played.player).all()
    masks = np.asarray(jax.vmap(jax.vmap(lambda legal: legal.mask()))(seen[1]))
    assert np.take_along_axis(masks, played.action[..., None], -1).all()
    assert (played.choice == (masks.sum(-1) > 1)).all()


@pytest.mark.slow_after(1)
def test_rewards_of_a_deal_add_up_to_its_returns(window):
    game, _, _, played = window
    assert played.rewards.dtype == np.float32
    after = jax.vmap(jax.vmap(game.step))(played.state, played.action)
    returns = np.asarray(jax.vmap(jax.vmap(game.returns))(after))
    begun = np.asarray(jax.vmap(jax.vmap(game.returns))(played.state))
    for lane in range(LANES):
        start = 0
        for end in np.flatnonzero(played.terminated[:, lane]):
            received = played.rewards[start : end + 1, lane].sum(0)
            np.testing.assert_allclose(received + begun[start, lane], returns[end, lane], atol=1e-3)
            start = end + 1


@pytest.mark.slow
def test_the_same_keys_give_the_same_window_and_others_another():
    game = jaxcards.make("rikiki/open_spiel")
    states = jax.vmap(game.init)(jax.random.split(jax.random.key(0), 2))
    collect = quick_jit(jax.vmap(partial(learn.collect, game, by_chance, num_steps=60)))
    keys = jax.random.split(jax.random.key(1), 2)
    first, again = collect(states, keys), collect(states, keys)
    require_equal(to_numpy(first), to_numpy(again), "another window")
    other = collect(states, keys[::-1])
    assert (other[1].action != first[1].action).any()


def test_another_potential_pays_other_rewards():
    game = jaxcards.make("jass")
    state = game.init(jax.random.key(0))
    tricks = lambda state: game.progress(state).astype(jnp.float32)  # noqa: E731
    window = partial(learn.collect, game, by_chance, num_steps=38, potential=tricks)
    _, played = quick_jit(window)(state, jax.random.key(2))
    assert (np.asarray(played.rewards) >= 0).all() and np.asarray(played.rewards).any()


def test_a_match_goes_on_until_it_is_over():
    match = jaxcards.Match(jaxcards.make("jass/tournament", deals=2))
    window = partial(learn.collect, match, by_chance, num_steps=160)
    _, played = quick_jit(window)(match.init(jax.random.key(0)), jax.random.key(1))
    numbers = np.asarray(played.state.num_deals)
    ended = np.flatnonzero(np.asarray(played.terminated))
    assert len(ended) == 2 and (numbers[ended] == 1).all() and (numbers[ended + 1] == 0).all()
