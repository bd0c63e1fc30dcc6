"""The policy gradient: what it learns from, that it learns, and that its numbers stay numbers."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.reinforce.config import ReinforceConfig
from jaxcards.agents.learners.reinforce.learner import WINDOW, Reinforce, TrainState, margin
from jaxcards.agents.learners.reinforce.loss import Rows, loss
from jaxcards.agents.learners.self_play import self_play
from jaxcards.errors import UserError
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.evaluation.seatings import advantage, seatings
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.testing.deals import quick_jit

# Three players with two cards each: bids and tricks, and compiled in little time.
GAME = jaxcards.make("rikiki", num_players=3, schedule=(2,))
CONFIG = ReinforceConfig(
    seed=3, deals_per_update=64, hidden=(32,), learning_rate=1e-2, discount=0.9, trick_weight=0.5,
    random_deals=16,
)  # fmt: skip
LEARNER = Reinforce(GAME, CONFIG)
SCHEDULE = jnp.float32(40)
NUM_PLAYED = 1536  # deals that a test plays against random players: 256 in each of 6 seatings


@functools.cache
def trainer(learner: Reinforce, num_updates: int = 1):
    """Return the function of some updates of a state, which may be on the host."""
    step = quick_jit(lambda state: learner.train(state, num_updates, SCHEDULE))
    return lambda state: step(learner.place(state))


@functools.cache
def players():
    """Deals of the policy and random players: a function of its parameters, keys and seats."""
    agents = [LEARNER.player, RandomAgent()]

    def play(policy, key, seats):
        return rollout(GAME, agents, [policy, ()], key, seats=seats).returns

    return quick_jit(jax.vmap(play, (None, 0, 0)))


@functools.cache
def judge():
    """Loss and metrics with the gradient of the logits."""

    def lost(logits, rows):
        return loss(GAME, logits, rows, jnp.float32(0.5), jnp.float32(0.25))

    return quick_jit(jax.value_and_grad(lost, has_aux=True))


@pytest.fixture(scope="module")
def begin() -> TrainState:
    return jax.device_get(quick_jit(LEARNER.fresh)())


def leaves(tree) -> list[np.ndarray]:
    return [np.asarray(leaf) for leaf in jax.tree.leaves(jax.device_get(tree))]


def same(a, b, **tolerance: float) -> None:
    for x, y in zip(leaves(a), leaves(b), strict=True):
        np.testing.assert_allclose(x, y, **tolerance)


def is_finite(tree) -> bool:
    return all(np.isfinite(leaf).all() for leaf in leaves(tree))


@pytest.fixture(scope="module")
def judged(begin):
    """Self-play of the fresh policy, and its decisions with what is learned of them."""

    def play(state: TrainState):
        keys = sharding.keys_of(CONFIG.seed, state.update, jnp.arange(64, dtype=jnp.uint32))
        network, policy = LEARNER.player.network, state.params["policy"]
        potential = functools.partial(LEARNER._potential, state.scale)
        experience, returns = self_play(GAME, network, policy, keys, potential=potential, critic=False)
        return experience, returns, LEARNER._decisions(experience)

    everywhere = PartitionSpec()
    mapped = jax.shard_map(
        play, mesh=sharding.mesh(1), in_specs=everywhere, out_specs=everywhere, check_vma=False
    )
    return jax.device_get(quick_jit(mapped)(begin))


def test_rewards_come_with_tricks_and_add_up_to_the_returns(begin, judged):
    played, returns, _ = judged
    rewards = np.asarray(played.rewards)
    np.testing.assert_allclose(rewards.sum(0), returns / begin.scale[0], atol=1e-5)
    # Three bids, then a trick of three cards, whose winner has what the two others lose together.
    assert (rewards[:5] == 0).all()
    trick = 0.5 / begin.scale[1]
    expected = [-trick / 2, -trick / 2, trick]
    np.testing.assert_allclose(np.sort(rewards[5]), np.tile(expected, (64, 1)), rtol=1e-5)
    assert played.full is None  # hidden cards are not stored


def test_gains_are_those_of_a_slow_twin(judged):
    played, _, decisions = judged
    expected = []
    for deal in range(64):
        for turn in np.flatnonzero(played.decides[:, deal]):
            player, total, factor = played.player[turn, deal], 0.0, 1.0
            for time in range(turn, len(played.decides)):
                again = played.decides[time, deal] and played.player[time, deal] == player
                factor *= 0.9 if again and time > turn else 1
                total += factor * played.rewards[time, deal, player]
            expected.append((turn, deal, total))
    totals = np.array([total for _, _, total in expected])
    normal = (totals - totals.mean()) / totals.std()
    gain = decisions.rows.gain.reshape(played.decides.shape)
    weight = decisions.rows.weight.reshape(played.decides.shape)
    for (turn, deal, _), value in zip(expected, normal, strict=True):
        assert gain[turn, deal] == pytest.approx(value, abs=1e-4)
        assert weight[turn, deal] == pytest.approx(1 / len(expected))
    assert (weight > 0).sum() == len(expected)


@pytest.mark.parametrize(
    ("id", "progress", "expected"),
    [
        ("jass", [60, 20, 60, 20], [40, -40, 40, -40]),
        ("rikiki", [3, 0, 0, 1], [8 / 3, -4 / 3, -4 / 3, 0]),
    ],
)
def test_the_lead_is_own_progress_less_that_of_the_others(id, progress, expected, monkeypatch):
    game = jaxcards.make(id)
    monkeypatch.setattr(type(game), "progress", lambda self, state: jnp.asarray(state))
    np.testing.assert_allclose(margin(game, progress), expected, rtol=1e-6)


def test_the_loss_is_the_gain_of_the_log_probability():
    """Against the formula in plain Python, with rows that weigh nothing among others."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(64, GAME.num_actions)).astype(np.float32)
    mask = rng.random((64, GAME.num_actions)) < 0.1
    mask[:, 7] = True
    mask[::2, GAME.deck.num_cards :] = False
    action = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
    gain, weight = rng.normal(size=64).astype(np.float32), rng.integers(0, 3, 64) / np.float32(64)
    value = 0.0
    for row in range(64):
        legal = logits[row, mask[row]].astype(float)
        logs = legal - np.log(np.exp(legal).sum())
        chosen = logs[np.flatnonzero(mask[row]).tolist().index(action[row])]
        bonus = 0.5 if mask[row, GAME.deck.num_cards :].any() else 0.25
        value -= weight[row] * (gain[row] * chosen - bonus * (np.exp(logs) * logs).sum())
    (found, metrics), _ = judge()(logits, rows_of(mask, action, gain, weight))
    assert float(found) == pytest.approx(value, rel=1e-4)
    assert 0 < float(metrics["call_entropy"]) < float(metrics["entropy"])


def rows_of(mask, action, gain, weight) -> Rows:
    """Return rows without features, which the loss ignores."""
    layout = GAME.action_layout
    legal = np.array([layout.constant(np.flatnonzero(row).tolist()) for row in mask], np.uint32)
    numbers = (np.asarray(values, np.float32) for values in (gain, weight))
    return Rows(np.zeros((64, 1), np.uint32), legal, np.asarray(action, np.int32), *numbers)


@pytest.mark.parametrize("size", [1.0, 1e9, 3e38, np.inf])
def test_no_nan_at_masks_without_actions_and_huge_logits(size):
    rng = np.random.default_rng(1)
    logits = rng.choice([size, 0.0, -size], (64, GAME.num_actions)).astype(np.float32)
    mask = rng.random((64, GAME.num_actions)) < 0.2
    mask[:32] = False
    action, gain = rng.integers(0, GAME.num_actions, 64), rng.normal(size=64)
    assert is_finite(judge()(logits, rows_of(mask, action, gain, np.full(64, 1 / 64))))


@pytest.mark.slow
def test_weights_that_overflow_are_left_alone(begin):
    """The network computes inf - inf: the update is refused, and every number stays a number."""
    huge = begin._replace(params=jax.tree.map(lambda x: np.float32(3e38) * np.sign(x), begin.params))
    after, metrics = trainer(LEARNER)(huge)
    assert is_finite(after) and is_finite(metrics) and float(metrics["refused"]) == 1
    same(after.params, huge.params, rtol=0)
    assert int(after.update) == 1


@pytest.mark.slow
def test_an_update_has_what_every_learner_says(begin):
    _, metrics = trainer(LEARNER)(begin)
    assert float(metrics["decisions"]) == 64 * GAME.max_steps
    assert 0 < float(metrics["choices"]) < float(metrics["decisions"])
    assert float(metrics["refused"]) == 0 and is_finite(metrics)


@pytest.mark.slow
def test_updates_from_checkpoint_to_checkpoint_equal_those_of_one_call(begin):
    whole, _ = trainer(LEARNER, 3)(begin)
    parts = begin
    for _ in range(3):
        parts = jax.device_get(trainer(LEARNER)(parts)[0])
    same(whole, parts, rtol=0)
    assert int(whole.update) == 3


@pytest.mark.slow
def test_two_devices_learn_what_one_learns(begin):
    two = Reinforce(GAME, CONFIG, num_devices=2)
    after_one, metrics_one = trainer(LEARNER)(begin)
    after_two, metrics_two = trainer(two)(begin)
    same(after_one, after_two, atol=2e-5)
    assert metrics_one.keys() == metrics_two.keys()
    for name in ("decisions", "choices", "won_against_random", "policy_loss"):
        assert float(metrics_one[name]) == pytest.approx(float(metrics_two[name]), abs=1e-4), name


@pytest.mark.slow
def test_deals_won_are_those_of_the_last_hundred(begin):
    """Each seat in turn, against an oracle that plays the deals one by one and compares in Python."""
    state = begin._replace(update=np.int32(5))
    after, metrics = trainer(LEARNER)(state)
    numbers = jnp.arange(64, 64 + 16, dtype=jnp.uint32)
    keys = jnp.stack(sharding.keys_of(CONFIG.seed, jnp.int32(5), numbers), -1)
    seats = np.array([[int(seat != (5 * 16 + n) % 3) for seat in range(3)] for n in range(16)])
    again = np.arange(NUM_PLAYED) % 16  # the same number of keys for which `players` is compiled
    returns = np.asarray(players()(state.params["policy"], keys[again], seats[again]))[:16]
    won = [r[s == 0].mean() > r[s == 1].mean() for r, s in zip(returns, seats, strict=True)]
    assert 0 < sum(won) < 16
    assert after.won.tolist() == [-1] * (WINDOW - 16) + [int(one) for one in won]
    assert float(metrics["won_against_random"]) == pytest.approx(np.mean(won))
    full = begin._replace(won=np.arange(WINDOW, dtype=np.int8) % 2)
    after, metrics = trainer(LEARNER)(full)
    assert after.won[: WINDOW - 16].tolist() == full.won[16:].tolist()
    assert float(metrics["won_against_random"]) == pytest.approx(float((after.won == 1).mean()))


@pytest.mark.slow
def test_it_learns(begin):
    """A small network beats random play clearly after a few seconds of training."""
    tables = np.tile(seatings(GAME), (NUM_PLAYED // 6, 1))
    keys = deal_keys(9, jnp.arange(NUM_PLAYED // 6, dtype=jnp.uint32)).repeat(6, axis=0)

    def against_random(state: TrainState):
        returns = players()(state.params["policy"], keys, tables)
        return mean_interval(advantage(GAME, returns.reshape(-1, 6, 3)))

    state = begin
    for _ in range(40):
        state, _ = trainer(LEARNER)(state)
    before, after = against_random(begin), against_random(jax.device_get(state))
    assert after.low > before.high + 0.5


def test_a_game_without_planes_is_refused():
    with pytest.raises(UserError, match="rikiki has no planes"):
        Reinforce(GAME, ReinforceConfig(inputs="planes"))


@pytest.mark.slow
@pytest.mark.parametrize("learning_rate", [5e-3, 1.0])  # the default; one that makes huge logits
def test_ten_million_decisions(learning_rate):
    """Every parameter and every metric stays a number."""
    config = ReinforceConfig(hidden=(64,), learning_rate=learning_rate)
    learner = Reinforce(jaxcards.make("jass"), config, num_devices=2)
    state, seen = learner.place(learner.fresh()), 0.0
    while seen < 1e7:
        state, metrics = learner.train(state, 8, jnp.float32(300))
        assert is_finite(metrics)
        seen += 8 * float(metrics["decisions"])
    assert is_finite(state)
