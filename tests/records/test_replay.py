"""Records replay to what was played, bit for bit; others are refused with a reason."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from records.keep import FILE
from records.played import FEW, deal, match
from support.marks import by_cost

import jaxcards
from jaxcards import records
from jaxcards.agent import RandomAgent
from jaxcards.records import arrays
from jaxcards.testing.deals import quick_jit, require_equal

ID = "euchre/dummy_partner"
MATCHES = ("sheepshead/deepsheep_doubler",)
DEALS = ("euchre/dummy_partner",)


def kept():
    return [records.from_line(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("id", by_cost(FEW, set(FEW) - set(DEALS)))
def test_a_deal_replays_to_the_states_of_its_rollout(id):
    game, record = jaxcards.make(id), deal(id)
    done = quick_jit(lambda key: jaxcards.rollout(game, RandomAgent(), (), key))(jax.random.key(0))
    replayed = records.replay(record)
    require_equal(replayed.state(len(replayed)), done.state, id)
    assert record.points == tuple(done.points.tolist())
    for number, action in enumerate(record.actions):
        state = replayed.state(number)
        assert not state.terminated and replayed.actions[number] == action


@pytest.mark.slow
@pytest.mark.parametrize("id", by_cost(FEW, set(FEW) - set(MATCHES)))
def test_a_match_replays_to_the_states_of_its_rollout(id):
    game, record = jaxcards.Match(jaxcards.make(id)), match(id)
    done = quick_jit(lambda key: jaxcards.rollout(game, RandomAgent(), (), key))(jax.random.key(0))
    replayed = records.replay(record)
    last = dataclasses.replace(replayed.state(len(replayed)), key=np.asarray(done.state.key))
    require_equal(last, done.state, id)
    assert len(replayed) == sum(len(one.actions) for one in record.deals)
    # Where a deal has ended the next one is on the table, with the points of the last one counted.
    first = len(record.deals[0].actions)
    assert replayed.state(first - 1).num_deals == 0 and replayed.state(first).num_deals == 1
    assert replayed.state(first).totals.tolist() == list(record.deals[0].points)


def test_a_batch_replays_in_one_program():
    game = jaxcards.make(ID)
    given = [deal(ID, seed) for seed in range(5)]
    packed = records.to_arrays(game, given)
    points = quick_jit(lambda deals: arrays.replay_points(game, deals))(packed)
    np.testing.assert_array_equal(points, packed.points)
    assert [tuple(row) for row in np.asarray(points).tolist()] == [one.points for one in given]
    id, rules = records.record.id_and_rules(game)
    again = records.from_arrays(id, rules, packed, players=given[0].players)
    assert again == [dataclasses.replace(one, source={}) for one in given]


def test_hands_of_a_recorder_are_those_of_the_player():
    game = jaxcards.make(ID)
    recorder = records.Recorder(game, game.init(jax.random.key(0)), players=("a", "b", "c"))
    for number, action in enumerate(deal(ID).actions):
        recorder.step(game.action_to_string(action) if number % 2 else action, note=str(number))
        if number == 3:
            half = recorder.record()
    made = recorder.record()
    assert made.notes[3] == "3" and made.players == ("a", "b", "c")
    assert dataclasses.replace(made, notes={}, players=None) == dataclasses.replace(
        deal(ID), players=None, source={}
    )
    assert half.points is None and half.actions == made.actions[:4]
    assert len(records.replay(half)) == 4
    with pytest.raises(jaxcards.UserError, match="the deal is over"):
        recorder.step("pass")


@pytest.mark.slow
def test_a_match_by_hand_is_recorded_deal_by_deal():
    game = jaxcards.Match(jaxcards.make(ID))
    wanted = match(ID)
    recorder = records.Recorder(game, game.init(jax.random.key(0)))
    step = quick_jit(game.step)
    recorder._game = type("Quick", (jaxcards.Match,), {"checked_step": lambda _, *a: step(*a)})(
        game.game
    )
    for number, one in enumerate(wanted.deals[:2]):
        for action in one.actions:
            recorder.step(jnp.int32(action))
        assert recorder.record() == records.MatchRecord(wanted.deals[: number + 1])
    assert records.check(recorder.record()) == game.game


def replaced(**parts):
    return dataclasses.replace(deal(ID), **parts)


def other_action(number):
    """Return the record with another card at a place where that is not legal."""
    return replaced(actions=(*deal(ID).actions[:number], 0, *deal(ID).actions[number + 1 :]))


@pytest.mark.parametrize(
    "record, words",
    [
        (other_action(0), "action 0, '9c' of player"),
        (other_action(0), "is not legal; legal are pass, call"),
        (replaced(actions=deal(ID).actions * 1 + (25,)), "'pass' of player"),
        (replaced(actions=deal(ID).actions * 1 + (25,)), "is not legal: the deal is over"),
        (replaced(actions=deal(ID).actions[:-1]), "the deal is not over after"),
        (replaced(points=(9, 9, 9)), "the points are [9, 9, 9], but it replays to ["),
        (replaced(points=None), "the deal is over, and points are missing"),
    ],
)
def test_a_record_that_does_not_replay_is_refused(record, words):
    with pytest.raises(jaxcards.UserError) as error:
        records.replay(record)
    assert words in str(error.value) and "\n" not in str(error.value)


def match_with(id, number, **parts):
    record = match(id)
    deals = list(record.deals)
    deals[number] = dataclasses.replace(deals[number], **parts)
    return dataclasses.replace(record, deals=tuple(deals))


@pytest.mark.parametrize(
    "change, words",
    [
        (
            lambda id: match_with(id, 1, dealer=(match(id).deals[1].dealer + 1) % 5),
            "deals next, not",
        ),
        (
            lambda id: match_with(id, 1, facts=match(id).deals[1].facts | {"stakes": 3}),
            "stakes of the next deal must be",
        ),
        (
            lambda id: match_with(id, 0, facts=match(id).deals[0].facts | {"stakes": 2}),
            "deal 0 of the match: ",
        ),
        (
            lambda id: dataclasses.replace(match(id), deals=match(id).deals[:-1]),
            "the match is not over",
        ),
        (
            lambda id: dataclasses.replace(match(id), deals=(*match(id).deals, match(id).deals[-1])),
            "the match is over after it, but another deal follows",
        ),
        (
            lambda id: dataclasses.replace(match(id), winners=()),
            "the winners are [], but it replays to",
        ),
        (lambda id: dataclasses.replace(match(id), winners=None), "winners are missing"),
        (lambda id: dataclasses.replace(match(id), deals=()), "a match has at least one deal"),
    ],
)
def test_a_match_whose_deals_do_not_follow_is_refused(change, words):
    with pytest.raises((jaxcards.UserError, IndexError)) as error:
        records.check(change("sheepshead/deepsheep_doubler"))
    assert words in str(error.value)


@pytest.mark.slow
def test_records_of_many_games_are_checked_together():
    given = [deal(id) for id in FEW]
    given[2] = dataclasses.replace(given[2], actions=given[2].actions[:-1])
    found = records.problems([*given, other_action(0)])
    assert [number for number, problem in enumerate(found) if problem] == [2, 6]


def test_kept_records_are_of_all_presets():
    found = kept()
    assert [one.game for one in found if isinstance(one, records.DealRecord)] == [
        id for id in jaxcards.games() if "/" in id
    ]
    assert sum(isinstance(one, records.MatchRecord) for one in found) == 9


def test_kept_records_replay():
    few = [one for one in kept() if isinstance(one, records.DealRecord) and one.game in FEW]
    assert len(few) == len(FEW) and records.problems(few) == [None] * len(few)


@pytest.mark.slow
def test_all_kept_records_replay():
    found = kept()
    assert records.problems(found) == [None] * len(found)
