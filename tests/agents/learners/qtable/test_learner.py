"""The learner: what it sees, that it learns, that a run can go on and be shared."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners.qtable.config import QTableConfig
from jaxcards.agents.learners.qtable.description import decide, layout_of
from jaxcards.agents.learners.qtable.euchre import feats
from jaxcards.agents.learners.qtable.learner import QTable
from jaxcards.agents.learners.qtable.rewards import rewards_of
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.rollouts import recorded_rollout, rollout
from jaxcards.testing.deals import quick_jit

GAME = jaxcards.make("euchre/three_handed")
CONFIG = QTableConfig(seed=3, deals_per_update=512, epsilon=0.5, march_reward=0.1)
SCHEDULE = jnp.float32(40)


@functools.cache
def trainer(num_devices: int = 1):
    """One update on some devices: a function of a state; compiled once."""
    learner = QTable(GAME, CONFIG, num_devices)
    return learner, quick_jit(lambda state: learner.train(state, 1, SCHEDULE))


@functools.cache
def learned():
    """States and metrics after each of 40 updates."""
    learner, train = trainer()
    states, metrics = [jax.device_get(learner.fresh())], []
    for _ in range(40):
        state, found = train(learner.place(states[-1]))
        states.append(jax.device_get(state))
        metrics.append({name: float(value) for name, value in found.items()})
    return states, metrics


@pytest.mark.slow
def test_a_run_goes_on_bit_for_bit():
    """From a state on the host, as from a checkpoint: nothing else is remembered."""
    states, _ = learned()
    learner, train = trainer()
    again, _ = train(learner.place(states[20]))
    for x, y in zip(jax.tree.leaves(states[21]), jax.tree.leaves(again), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.slow
def test_two_devices_learn_what_one_learns():
    states, metrics = learned()
    learner, train = trainer(2)
    after, found = train(learner.place(states[0]))
    np.testing.assert_array_equal(states[1].table.visits, after.table.visits)
    np.testing.assert_allclose(states[1].table.values, after.table.values, atol=1e-5)
    assert {name: pytest.approx(value) for name, value in metrics[0].items()} == found


@pytest.mark.slow
def test_metrics():
    states, metrics = learned()
    assert all(np.isfinite(list(found.values())).all() for found in metrics)
    assert all(np.isfinite(state.table.values).all() for state in states)
    assert metrics[0]["epsilon"] == pytest.approx(0.5)
    assert metrics[20]["epsilon"] == pytest.approx((0.5 + 0.02) / 2)
    assert metrics[0]["cells"] < metrics[-1]["cells"] == (states[-1].table.visits > 0).sum()
    assert 512 * 10 < metrics[0]["choices"] < metrics[0]["decisions"]
    visits = sum(found["choices"] for found in metrics)
    assert states[-1].table.visits.sum() == visits


@pytest.mark.slow
def test_it_learns():
    """Twenty thousand deals of Euchre with a dummy are enough to beat random play by far."""
    states, _ = learned()
    player = trainer()[0].player
    agents = [player, RandomAgent()]
    result = evaluate(GAME, agents, [states[-1].table, ()], ["table", "random"], 400)
    (pair,) = result.pairs
    assert pair.difference.low > 0.5


def decisions(game, key):
    """Return the decisions of a random deal, whether each option is legal, and the mask of turns."""
    _, steps = recorded_rollout(game, RandomAgent(), (), key)

    def one(observation, legal):
        asked = decide(game, observation, legal)
        return asked, jax.vmap(lambda action: legal.contains(action.astype(jnp.uint32)))(asked.action)

    return *jax.vmap(one)(steps.observation, steps.legal), steps.valid


PRESETS = [id for id in jaxcards.games() if "/" in id]


@pytest.mark.slow
@pytest.mark.parametrize(
    "id", [id if id == "rikiki/plain" else pytest.param(id, marks=pytest.mark.slow) for id in PRESETS]
)
def test_every_decision_has_options_that_are_legal(id):
    game = jaxcards.make(id)
    layout, play = layout_of(game), quick_jit(jax.vmap(functools.partial(decisions, game)))
    asked, allowed, valid = jax.device_get(play(jax.random.split(jax.random.key(4), 128)))
    assert asked.legal[valid].any(-1).all()
    assert allowed[asked.legal & valid[..., None]].all()
    for cell in np.unique(asked.cell[valid]):
        of_state = asked.legal[valid & (asked.cell == cell)].any(0)
        state, _ = layout.place(int(cell))
        own = [layout.place(int(cell) + option) for option in np.flatnonzero(of_state)]
        assert {place[0] for place in own} == {state}
    assert len(np.unique(asked.cell[valid])) > 30


@pytest.mark.slow
def test_feats_of_euchre():
    """From the tricks of each side and who made trumps, deal by deal."""

    def play(key):
        state = rollout(GAME, RandomAgent(), (), key).state
        return GAME.progress(state), state.public.calls, state.public.tricks, feats(GAME.rules, state)

    keys = jax.random.split(jax.random.key(8), 512)
    tricks, calls, table, found = jax.device_get(quick_jit(jax.vmap(play))(keys))
    seen = set()
    for deal in range(len(keys)):
        played = table.tricks[deal] == 5
        maker, alone = int(calls.maker[deal]), bool(calls.alone[deal])
        won = int(tricks[deal, maker])
        side = np.where(np.arange(3) == 0, 1, -1) * (1 if maker == 0 else -1)
        happened = played & (won == 5), played & (won < 3), played & (won >= 3) & alone
        signs = 1, -1, 1
        for feat, did, sign in zip(found, happened, signs, strict=True):
            np.testing.assert_array_equal(feat[deal], side * sign if did else 0)
        seen.add(happened)
    assert {any(case[i] for case in seen) for i in range(3)} == {True}


def test_rewards():
    """Two players, the second of whom wins a trick and the deal."""

    class Coin:
        name = "coin"
        returns = staticmethod(lambda state: jnp.array([-state, state], jnp.float32))
        progress = staticmethod(lambda state: jnp.array([0, state]))

    rewards = rewards_of(Coin, QTableConfig(trick_reward=0.25))
    np.testing.assert_allclose(rewards(1, 3), [-2, 2.25])
    np.testing.assert_allclose(rewards(3, 3), [0, 0])
    with pytest.raises(UserError, match="euchre_reward must be 0 except in euchre: this is coin"):
        rewards_of(Coin, QTableConfig(euchre_reward=1.0))
    with pytest.raises(UserError, match="march_reward must be 0 except in euchre: this is jass"):
        QTable(jaxcards.make("jass"), CONFIG)
