"""One seat against fixed opponents: the deals are those of a rollout, without waiting tables."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.interop import turns
from jaxcards.interop.seat import OneSeat, opposed

EUCHRE = jaxcards.make("euchre")
TABLE = OneSeat(EUCHRE)
PARAMS = ((),)


@dataclasses.dataclass(frozen=True)
class Highest:
    """Plays the legal action of the highest number."""

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        return legal.nth(legal.count() - 1)


def episodes(table, keys, steps):
    """Play batches of random actions, and return all steps; leaves are [steps, tables, ...]."""

    def run(keys):
        kw = {} if table.axis is None else {"axis_name": table.axis}
        state, first = jax.vmap(lambda key: table.reset(PARAMS, key), **kw)(keys)

        def once(state, number):
            actions = jax.vmap(lambda s: turns.legal_actions(EUCHRE, s.deal).nth(number * 0))(state)
            found = jax.vmap(lambda s, a: table.step(PARAMS, s, a), **kw)(state, actions)
            return found.state, (found._replace(state=None), found.state.deal.current_player)

        state, steps_ = jax.lax.scan(once, state, jnp.arange(steps, dtype=jnp.uint32))
        return first, state, steps_

    return jax.device_get(quick.jit(run)(keys))


@pytest.fixture(scope="module")
def played():
    return episodes(TABLE, jax.random.split(jax.random.key(0), 64), 12)


def test_the_learner_is_to_act_or_the_deal_is_over(played):
    _, state, (found, player) = played
    assert ((player == state.seat) | found.done).all()
    assert set(state.seat.tolist()) == {0, 1, 2, 3}
    assert found.done[-1].all() and not found.done[0].all() and not found.illegal.any()


def test_the_reward_comes_once_with_the_end(played):
    _, state, (found, _) = played
    returns = np.asarray(jax.vmap(EUCHRE.returns)(state.deal))
    own = returns[np.arange(len(returns)), state.seat]
    assert (found.reward.sum(0) == own).all() and own.any()
    ends = np.diff(found.done.astype(int), axis=0, prepend=0) == 1
    assert not found.reward[~ends].any()


@pytest.mark.slow
def test_a_batch_that_knows_its_axis_plays_the_same(played):
    together = episodes(
        dataclasses.replace(TABLE, axis="tables"), jax.random.split(jax.random.key(0), 64), 12
    )
    for a, b in zip(jax.tree.leaves(played), jax.tree.leaves(together), strict=True):
        np.testing.assert_array_equal(a, b)


@dataclasses.dataclass(frozen=True)
class Asked(Highest):
    """Notes at which turns it is asked to choose: (its seat, the player to act)."""

    seat: int
    notes: tuple[list, ...]

    def act_if_asked(self, params, observation, legal, key, asked):
        (notes,) = self.notes
        turn = (self.seat, observation.player)
        jax.debug.callback(lambda asked, *turn: asked and notes.append(turn), asked, *turn)
        return self.act(params, observation, legal, key)


def test_opponents_are_asked_at_their_own_turns():
    notes = []
    players = tuple(Asked(seat, (notes,)) for seat in range(4))
    OneSeat(EUCHRE, players, seat=0).reset([()] * 4, jax.random.key(0))
    jax.effects_barrier()
    assert notes and all(int(seat) == int(player) for seat, player in notes)


@pytest.mark.slow
def test_opponents_by_seat_play_their_seats():
    table, params = opposed(EUCHRE, [RandomAgent(), Highest(), Highest(), Highest()], [()] * 4, seat=0)
    state, _ = quick.jit(table.reset)(params, jax.random.key(1))
    step = quick.jit(table.step)
    plain, act = (
        quick.jit(EUCHRE.step),
        quick.jit(lambda s: Highest().act((), None, EUCHRE.legal_actions(s), 0)),
    )
    while not state.deal.terminated:
        action = turns.legal_actions(EUCHRE, state.deal).nth(jnp.uint32(0))
        deal = plain(state.deal, turns.game_action(EUCHRE, state.deal, action))
        while not deal.terminated and int(deal.current_player) != 0:
            deal = plain(deal, act(deal))
        state = step(params, state, action).state
        for a, b in zip(jax.tree.leaves(state.deal), jax.tree.leaves(deal), strict=True):
            assert (a == b).all()


@pytest.mark.parametrize(
    "change, words",
    [
        ({"seat": 4}, "seat must be None or 0 to 3, not 4"),
        ({"opponents": (RandomAgent(),) * 3}, "names 3 agents"),
        ({"game": "euchre"}, "a game is needed"),
    ],
)
def test_tables_that_do_not_exist(change, words):
    with pytest.raises(UserError, match=words):
        dataclasses.replace(TABLE, **change)


def test_as_many_parameters_as_opponents():
    with pytest.raises(UserError, match="4 opponents need one set of parameters each, not 1"):
        opposed(EUCHRE, [RandomAgent()] * 4, [()], None)
