"""Every kind of work does what it says, counts it right, and notices what is wrong."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards import throughput, xla
from jaxcards.agent import RandomAgent
from jaxcards.bench import deals, hidden, learning, program, reference, workloads
from jaxcards.errors import UserError
from jaxcards.rollouts import deal_keys, recorded_rollout
from jaxcards.stages import of_calls_and_tricks
from jaxcards.testing.deals import quick_jit

BATCH, ROUNDS = 16, 3


@pytest.fixture(scope="module", autouse=True)
def few():
    """Small samples to compare with, and programs that compile fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick_jit)
        patch.setattr(program, "MOST_BATCHES", 1)
        patch.setattr(reference, "_DEALS", 512)
        patch.setattr(reference, "_MATCHES", 32)
        patch.setattr(hidden, "_SITUATIONS", 8)
        yield


@pytest.fixture(scope="module")
def game():
    return jaxcards.make("jass/tournament")


def done(timed, seed=5, rounds=ROUNDS):
    return timed.judge(timed.run(seed, rounds), rounds)


@pytest.mark.slow
def test_random_play(game):
    play = deals.random_play(game, BATCH, 1)
    found = done(play)
    assert not found.wrong and found.facts["total"] == [314, 314]
    assert found.amounts["deals"] == BATCH * ROUNDS
    assert found.amounts["card_plays"] == 36 * BATCH * ROUNDS
    assert 37 <= found.amounts["decisions"] / (BATCH * ROUNDS) < 38
    assert done(play, seed=6).facts["points"] != found.facts["points"]
    assert play.program.equations > 1000


@pytest.mark.slow
def test_observations_are_all_read(game):
    """The digest is that of the decisions of the same deals, by the plain rollout."""
    found = done(deals.observations(game, 4, 1), rounds=1)

    def decisions(key):
        return recorded_rollout(game, RandomAgent(), (), key)[1]

    kept = quick_jit(jax.vmap(decisions))(
        deal_keys(jnp.uint32(program.seeds(5, 1)[0]), jnp.arange(4, dtype=jnp.uint32))
    )
    words = [np.asarray(leaf).astype(np.uint32).reshape(4, -1) for leaf in jax.tree.leaves(kept)]
    expected = sum(leaf.sum(axis=1, dtype=np.uint32) for leaf in words)
    assert found.facts["used"] == int(expected.astype(np.uint64).sum()) and not found.wrong


@pytest.mark.slow
def test_network(game):
    found = done(deals.network(game, BATCH, 1), rounds=1)
    assert not found.wrong and found.facts["total"] == [314, 314]
    assert found.amounts["card_plays"] == 36 * BATCH


@pytest.mark.slow
def test_matches(game):
    found = done(deals.matches(game, 4, 1), rounds=2)
    assert not found.wrong and found.amounts["matches"] == 8
    assert found.amounts["deals"] == 12 * 8  # a match of the preset has twelve
    assert found.amounts["card_plays"] == 36 * 12 * 8


@pytest.mark.slow
def test_determinization(game):
    sampler = hidden.determinization(game, BATCH, 2)
    found, other = done(sampler), done(sampler, seed=6)
    assert not found.wrong and found.facts["right"] == found.amounts["samples"] == BATCH * ROUNDS
    assert other.facts["used"] != found.facts["used"]


@pytest.mark.slow
def test_situations_are_spread_over_the_deal(game, monkeypatch):
    monkeypatch.setattr(hidden, "_SITUATIONS", 64)
    states = hidden.situations.__wrapped__(game)
    played = sum(np.asarray(cards.count()) for cards in jax.vmap(game.card_places)(states).played)
    assert played.min() < 6 and played.max() > 30 and played.max() < 36
    assert not np.asarray(states.terminated).any()


@pytest.mark.slow
def test_a_wrong_sample_is_noticed(game, monkeypatch):
    def everybody_has_the_same(self, key, state, player):
        return dataclasses.replace(state, hands=(state.hands[0],) * 4)

    monkeypatch.setattr(type(game), "determinize", everybody_has_the_same)
    found = done(hidden.determinization(game, BATCH, 1))
    assert found.wrong == f"{BATCH * ROUNDS} of {BATCH * ROUNDS} are not deals of the cards"


@pytest.mark.slow
def test_training(game):
    learner = learning.training(game, 4, 1)
    first, second = done(learner, rounds=1), done(learner, rounds=2)
    assert not first.wrong and not second.wrong
    assert (first.amounts["deals"], second.amounts["deals"]) == (4, 8)
    assert 37 <= second.amounts["decisions"] / 8 <= 38
    assert first.facts != second.facts


@pytest.mark.slow
def test_devices_share_the_same_deals(game):
    one, two = (deals.random_play(game, BATCH, n).run(9, 1)[0][0] for n in (1, 2))
    assert (np.asarray(one.points) == np.asarray(two.points)).all()
    assert int(one.highest) == int(two.highest) == 314 and int(two.unfinished) == 0
    shared = throughput.random_play(game, BATCH, 1, devices=2)(jnp.uint32(program.seeds(9, 1)[0]))
    assert (np.asarray(shared.points) == np.asarray(one.points)).all()


@pytest.mark.slow
def test_parts_play_the_same_deals(game):
    """A batch that is played in parts, the last one smaller, and shared by two devices."""
    play = throughput.random_deal(game)
    whole, _ = quick_jit(throughput.tallied(play, 20, 1))((), jnp.uint32(3), 2)
    for devices, in_cache in ((1, 8), (2, 4)):
        parts, _ = quick_jit(throughput.tallied(play, 20, devices, in_cache))((), jnp.uint32(3), 2)
        assert (np.asarray(parts.points) == np.asarray(whole.points)).all()


@pytest.mark.slow
def test_rounds_of_a_game_are_equally_many():
    game = jaxcards.make("rikiki", schedule=(1, 2, 3))
    found = done(deals.random_play(game, 4, 1))
    assert not found.wrong and found.facts["total"] == [1, 3]
    assert found.amounts["deals"] % 3 == 0


@pytest.mark.parametrize("build", [deals.random_play, hidden.determinization, learning.training])
def test_devices_have_to_share_evenly(game, build):
    with pytest.raises(UserError, match="a batch of 5 cannot be shared evenly by 2 devices"):
        build(game, 5, 2)


def test_too_many_devices(game):
    with pytest.raises(UserError, match=r"devices must be 1 to \d+ here, not 64"):
        throughput.random_play(game, 64, 1, devices=64)


@pytest.mark.slow
def test_deals_that_do_not_end_are_noticed(game, monkeypatch):
    too_short = of_calls_and_tricks(2, 8, 4)  # a trick too few
    monkeypatch.setattr(type(game), "schedule", lambda game, round=None: too_short)
    assert done(deals.random_play(game, 4, 1), rounds=2).wrong == "8 deals were not finished"


@pytest.mark.slow
def test_rounds_are_other_deals(game, monkeypatch):
    monkeypatch.setattr(program, "MOST_BATCHES", 2)
    rounds = [tally.points for tally, _ in deals.random_play(game, BATCH, 1).run(4, 2)]
    alone = [throughput.random_play(game, BATCH, 2)(jnp.uint32(s)).points for s in program.seeds(4, 2)]
    assert (np.asarray(rounds) == np.asarray(alone)).all() and (rounds[0] != rounds[1]).any()
    every = [seed for n in range(100) for seed in program.seeds(n, 1000)]
    assert len(set(every)) == len(every) and max(every) < 2**32


def test_a_difference_is_noticed():
    expected = reference.Reference(
        10_000, 1, 37, 36, 314, 314, np.array([80.0, 77.0]), np.array([30.0, 30.0])
    )
    points = np.array([80.5, 76.5]) * 10_000
    assert expected.difference(points, 10_000, 314, 314) == ""
    assert "hand out 310 to 314" in expected.difference(points, 10_000, 310, 314)
    assert "hand out 314 to 315" in expected.difference(points, 10_000, 314, 315)
    assert expected.difference(points, 10_000, 0, 314) == ""  # an unplayed deal
    points = np.array([80.0, 74.0]) * 10_000
    said = expected.difference(points, 10_000, 314, 314)
    assert said == "seat 1 has 74.00 points on average, not 77.00"
    assert expected.difference(points // 1000, 10, 314, 314) == ""  # ten deals cannot show that


def test_workloads_are_chosen_by_name():
    assert [work.name for work in workloads.choose(["matches", "random", "matches"])] == [
        "matches",
        "random",
    ]
    assert workloads.choose(["all"]) == list(workloads.WORKLOADS.values())
    assert all(callable(work.load()) for work in workloads.WORKLOADS.values())
    with pytest.raises(UserError, match="unknown work 'radnom'; did you mean 'random'"):
        workloads.choose(["radnom"])
