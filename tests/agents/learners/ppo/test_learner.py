"""The learner: what it learns from, that devices share it faithfully, and that it learns."""

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.training import host, same, trainer

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.average import average_of
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO, TrainState
from jaxcards.agents.learners.ppo.minibatch import minibatch_decisions
from jaxcards.agents.learners.self_play import Experience, self_play
from jaxcards.agents.networks import masking
from jaxcards.agents.networks.network import NetworkAgent, forward
from jaxcards.agents.networks.vocabulary import Start, policy_vocabulary
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.rollouts import recorded_rollout, rollout
from jaxcards.testing.deals import quick_jit

CONFIG = PPOConfig(seed=3, deals_per_update=64, minibatches=2, hidden=(32,), critic_hidden=(32,))
SHORT = jaxcards.make("rikiki", num_players=3, schedule=(2,))
SCHEDULE = jnp.float32(100)


@functools.cache
def fresh(hidden: tuple[int, ...], critic_hidden: tuple[int, ...], seed: int) -> TrainState:
    """Return the result of `PPO.fresh`, which is slow to compile and depends on nothing else."""
    config = dataclasses.replace(CONFIG, hidden=hidden, critic_hidden=critic_hidden, seed=seed)
    return host(PPO(SHORT, config).fresh())


def begin(learner: PPO) -> TrainState:
    config = learner.config
    return learner.place(fresh(config.hidden, config.critic_hidden, config.seed))


@pytest.fixture(scope="module")
def learner() -> PPO:
    return PPO(SHORT, CONFIG)


def test_training_is_reproducible_and_compiles_once(learner: PPO) -> None:
    first, metrics = learner.train(begin(learner), 1, SCHEDULE)
    compiled = PPO.train._cache_size()
    second, _ = learner.train(begin(learner), 1, SCHEDULE)
    assert PPO.train._cache_size() == compiled
    same(first, second, rtol=0)
    assert int(first.update) == 1
    assert all(np.isfinite(float(value)) for value in metrics.values())
    assert float(metrics["decisions"]) == 64 * 3 * (1 + 2)  # a bid and two cards of each player


@pytest.mark.slow
def test_two_calls_equal_one(learner: PPO) -> None:
    """Updates do not depend on the number of updates in a call, as checkpoints assume."""
    whole, _ = trainer(learner, 2)(begin(learner), SCHEDULE)
    half, _ = trainer(learner, 1)(begin(learner), SCHEDULE)
    half, _ = trainer(learner, 1)(half, SCHEDULE)
    same(whole, half, rtol=0)


def test_buffers_are_donated(learner: PPO) -> None:
    state = begin(learner)
    learner.train(state, 1, SCHEDULE)
    assert all(leaf.is_deleted() for leaf in jax.tree.leaves(state.params))


@pytest.mark.slow
def test_two_devices_learn_what_one_learns() -> None:
    """The same deals, minibatches and gradients; only sums are rounded in another order.

    The number of decisions computed at once does not matter either: here all, there a third.
    """
    one = PPO(SHORT, dataclasses.replace(CONFIG, decision_share=1.0), num_devices=1)
    two = PPO(SHORT, dataclasses.replace(CONFIG, decision_share=0.3), num_devices=2)
    after_one, metrics_one = trainer(one, 1)(begin(one), SCHEDULE)
    after_two, metrics_two = trainer(two, 1)(begin(two), SCHEDULE)
    same(after_one, after_two, atol=2e-5)
    assert float(metrics_one["choices"]) == float(metrics_two["choices"])
    np.testing.assert_allclose(metrics_one["value_loss"], metrics_two["value_loss"], rtol=1e-4)


@pytest.mark.slow
def test_the_entropy_bonus_goes_from_its_first_to_its_last_weight(learner: PPO) -> None:
    """At its end a run in which the weight falls does what one with the small weight does."""
    falls = PPO(SHORT, dataclasses.replace(CONFIG, entropy=0.5))

    def after(learner: PPO, schedule: float):
        state = begin(learner)
        later = state._replace(update=state.update + 4)
        return trainer(learner, 1)(later, jnp.float32(schedule))[0]

    same(after(falls, 4), after(learner, 4), atol=1e-6)
    with pytest.raises(AssertionError):
        same(after(falls, 1e9), after(learner, 1e9), atol=1e-6)


@pytest.mark.slow
def test_the_policy_waits_while_the_critic_learns() -> None:
    """At first the policy and its average stay fixed; later training is as without a warmup."""
    config = dataclasses.replace(CONFIG, deals_per_update=8, average=0.5, policy_warmup=0.5)
    waits = PPO(SHORT, config)
    plain = PPO(SHORT, dataclasses.replace(config, policy_warmup=0.0))

    def after(learner: PPO, update: int) -> dict[str, Any]:
        state = learner.fresh()
        state = state._replace(update=state.update + update)
        state = host(trainer(learner, 1)(learner.place(state), jnp.float32(100))[0])
        return {"average": average_of(state.optimiser), **state.params}

    def alike(a: Any, b: Any) -> bool:
        return all(jax.tree.leaves(jax.tree.map(np.array_equal, a, b)))

    start = host(waits.fresh()).params
    first = after(waits, 0)
    assert alike(first["policy"], start["policy"])
    same(first["average"]["policy"], start["policy"], atol=1e-6)  # a mean of equals is rounded
    assert not alike(first["critic"], start["critic"])
    assert alike(after(waits, 50), after(plain, 50))
    assert not alike(after(waits, 25)["policy"], after(plain, 25)["policy"])


@pytest.mark.slow
def test_the_magnet_holds_cards_near_the_start() -> None:
    config = dataclasses.replace(CONFIG, deals_per_update=8, minibatches=1, start="a friend")
    friend = NetworkAgent(SHORT, CONFIG.hidden).init(jax.random.key(1), SHORT)
    start = Start(policy_vocabulary([SHORT]), jax.device_get(friend))

    def after(updates: int, card_magnet: float = 0.0) -> tuple[Any, float]:
        learner = PPO(SHORT, dataclasses.replace(config, card_magnet=card_magnet), start=start)
        state = learner.place(learner.fresh())
        state, metrics = trainer(learner, updates)(state, SCHEDULE)
        return host(state).params, float(metrics.get("magnet_kl", 0))

    same(after(1)[0], after(1, 50.0)[0], atol=1e-5)
    assert 0 < after(8, 50.0)[1] < after(8, 1e-9)[1]
    with pytest.raises(UserError, match="holds a run near its first policy: set start"):
        dataclasses.replace(config, start="", card_magnet=0.1)


def test_deals_that_devices_cannot_share_are_refused() -> None:
    with pytest.raises(UserError, match="multiple of minibatches times devices"):
        PPO(SHORT, dataclasses.replace(CONFIG, deals_per_update=62), num_devices=2)


@pytest.fixture(scope="module")
def experience(learner: PPO):
    state = begin(learner)
    keys = jax.random.key_data(jax.random.split(jax.random.key(5), 256)).astype(jnp.uint32)
    play = quick_jit(lambda p, k: self_play(SHORT, learner.networks.policy(SHORT), p, k))
    params = state.params["policy"]
    return params, *play(params, (keys[:, 0], keys[:, 1]))


def test_rewards_add_up_to_the_returns(experience) -> None:
    _, played, returns = experience
    begun = SHORT.returns(SHORT.init(jax.random.key(0)))  # an undecided bid counts as 0
    np.testing.assert_allclose(played.rewards.sum(0) + begun, returns, atol=1e-3)
    assert (np.asarray(played.rewards)[~np.asarray(played.valid)] == 0).all()


def test_stored_probabilities_are_those_of_the_policy(learner: PPO, experience) -> None:
    params, played, _ = experience
    layout = SHORT.action_layout
    legal = ActionSet(layout, [played.legal[..., i] for i in range(len(layout.offsets))])
    mask = jax.vmap(jax.vmap(lambda s: s.mask()))(legal)
    logits = forward(learner.networks.policy(SHORT), params, played.features)
    log_probability = masking.log_probabilities(logits, mask)
    chosen = np.take_along_axis(np.asarray(log_probability), np.asarray(played.action)[..., None], -1)
    decides = np.asarray(played.decides)
    np.testing.assert_allclose(
        chosen[..., 0][decides], np.asarray(played.log_probability)[decides], atol=1e-4
    )
    legal_choice = np.take_along_axis(np.asarray(mask), np.asarray(played.action)[..., None], -1)
    assert legal_choice[..., 0].all()


def test_forced_moves_are_no_decisions(experience) -> None:
    _, played, _ = experience
    layout = SHORT.action_layout
    legal = ActionSet(layout, [played.legal[..., i] for i in range(len(layout.offsets))])
    number = np.asarray(jax.vmap(jax.vmap(lambda s: s.count()))(legal))
    valid = np.asarray(played.valid)
    assert (np.asarray(played.decides) == (valid & (number > 1))).all()
    assert not np.asarray(played.decides)[-3:].any()  # the last trick leaves no choice


def test_rows_hold_exactly_the_decisions(learner: PPO, experience) -> None:
    """Every decision is one row with its own features; the other rows weigh nothing."""
    _, played, _ = experience
    values = jnp.zeros(played.decides.shape)
    spread = jax.shard_map(
        lambda e, v: minibatch_decisions(CONFIG, "deals", jnp.ones(1), [e], [v])[0],
        mesh=sharding.mesh(learner.num_devices),
        in_specs=jax.sharding.PartitionSpec(),
        out_specs=jax.sharding.PartitionSpec(),
        check_vma=False,
    )
    rows, index = jax.jit(spread)(played, values)
    decides = np.asarray(played.decides)
    number = int(decides.sum())
    room = int(decides.size * CONFIG.decision_share)
    assert index.shape == (-(-decides.size // room), room)
    index = np.asarray(index).reshape(-1)
    assert (index[number:] == decides.size).all()
    weight = np.asarray(rows.weight)
    np.testing.assert_allclose(weight.sum(), 1, rtol=1e-5)
    assert (weight[index[:number]] > 0).all() and (weight > 0).sum() == number
    for name in ("features", "full", "legal", "action", "log_probability"):
        own = np.asarray(getattr(rows, name))[index[:number]]
        assert (own == np.asarray(getattr(played, name))[decides]).all(), name
    advantage = np.asarray(rows.advantage)[index[:number]]
    assert abs(advantage.mean()) < 1e-4 and abs(advantage.std() - 1) < 1e-3


def weights_of(log_probability: jax.Array, sure_every: int, num_devices: int):
    """Return the weights of decisions by `rows.minibatch`, and the training rows: [steps, deals]."""
    steps, deals = log_probability.shape
    nothing = jnp.zeros((steps, deals, 1))
    batch = Experience(
        features=nothing, full=nothing, legal=nothing, action=nothing[..., 0], valid=nothing[..., 0],
        log_probability=log_probability, player=nothing[..., 0].astype(jnp.int32),
        decides=jnp.ones((steps, deals), bool), rewards=jnp.ones((steps, deals, 2)),
    )  # fmt: skip
    config = dataclasses.replace(CONFIG, sure_every=sure_every, decision_share=1.0)
    by_deals = jax.sharding.PartitionSpec(None, "deals")

    def own(batch: Experience):
        values = jnp.zeros(batch.decides.shape)
        rows, index = minibatch_decisions(config, "deals", jnp.ones(1), [batch], [values])[0]
        size = rows.weight.size
        learned = jnp.zeros(size + 1, bool).at[index.reshape(-1)].set(True)[:size]
        shape = batch.decides.shape
        return rows.weight.reshape(shape), learned.reshape(shape)

    spread = jax.shard_map(
        own, mesh=sharding.mesh(num_devices), in_specs=(by_deals,), out_specs=by_deals,
        check_vma=False,
    )  # fmt: skip
    return jax.tree.map(np.asarray, jax.jit(spread)(batch))


def test_one_sure_decision_stands_for_others_like_it() -> None:
    """Of those with 99 % one in four counts four times, so that the expected gradient stays; and it is
    the same one however many devices there are."""
    rng = np.random.default_rng(4)
    chance = np.where(rng.random((12, 64)) < 0.7, 0.995, 0.6)
    log_probability = jnp.log(jnp.asarray(chance, jnp.float32))
    number = chance.size
    for every in (1, 4):
        weight, learned = weights_of(log_probability, every, 1)
        copies = weight * number
        assert ((copies > 0.5) == learned).all()
        np.testing.assert_allclose(copies[chance < 0.99], 1, rtol=1e-5)
        assert set(copies[chance > 0.99].round(3)) == ({1.0} if every == 1 else {0.0, 4.0})
        two = weights_of(log_probability, every, 2)
        np.testing.assert_allclose(weight, two[0], rtol=1e-6)
        assert (learned == two[1]).all()
    # In every step the sure ones that stay count for all of them, deal by deal and step by step.
    every_one = jnp.log(jnp.full((12, 64), 0.995))
    weight, _ = weights_of(every_one, 4, 1)
    np.testing.assert_allclose(weight.mean(0) * number, 1, rtol=1e-5)
    np.testing.assert_allclose(weight.mean(1) * number, 1, rtol=1e-5)


@pytest.mark.slow
def test_network_agent_plays_the_policy_that_training_trains(learner: PPO, experience) -> None:
    """Relabelled suits and all: a greedy agent chooses what the policy likes best, and it is legal."""
    params, _, _ = experience
    agent = NetworkAgent(SHORT, CONFIG.hidden, greedy=True)

    def check(key: jax.Array) -> jax.Array:
        played = recorded_rollout(SHORT, agent, params, key)[1]
        return jax.vmap(lambda legal, action: legal.contains(action))(played.legal, played.action)

    assert np.asarray(jax.jit(jax.vmap(check))(jax.random.split(jax.random.key(6), 128))).all()


MIXED = dataclasses.replace(CONFIG, variants=1, deals_per_update=32)


@pytest.mark.slow
def test_a_mixture_is_learned_on_two_devices_as_on_one() -> None:
    """Two games share every minibatch; each has its own share of the deals and of the gradient."""
    one, two = PPO(SHORT, MIXED, num_devices=1), PPO(SHORT, MIXED, num_devices=2)
    words = one.vocabulary
    assert len(one.games) == 2 and words is not None
    state = host(one.fresh())
    assert state.scale.shape == (2,)
    after_one, metrics = trainer(one, 1)(one.place(state), SCHEDULE)
    after_two, _ = trainer(two, 1)(two.place(state), SCHEDULE)
    same(after_one, after_two, atol=2e-5)
    assert float(metrics["decisions"]) == 32 * (3 + 6)
    # Both games teach: what features say, and what tells the rules apart.
    states = (state, host(after_one))
    before, after = (s.params["policy"]["params"]["Dense_0"]["kernel"] for s in states)
    changed = np.abs(before - after).max(1) > 0
    assert changed[: len(words.inputs)].any() and changed[len(words.inputs) :].any()


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"against": "x", "variants": 1}, "against needs a single game: leave out"),
        ({"against_share": 0.5}, "against_share needs against: name a player"),
    ],
)
def test_settings_that_do_not_go_together(settings, words) -> None:
    with pytest.raises(UserError, match=words):
        PPOConfig(**settings)


def test_games_that_cannot_share_the_deals_are_refused() -> None:
    with pytest.raises(UserError, match="3 games cannot evenly share the 16 deals"):
        PPO(SHORT, dataclasses.replace(MIXED, variants=2))


@pytest.mark.slow
def test_it_learns() -> None:
    """A small network beats random play clearly after a second or two of training."""
    game = jaxcards.make("rikiki", num_players=3, schedule=(4,))
    config = PPOConfig(
        seed=6, deals_per_update=256, minibatches=4, hidden=(64,), critic_hidden=(64,),
        learning_rate=3e-3,
    )  # fmt: skip
    learner = PPO(game, config)
    agents = [learner.player, RandomAgent()]

    @quick_jit
    def points(params, keys: jax.Array) -> jax.Array:
        def deal(key: jax.Array) -> jax.Array:
            returns = rollout(game, agents, [params, ()], key, seats=[0, 1, 1]).returns
            return returns[0] - returns[1:].mean()

        return jax.vmap(deal)(keys).mean()

    keys = jax.random.split(jax.random.key(9), 2048)
    state = learner.init()
    before = float(points(learner.parameters(state), keys))
    state, _ = trainer(learner, 120)(state, jnp.float32(120))
    after = float(points(learner.parameters(state), keys))
    assert before < 1 < 1.5 < after


def test_a_symmetric_run_learns_as_ever_and_its_player_answers_by_the_mean(learner: PPO) -> None:
    symmetric = PPO(SHORT, dataclasses.replace(CONFIG, symmetric=True))
    assert symmetric.player == dataclasses.replace(learner.player, symmetric=True)
    assert symmetric.networks.policy(SHORT) == learner.networks.policy(SHORT)
