"""Distillation: what is made small, that the teacher is learned, and which teachers there are."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.training import trainer

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents import masking, sharing
from jaxcards.agents.decisions import masks
from jaxcards.agents.distillation.config import DistillationConfig
from jaxcards.agents.distillation.learner import Distillation
from jaxcards.agents.fixed import FixedPlayer
from jaxcards.agents.network import NetworkAgent, forward
from jaxcards.agents.self_play import self_play
from jaxcards.agents.symmetry import symmetries
from jaxcards.agents.vocabulary import Start, policy_vocabulary
from jaxcards.errors import UserError
from jaxcards.match import Match
from jaxcards.testing.deals import quick_jit

# Three players with two cards each: bids and tricks, and compiled in little time.
GAME = jaxcards.make("rikiki", num_players=3, schedule=(2,))
CONFIG = DistillationConfig(seed=3, deals_per_update=64, hidden=(64,), learning_rate=1e-2)
STILL = dataclasses.replace(CONFIG, learning_rate=1e-12, final_learning_rate=0.0)
SCHEDULE = jnp.float32(160)
ONCE = NetworkAgent(GAME, (16,), greedy=True)
MEAN = dataclasses.replace(ONCE, symmetric=True)
# Large weights: a teacher that prefers some actions clearly.
PARAMS = jax.device_get(jax.tree.map(lambda x: 20 * x, ONCE.init(jax.random.key(1), GAME)))
LEARNER = Distillation(GAME, CONFIG, teacher=FixedPlayer(ONCE, PARAMS))


def played(params):
    """Every step of the first update's deals, one in a row: features, mask, and which are decisions."""
    keys = sharing.keys_of(CONFIG.seed, jnp.int32(0), jnp.arange(64, dtype=jnp.uint32))
    found, _ = self_play(GAME, LEARNER.player.network, params, keys, critic=False)
    features, legal, decides = (
        x.reshape(-1, *x.shape[2:]) for x in (found.features, found.legal, found.decides)
    )
    return features, masks(GAME, legal), decides


def test_the_loss_is_the_divergence_from_the_teacher():
    """Against plain sums over the decisions of the same deals."""
    state = LEARNER.fresh()
    policy = jax.device_get(state.params["policy"])
    _, metrics = trainer(LEARNER, 1)(state, SCHEDULE)
    features, mask, decides = jax.tree.map(np.asarray, quick_jit(played)(policy))
    chances = [
        np.asarray(masking.log_probabilities(forward(agent.network, params, features), mask))
        for agent, params in ((ONCE, PARAMS), (LEARNER.player, policy))
    ]
    apart, same = [], []
    for wanted, own, legal in zip(*(x[decides] for x in (*chances, mask)), strict=True):
        apart.append((np.exp(wanted[legal]) * (wanted[legal] - own[legal])).sum())
        same.append(wanted.argmax() == own.argmax())
    np.testing.assert_allclose(metrics["divergence"], np.mean(apart), rtol=1e-4)
    np.testing.assert_allclose(metrics["agreement"], np.mean(same), rtol=1e-5)
    assert metrics["choices"] == decides.sum() and 0.1 < metrics["divergence"] < 5


def test_it_learns_the_teacher():
    train, state = trainer(LEARNER, 20), LEARNER.fresh()
    found = []
    for _ in range(8):
        state, metrics = train(state, SCHEDULE)
        found.append({name: float(value) for name, value in metrics.items()})
    assert found[-1]["divergence"] < found[0]["divergence"] / 4
    assert found[-1]["agreement"] > 0.95 > found[0]["agreement"]
    for x, y in zip(jax.tree.leaves(state.teacher), jax.tree.leaves(PARAMS), strict=True):
        np.testing.assert_array_equal(x, y)


def test_a_teacher_of_all_names_answers_under_each_in_turn():
    """A fixed policy is as far from the names, in the mean, as from each one by itself."""
    symmetric = Distillation(GAME, STILL, teacher=FixedPlayer(MEAN, PARAMS))
    train, state, apart = trainer(symmetric, 1), symmetric.fresh(), []
    number = len(symmetries(GAME).calls)
    for _ in range(number + 1):
        state = state._replace(update=state.update * 0 + len(apart))
        state, metrics = train(state, SCHEDULE)
        apart.append(float(metrics["divergence"]))
    assert number > 1 and len({round(x, 6) for x in apart[:number]}) == number
    once, _ = trainer(Distillation(GAME, STILL, teacher=FixedPlayer(ONCE, PARAMS)), 1), None
    first, metrics = once(symmetric.fresh(), SCHEDULE)
    np.testing.assert_allclose(apart[0], metrics["divergence"], rtol=1e-5)
    assert int(first.update) == 1


def test_a_run_begins_with_a_given_network():
    start = Start(policy_vocabulary([GAME]), PARAMS)
    config = dataclasses.replace(CONFIG, hidden=(16,), start="a friend")
    state = Distillation(GAME, config, teacher=FixedPlayer(ONCE, PARAMS), start=start).fresh()
    for x, y in zip(jax.tree.leaves(state.params["policy"]), jax.tree.leaves(PARAMS), strict=True):
        np.testing.assert_array_equal(x, y)
    narrow = dataclasses.replace(config, hidden=(8,))
    with pytest.raises(UserError, match="the run cannot begin with a friend: it has hidden"):
        Distillation(GAME, narrow, teacher=FixedPlayer(ONCE, PARAMS), start=start).fresh()


@pytest.mark.parametrize(
    "teacher, words",
    [
        (None, "a learner by distillation has a teacher that is a network"),
        (RandomAgent(), "a learner by distillation has a teacher that is a network"),
        (dataclasses.replace(ONCE, inputs="planes"), "champion sees planes, and a teacher is"),
        (NetworkAgent(Match(GAME)), "champion sees how a match stands, and a teacher is"),
    ],
    ids=["none", "random", "planes", "match"],
)
def test_who_cannot_teach(teacher, words):
    with pytest.raises(UserError, match=words):
        Distillation(GAME, CONFIG, teacher=teacher and FixedPlayer(teacher, PARAMS))


def test_a_teacher_has_a_name():
    with pytest.raises(UserError, match="distillation needs a teacher: name champion, or the run"):
        DistillationConfig(teacher="")
