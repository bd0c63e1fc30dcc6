"""A race gives up who is behind, and plays all others out as if nothing was given up."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.search import agent as agents
from jaxcards.agents.search import playing
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import analyse, draw_worlds
from jaxcards.errors import UserError

GAME = jaxcards.make("rikiki", num_players=3, schedule=(3,))
BASE = RandomAgent()
WORLDS, CANDIDATES, ERRORS = 64, 4, 1.0


@pytest.fixture(scope="module")
def decisions():
    """Return the first bids of deals: observations, legal actions and keys."""

    def first(key):
        state = GAME.init(key)
        return GAME.observe(state, state.current_player), GAME.legal_actions(state)

    seen, legal = jax.vmap(first)(jax.random.split(jax.random.key(0), 6))
    return seen, legal, jax.random.split(jax.random.key(1), 6)


@pytest.fixture(scope="module")
def raced(decisions):
    """Return the results of all bids in all worlds, and in those of a race."""

    def both(seen, legal, key, asked):
        states = draw_worlds(GAME, BASE, (), seen, key, worlds=WORLDS)
        bids = (GAME.deck.num_cards + jnp.arange(CANDIDATES)).astype(jnp.int32)
        given = GAME, BASE, (), states, bids, key
        race = playing.race(*given, seen.player, errors=ERRORS, played_out=asked)
        return playing.play_on(*given), race, seen.player

    asked = jnp.arange(6) > 0
    found = quick.jit(jax.vmap(both))(*decisions, asked)
    return jax.tree.map(np.asarray, (*found, asked))


def worlds_by_hand(gains):
    """In how many worlds the candidates of a decision are played; gains: [worlds, candidates]."""
    played, alive = np.zeros(gains.shape[1], int), np.ones(gains.shape[1], bool)
    for worlds in (16, 32, 64):
        if worlds == 16 or alive.sum() > 1:
            played[alive] = worlds
        some = gains[: played[0]]
        error = some.std(0, ddof=1) / np.sqrt(len(some))
        alive &= some.mean(0) + ERRORS * error >= 0
    return played


@pytest.mark.slow
def test_who_is_behind_is_played_no_further(raced):
    everything, (returns, played), players, asked = raced
    assert (played[~asked] == 0).all() and (returns[~asked] == 0).all() and asked.sum() == 5
    for row in np.flatnonzero(asked):
        own = everything[row, :, :, players[row]]
        assert played[row].tolist() == worlds_by_hand(own - own[:, :1]).tolist()
        counts = np.arange(WORLDS)[:, None] < played[row]
        assert (returns[row][counts] == everything[row][counts]).all()
        assert (returns[row][~counts] == 0).all()
    assert {16, 64} <= set(played[asked].flat)


@pytest.mark.slow
def test_values_are_those_of_the_worlds_that_were_played(decisions):
    def look(racing):
        one = functools.partial(
            analyse, GAME, BASE, (), worlds=WORLDS, candidates=CANDIDATES, racing=racing
        )
        return jax.tree.map(np.asarray, quick.jit(jax.vmap(one))(*decisions))

    whole, raced, never = look(None), look(ERRORS), look(1e9)
    jax.tree.map(np.testing.assert_array_equal, whole, never)
    assert (raced.action == whole.action).all() and (raced.policy == whole.policy).all()
    given_up = raced.value_error > 1.2 * whole.value_error
    assert given_up.any() and not given_up.all()
    # Who is given up is behind; of those who are not all is known that is known without a race.
    assert (raced.gain < 0)[given_up & (np.arange(CANDIDATES) > 0)].all()
    ahead = raced.gain - raced.gain_error > 0
    np.testing.assert_array_equal(raced.gain[ahead], whole.gain[ahead])


@pytest.mark.slow
def test_an_agent_races_to_act_and_not_to_tell_values(decisions, monkeypatch):
    asked = []

    def told(*args, racing, **settings):
        asked.append((racing, settings["worlds"]))
        return analyse(*args, racing=racing, **settings)

    monkeypatch.setattr(agents, "analyse", told)
    seen, legal, key = jax.tree.map(lambda x: x[0], decisions)
    for racing in (1.5, None):
        search = SearchAgent(GAME, BASE, worlds=32, racing=racing)
        jax.eval_shape(search.act, (), seen, legal, key)
        jax.eval_shape(search.analyse, (), seen, legal, key)
    assert SearchAgent(GAME, BASE).racing == 1.5
    assert asked == [(1.5, 32), (None, 32), (None, 32), (None, 32)]


def test_parts_have_16_worlds_or_more():
    sizes = {16: 1, 31: 1, 32: 2, 33: 1, 60: 2, 62: 2, 64: 4, 66: 2, 67: 1, 100: 4, 128: 4}
    assert {worlds: playing._parts(worlds) for worlds in sizes} == sizes


@pytest.mark.parametrize("errors", [-1.0, float("nan"), float("inf")])
def test_what_no_candidate_can_be_behind_by(errors):
    with pytest.raises(UserError, match="racing must be None, .* or standard errors from 0 on, not "):
        SearchAgent(GAME, BASE, racing=errors)
