"""Other players in a run: an adversary at the table, and the network that a run begins with."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.training import host, same, trainer

import jaxcards
from jaxcards.agent import Agent, RandomAgent
from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.learners.match_deals import DealOfMatch
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO, TrainStateAgainst
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.agents.networks.vocabulary import Start, policy_vocabulary
from jaxcards.errors import UserError

CONFIG = PPOConfig(seed=3, deals_per_update=64, minibatches=2, hidden=(32,), critic_hidden=(32,))
EUCHRE = jaxcards.make("euchre")
SHORT = jaxcards.make("rikiki", num_players=3, schedule=(2,))
SCHEDULE = jnp.float32(100)
AGAINST = dataclasses.replace(CONFIG, against="a friend", deals_per_update=30)


@pytest.fixture(scope="module")
def friend() -> FixedPlayer:
    agent = NetworkAgent(SHORT, (8,), greedy=True)
    return FixedPlayer(agent, jax.device_get(agent.init(jax.random.key(1), SHORT)))


@pytest.mark.slow
@pytest.mark.parametrize("share, decisions, choices", [(1.0, 32 * 9, 32 * 2), (0.25, 32 * 9, 32 * 5)])
def test_an_adversary_stays_what_it_is_on_two_devices_as_on_one(
    friend: FixedPlayer, share: float, decisions: int, choices: int
) -> None:
    config = dataclasses.replace(AGAINST, deals_per_update=32, against_share=share)
    one = PPO(SHORT, config, num_devices=1, adversary=friend)
    two = PPO(SHORT, config, num_devices=2, adversary=friend)
    state = host(one.fresh())
    after_one, metrics = trainer(one, 2)(one.place(state), SCHEDULE)
    after_two, _ = trainer(two, 2)(two.place(state), SCHEDULE)
    same(after_one, after_two, atol=2e-5)
    for before, after in zip(
        jax.tree.leaves(friend.params), jax.tree.leaves(host(after_one).adversary), strict=True
    ):
        np.testing.assert_array_equal(before, after)
    # One seat of three decides where the adversary sits: a bid, and a card of two.
    assert float(metrics["decisions"]) == decisions
    assert choices - 32 < float(metrics["choices"]) <= choices


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("share, frozen", [(0.1, 1), (0.25, 4), (0.9, 14), (1.0, 15)])
def test_an_adversary_has_its_share_of_every_minibatch(
    friend: FixedPlayer, share: float, frozen: int
) -> None:
    learner = PPO(SHORT, dataclasses.replace(AGAINST, against_share=share), adversary=friend)
    numbers = jax.shard_map(
        learner._numbers, mesh=sharding.mesh(1), in_specs=(), out_specs=jax.sharding.PartitionSpec(),
        check_vma=False,
    )()  # fmt: skip
    assert [group.frozen for group in learner._groups] == [False, True][-len(numbers) :]
    # Two minibatches of 15 deals, those of the adversary last.
    assert sorted(np.concatenate(numbers).tolist()) == list(range(30))
    last = [*range(15 - frozen, 15), *range(30 - frozen, 30)]
    assert np.asarray(numbers[-1]).tolist() == last


def test_each_side_is_learned_in_turn(friend: FixedPlayer) -> None:
    seats = frozen(friend)[1]
    assert (~np.asarray(seats)).sum(1).tolist() == [1] * 30
    assert np.flatnonzero(~np.asarray(seats).reshape(-1))[:4].tolist() == [0, 4, 8, 9]


def test_in_matches_an_adversary_sits_at_their_deals(friend: FixedPlayer) -> None:
    config = dataclasses.replace(AGAINST, matches=True, against_share=0.5)
    groups = PPO(EUCHRE, config, adversary=friend)._groups
    assert [(group.game, group.frozen) for group in groups] == [
        (DealOfMatch(EUCHRE), frozen) for frozen in (False, True)
    ]


def test_an_adversary_answers_under_one_name_of_the_suits(friend: FixedPlayer) -> None:
    by_the_mean = dataclasses.replace(friend.agent, symmetric=True)
    assert frozen(dataclasses.replace(friend, agent=by_the_mean))[0] == friend.agent
    assert frozen(FixedPlayer(RandomAgent(), ()))[0] == RandomAgent()


def frozen(adversary: FixedPlayer) -> tuple[Agent, jax.Array]:
    """Return the players at the tables of an adversary, and bool[deals, num_players], their seats."""
    learner, who = PPO(SHORT, AGAINST, adversary=adversary), []

    def seats() -> jax.Array:
        state = TrainStateAgainst((), (), jnp.int32(0), jnp.float32(1), adversary.params)
        found = learner._frozen(state)
        who.append(found.agent)
        return found.seats

    spec = jax.sharding.PartitionSpec()
    where = jax.shard_map(seats, mesh=sharding.mesh(1), in_specs=(), out_specs=spec, check_vma=False)()
    return who[-1], where


@pytest.mark.slow
def test_a_run_begins_with_a_given_network(friend: FixedPlayer) -> None:
    start = Start(policy_vocabulary([SHORT]), friend.params)
    config = dataclasses.replace(CONFIG, hidden=(8,), start="a friend")
    state = PPO(SHORT, config, start=start).fresh()
    for x, y in zip(
        jax.tree.leaves(state.params["policy"]), jax.tree.leaves(friend.params), strict=True
    ):
        np.testing.assert_array_equal(x, y)
    expected = r"cannot start from a friend: it has hidden = \[8\]: the run needs equally many"
    for hidden in ((7,), (8, 8)):
        with pytest.raises(UserError, match=expected):
            PPO(SHORT, dataclasses.replace(config, hidden=hidden), start=start).fresh()


def test_an_adversary_has_a_deal(friend: FixedPlayer) -> None:
    with pytest.raises(UserError, match="a friend has no deal of the 15 of a minibatch: raise"):
        PPO(SHORT, dataclasses.replace(AGAINST, against_share=0.01), adversary=friend)


def test_an_adversary_has_a_name(friend: FixedPlayer) -> None:
    for config, adversary in ((CONFIG, friend), (AGAINST, None)):
        with pytest.raises(UserError, match="if and only if the setting against names one"):
            PPO(SHORT, config, adversary=adversary)
