"""Batches of records: the same for the same update, ahead of time, and from a log to our tables."""

import threading

import h5py
import jax
import numpy as np
import pytest
from records.swisslos_played import GAME, deals
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import records, xla
from jaxcards.agents.learners.imitation.config import ImitationConfig
from jaxcards.agents.learners.imitation.learner import Imitation
from jaxcards.agents.networks import integers
from jaxcards.cli.main import main
from jaxcards.records.corpus import in_batches, read_corpus, split
from jaxcards.records.swisslos_logs_writer import Writer as LogsWriter
from jaxcards.records.swisslos_writer import Writer
from jaxcards.rollouts import rollout
from jaxcards.training import feeding
from jaxcards.training.deal_feed import DealFeed
from jaxcards.training.held_out import to_text
from jaxcards.training.swisslos_feed import SwisslosFeed


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        patch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)
        patch.setattr(xla, "compiler_options", lambda split=False: quick_options())
        yield


def quick_options():
    from jaxcards.testing.deals import quick_options

    return quick_options()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the same deals as lines, as logs, and as rows, a log or two deals."""
    folder = tmp_path_factory.mktemp("data")
    logged = [
        records.DealRecord(**{**vars(deal), "source": {"log": f"S2500_{number // 2}"}})
        for number, deal in enumerate(deals())
    ]
    lines = "".join(records.to_line(deal) + "\n" for deal in logged)
    (folder / "a.jsonl").write_text(lines, encoding="utf-8")
    with Writer(folder / "a.swisslos.h5") as writer:
        writer.write(logged)
    (folder / "logs").mkdir()
    with LogsWriter(folder / "logs") as writer:
        writer.write(logged)
    return folder


def taken(feed, first, number):
    return [batch for batch, _ in zip(feed.batches(first), range(number), strict=False)]


def equal(one, other):
    jax.tree.map(np.testing.assert_array_equal, one, other)


@pytest.fixture(params=["deals", "rows"])
def feed(request, files):
    if request.param == "deals":
        return DealFeed(files / "a.jsonl", GAME, 3, 0.2, 0)
    return SwisslosFeed(files / "a.swisslos.h5", 3, 0.2, 0)


@pytest.mark.slow
def test_a_batch_depends_on_its_number_alone(feed):
    whole = taken(feed, 0, 2 * feed.per_epoch + 2)
    for first in (1, feed.per_epoch, feed.per_epoch + 1):
        equal(taken(feed, first, 2), whole[first : first + 2])
    passes = whole[: feed.per_epoch], whole[feed.per_epoch : 2 * feed.per_epoch]
    assert any(
        (a != b).any()
        for a, b in zip(*map(jax.tree.leaves, passes), strict=True)
        if np.shape(a) == np.shape(b)
    ), "every pass has an order of its own"


def test_no_game_is_learned_from_and_held_out(files):
    found = DealFeed(files / "a.jsonl", GAME, 2, 0.2, 0)
    held = np.concatenate([batch.arrays.deck[batch.valid] for batch in found.held_out()])
    learned = np.concatenate([b.arrays.deck for b in taken(found, 0, found.per_epoch)])
    decks = {deal.deck: number // 2 for number, deal in enumerate(deals())}
    games = [{decks[tuple(deck)] for deck in some.tolist()} for some in (held, learned)]
    assert len(held) == 2 and len(games[0]) == 1, "one log of six, with both of its deals"
    assert games[0] | games[1] == set(range(6)) and not games[0] & games[1]
    # Of rows it is the same: a hand of nine tells the deal.
    rows = SwisslosFeed(files / "a.swisslos.h5", 2, 0.2, 0)
    held = np.concatenate([batch.state[batch.valid] for batch in rows.held_out()])
    assert len(held) == 72 and "6 games, 5 with 360 rows" in rows.about


def test_a_pass_has_every_row_once(files):
    feed = SwisslosFeed(files / "a.swisslos.h5", 2, 0.2, 0)
    assert feed.per_epoch == 5
    batches = taken(feed, 0, 5)
    rows = np.concatenate([np.c_[batch.state, batch.action] for batch in batches])
    assert len(np.unique(rows, axis=0)) == len(rows) == 360
    for batch in batches:
        assert batch.legal[np.arange(72), batch.action].all() and np.isnan(batch.seconds).all()
        hands = batch.state[:, 35:44].astype(int)
        ascending = (np.diff(hands, axis=1) > 0) | (hands[:, 1:] == 0)
        assert ascending.all()


def test_rows_that_cannot_be_are_left_out(files, tmp_path):
    path = tmp_path / "b.swisslos.h5"
    path.write_bytes((files / "a.swisslos.h5").read_bytes())
    with h5py.File(path, "r+") as file:
        for group in file.values():
            group["state"][3, 71] = 9
            group["action"][7, 0] = 200
            group["state"][11, 40] = 77
            group["time"][20] = -5
    feed = SwisslosFeed(path, 12, 0.2, 0)
    (batch,) = feed.held_out()
    assert batch.valid.sum() == 72 - 3
    assert batch.state.max() <= 36


@pytest.mark.parametrize(
    "name, words",
    [
        ("a.jsonl", "is not Swisslos data: convert it with jaxcards convert"),
        ("none.h5", "file not found"),
        ("one.swisslos.h5", "the data are of one game, but at least two are needed"),
        ("bad.swisslos.h5", "found no training data in"),
    ],
)
def test_bad_rows_are_refused_in_words(files, tmp_path, name, words):
    with Writer(tmp_path / "one.swisslos.h5") as writer:
        writer.write(deals(2))
    with h5py.File(tmp_path / "bad.swisslos.h5", "w") as file:
        file.create_group("a")["state"] = np.zeros((3, 72))
    path = files / name if name == "a.jsonl" else tmp_path / name
    with pytest.raises(jaxcards.UserError, match=words) as error:
        SwisslosFeed(path, 2, 0.2, 0)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_records_of_other_rules_are_left_out(files, tmp_path):
    other = records.play_deal(jaxcards.make("euchre"), Lowest(), 0, jax.random.key(0))
    text = (files / "a.jsonl").read_text() + records.to_line(other) + "\nrubbish\n"
    (tmp_path / "a.jsonl").write_text(text)
    found = read_corpus(tmp_path / "a.jsonl", GAME)
    assert (len(found), found.others, found.refused) == (12, 1, 1) and "line 14" in found.first
    with pytest.raises(jaxcards.UserError, match=r"it has jass/swisslos \(12 deals\), euchre/standard"):
        read_corpus(tmp_path / "a.jsonl", jaxcards.make("rikiki"))


def test_splits_and_batches():
    games = np.array([5, 5, 7, 7, 9])
    learned, held = split(games, 0.34, 0)
    assert sorted([*learned, *held]) == [0, 1, 2, 3, 4] and len(set(games[held])) == 1
    assert not set(games[held]) & set(games[learned])
    assert len(split(games, 0.001, 0)[1]) and len(split(games, 0.999, 0)[0])
    found = list(in_batches(np.arange(5), 2))
    assert [(list(some), list(valid)) for some, valid in found] == [
        ([0, 1], [True, True]), ([2, 3], [True, True]), ([4, 4], [True, False]),
    ]  # fmt: skip


# --- Ahead of time ------------------------------------------------------------------------------


def test_batches_are_read_ahead_and_in_order():
    threads = {thread.name for thread in threading.enumerate()}
    given = feeding.ahead(iter(range(50)), lambda batch: batch + 100)
    assert next(given) == 100 and "batches" in {thread.name for thread in threading.enumerate()}
    assert list(given) == list(range(101, 150))
    endless = feeding.ahead(iter(int, 1), lambda batch: batch)
    next(endless)
    endless.close()
    assert {thread.name for thread in threading.enumerate()} <= threads, "no thread is left"


def test_an_error_of_the_reader_arrives():
    def broken():
        yield 1
        raise jaxcards.UserError("the disk is gone")

    given = feeding.ahead(broken(), lambda batch: batch)
    assert next(given) == 1
    with pytest.raises(jaxcards.UserError, match="the disk is gone"):
        next(given)


# --- From a log to a table ----------------------------------------------------------------------


@pytest.mark.slow
def test_log_data_network_table(files, tmp_path):
    """The whole chain: logs become data, a network learns them, and sits at our table."""
    data = tmp_path / "a.swisslos.h5"
    assert main(["convert", str(files / "logs"), str(data)]) == 0
    config = ImitationConfig(
        inputs="integers", data=str(data), hidden=(16,), deals_per_update=2, learning_rate=0.02
    )
    learner = feeding.FedLearner(Imitation(GAME, config))
    state = learner.init()
    step = learner.compile(state, 10)
    curve = []
    for _ in range(6):
        state, metrics = step(state, 60.0)
        curve.append(metrics)
    assert curve[-1]["cross_entropy"] < 0.7 * curve[0]["cross_entropy"]
    assert curve[-1]["time_loss"] < curve[0]["time_loss"] and curve[-1]["epochs"] == 12
    assert 0 < metrics["held_out_accuracy"] < 1 and metrics["held_out_cross_entropy"] > 0
    text = to_text(learner.held_out(state))
    assert "cards" in text and "calls" not in text and "seconds before 72 moves" in text
    agent, params = learner.learner.player, learner.parameters(state)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(integers, "make_player", lambda name, game: Lowest())

        def play(key):
            return rollout(GAME, [agent, Lowest()], [params, 0], key, seats=[0, 1, 0, 1]).points

        points = jax.device_get(quick.jit(jax.vmap(play))(jax.random.split(jax.random.key(0), 4)))
    assert (points[:, 0] == points[:, 2]).all() and points.sum() > 0
    # A run that goes on learns the same, and other data are refused.
    again = feeding.FedLearner(Imitation(GAME, config))
    begun = again.init()
    first, _ = again.compile(begun, 10)(begun, 60.0)
    second, _ = again.compile(first, 10)(again.place(jax.device_get(first)), 60.0)
    restarted = learner.init()
    whole = learner.compile(restarted, 20)(restarted, 60.0)[0]
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-5), second.params, whole.params)
    with pytest.raises(jaxcards.UserError, match="has other records than at the start of the run"):
        again.place(jax.device_get(second)._replace(data=np.uint32(1)))


def test_imitation_needs_data():
    with pytest.raises(jaxcards.UserError, match="use jaxcards imitate GAME FILE"):
        feeding.compiled(Imitation(GAME, ImitationConfig()))
