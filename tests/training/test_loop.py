"""The host loop with a made-up learner and clock: time, plan, interruption, resumption."""

import dataclasses
import math
import re
import shutil
import signal

import numpy as np
import pytest
from support.marks import by_cost

from jaxcards.cli.training import _how_it_ended
from jaxcards.errors import UserError
from jaxcards.training import checkpoints
from jaxcards.training.counters import Counters
from jaxcards.training.loop import Outcome
from jaxcards.training.metrics import read_metrics
from jaxcards.training.plan import PATIENCE
from training.fakes import CONFIG, PLAYER, Clock, Learner, loop

TIMES = ("seconds", "deals_per_second", "decisions_per_second")
UPDATES = dataclasses.replace(CONFIG, updates=22)


def without_times(path) -> list[dict]:
    records = read_metrics(path / "metrics.jsonl")
    return [{k: v for k, v in record.items() if k not in TIMES} for record in records]


def test_a_run_that_is_interrupted_while_it_compiles_names_no_plan():
    text = _how_it_ended(Outcome(None, Counters(), True, False, 130), CONFIG)
    assert text == ("interrupted after 0 updates, 0 deals, 0 decisions in 0.0 minutes; nothing is lost")


@pytest.mark.parametrize("seconds", by_cost([0.05, 0.5, 3.0], {0.05}))
def test_minutes_are_what_a_person_waits_without_compiling(tmp_path, seconds):
    learner = Learner(Clock(), seconds)
    started = learner.clock()
    outcome = loop(tmp_path, learner, end_seconds=lambda once: 30 + once).run()
    assert outcome.complete and not outcome.late and outcome.exit_status == 0
    assert not outcome.resumable
    assert 0.93 * 480 < outcome.counters.seconds + 30 <= 480
    compiling = 20 + 5 + 0.2  # of the step and of the measure, and the first measurement
    assert outcome.counters.seconds == pytest.approx(learner.clock() - started - compiling)
    assert read_metrics(tmp_path / "metrics.jsonl")[0]["seconds"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("minutes, compiling", [pytest.param(8, 20, marks=pytest.mark.slow), (3, 110)])
def test_a_first_call_that_takes_long_does_not_shorten_the_run(tmp_path, minutes, compiling):
    learner = Learner(Clock(), 0.05, compiling)
    learner.during[1] = lambda: setattr(learner, "seconds", 1.1)
    learner.during[5] = lambda: setattr(learner, "seconds", 0.05)
    config = dataclasses.replace(CONFIG, minutes=float(minutes))
    outcome = loop(tmp_path, learner, config, end_seconds=lambda once: once).run()
    assert outcome.complete and not outcome.late
    assert 0.93 * 60 * minutes < outcome.counters.seconds <= 60 * minutes


def test_the_plan_is_made_once_and_the_learning_rate_ends_with_it(tmp_path):
    learner = Learner(Clock())
    outcome = loop(tmp_path, learner).run()
    trial = [s for s in learner.schedules if math.isinf(s)]
    rest = [s for s in learner.schedules if not math.isinf(s)]
    assert 2 <= len(trial) <= 6
    assert set(rest) == {outcome.counters.plan.updates} == {outcome.counters.update}


@pytest.mark.slow
def test_little_time_is_spent_on_evaluations(tmp_path):
    loop(tmp_path, Learner(Clock())).run()
    records = read_metrics(tmp_path / "metrics.jsonl")
    evaluated = [r["update"] for r in records if "against_heuristic" in r]
    assert 14 <= len(evaluated) <= 18  # every half minute, at the beginning and at the end
    assert evaluated[0] == 0 and evaluated[-1] == records[-1]["update"]


@pytest.mark.slow
def test_progress_says_of_which_update_an_evaluation_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("jaxcards.training.progress._LINE_SECONDS", 0.0)
    loop(tmp_path, Learner(Clock())).run()
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("update ")]
    shown = [[int(number) for number in re.findall(r"update (\d+)", line)] for line in lines]
    records = read_metrics(tmp_path / "metrics.jsonl")
    evaluated = [record["update"] for record in records if "against_heuristic" in record]
    assert len(lines) > len(evaluated) > 2
    for update, of in shown:
        assert of == max(n for n in evaluated if n <= update)


@pytest.mark.slow
def test_costly_evaluations_become_rare(tmp_path):
    config = dataclasses.replace(CONFIG, evaluate_minutes=0.02)
    loop(tmp_path, Learner(Clock()), config).run()
    records = read_metrics(tmp_path / "metrics.jsonl")
    count = sum("against_heuristic" in r for r in records)
    assert 0.02 * 480 < count * 0.2 < 0.04 * 480


def test_a_machine_that_becomes_slow(tmp_path):
    learner = Learner(Clock())
    learner.during[100] = lambda: setattr(learner, "seconds", 2.0)
    outcome = loop(tmp_path, learner).run()
    assert outcome.late and not outcome.complete and not outcome.interrupted
    assert not outcome.resumable  # without more minutes
    assert PATIENCE * 480 < outcome.counters.seconds < PATIENCE * 480 + 10
    assert "against_heuristic" in read_metrics(tmp_path / "metrics.jsonl")[-1]


def test_compiling_for_longer_than_the_run_takes_nothing_from_it(tmp_path):
    config = dataclasses.replace(CONFIG, minutes=0.5)
    runs = [loop(tmp_path / str(s), Learner(Clock(), compiling=s), config).run() for s in (1, 100)]
    assert runs[0].counters.update == runs[1].counters.update > 40


def test_a_budget_of_less_than_one_call_is_one_call(tmp_path):
    learner = Learner(Clock())
    outcome = loop(tmp_path, learner, dataclasses.replace(CONFIG, minutes=0.001)).run()
    assert outcome.complete and outcome.counters.update == CONFIG.updates_per_dispatch


@pytest.mark.parametrize("updates, per_call", [(22, 2), (23, 1), (3, 3), (24, 4)])
def test_exactly_so_many_updates(tmp_path, updates, per_call):
    learner = Learner(Clock())
    outcome = loop(tmp_path, learner, dataclasses.replace(CONFIG, updates=updates)).run()
    assert outcome.complete and outcome.counters.update == int(outcome.state["update"]) == updates
    assert outcome.counters.plan.dispatch == per_call
    assert outcome.counters.deals == updates * 64
    assert outcome.counters.decisions == updates * 64 * 37
    assert set(learner.schedules) == {updates}


@pytest.mark.parametrize("config", [UPDATES, CONFIG], ids=["updates", "minutes"])
@pytest.mark.parametrize(
    "number, status", [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)]
)
def test_an_interrupted_run_goes_on_as_if_nothing_had_been(tmp_path, config, number, status):
    whole = loop(tmp_path / "whole", Learner(Clock()), config).run()
    learner = Learner(Clock())
    learner.during[60 if config is CONFIG else 7] = lambda: signal.raise_signal(number)
    before = signal.getsignal(number)
    outcome = loop(tmp_path / "parts", learner, config).run()
    assert signal.getsignal(number) == before
    assert outcome.interrupted and not outcome.complete and outcome.exit_status == status
    assert outcome.resumable
    assert outcome.counters.update < whole.counters.update
    # Lines that no checkpoint knows of, the last of them cut short.
    with (tmp_path / "parts/metrics.jsonl").open("a") as file:
        file.write('{"update": 999}\n{"upd')
    resumed = loop(tmp_path / "parts", Learner(Clock(), compiling=77), config).run()
    assert resumed.complete and resumed.exit_status == 0
    assert resumed.counters.plan == whole.counters.plan
    assert resumed.counters.seconds == pytest.approx(whole.counters.seconds, abs=1)
    np.testing.assert_array_equal(resumed.state["weights"], whole.state["weights"])
    assert without_times(tmp_path / "parts") == without_times(tmp_path / "whole")


def test_a_signal_that_another_process_of_the_run_got(tmp_path):
    learner, got = Learner(Clock()), []
    learner.during[7] = lambda: got.append(signal.SIGTERM)
    stopped = {"stopped_elsewhere": lambda: got[0] if got else None}
    outcome = loop(tmp_path, learner, UPDATES, **stopped).run()
    assert outcome.interrupted and outcome.exit_status == 143
    assert outcome.counters.update == 8 == checkpoints.latest(tmp_path / "checkpoints")


def test_a_run_that_died_before_its_first_checkpoint_begins_again(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/metrics.jsonl").write_text('{"update": 0}\n')
    assert loop(tmp_path / "run", Learner(Clock()), UPDATES).run().complete
    loop(tmp_path / "new", Learner(Clock()), UPDATES).run()
    assert without_times(tmp_path / "run") == without_times(tmp_path / "new")


def test_resuming_a_complete_run_changes_nothing(tmp_path):
    first = loop(tmp_path, Learner(Clock()), UPDATES).run()
    text = (tmp_path / "metrics.jsonl").read_text()
    learner = Learner(Clock())
    again = loop(tmp_path, learner, UPDATES).run()
    assert again.complete and again.counters == first.counters and not learner.schedules
    assert (tmp_path / "metrics.jsonl").read_text() == text


def test_a_complete_run_can_be_trained_on(tmp_path):
    loop(tmp_path, Learner(Clock()), UPDATES).run()
    more = dataclasses.replace(UPDATES, updates=29)
    outcome = loop(tmp_path, Learner(Clock()), more, replan=True).run()
    assert outcome.complete and outcome.counters.update == 29
    updates = [record["update"] for record in without_times(tmp_path)]
    assert updates == sorted(set(updates)) and updates[-1] == 29


@pytest.mark.slow
def test_a_run_that_was_killed_after_new_settings_were_written_keeps_them(tmp_path):
    """Before its first checkpoint: the configuration has them, and the checkpoint has the old plan."""
    loop(tmp_path, Learner(Clock()), UPDATES).run()
    more = dataclasses.replace(UPDATES, updates=29)
    assert loop(tmp_path, Learner(Clock()), more).run().counters.update == 29
    longer = dataclasses.replace(CONFIG, minutes=CONFIG.minutes + 3)
    short = loop(tmp_path / "minutes", Learner(Clock()), CONFIG).run()
    long = loop(tmp_path / "minutes", Learner(Clock()), longer).run()
    assert long.complete and long.counters.update > short.counters.update


def test_the_newest_two_checkpoints_are_kept(tmp_path):
    config = dataclasses.replace(UPDATES, checkpoint_minutes=1e-6)
    loop(tmp_path, Learner(Clock()), config).run()
    folder = tmp_path / "checkpoints"
    assert sorted(path.name for path in folder.iterdir()) == ["20", "22"]
    assert checkpoints.latest(folder) == 22


def test_the_player_is_written_beside_every_checkpoint(tmp_path):
    config, written = dataclasses.replace(UPDATES, checkpoint_minutes=1e-6), []

    def write(state, folder):
        assert folder.path == tmp_path
        assert checkpoints.latest(tmp_path / "checkpoints") == state["update"]
        written.append(int(state["update"]))

    loop(tmp_path, Learner(Clock()), config, write_player=write).run()
    assert written[:3] == [0, 2, 4] and written[-1] == 22


def test_a_run_that_makes_one_call_almost_always_says_so_once(tmp_path, capsys):
    learner = Learner(Clock())
    for update, share in ((2, 0.99), (9, 0.995), (15, 0.999)):
        learner.during[update] = lambda share=share: {"commonest_call": share}
    loop(tmp_path, learner, UPDATES).run()
    lines = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert len(lines) == 1 and "99.5% of the calls are the same call" in lines[0]
    assert "raise --entropy" in lines[0]


def test_numbers_that_are_none(tmp_path):
    learner = Learner(Clock())
    learner.during[10] = lambda: {"kl": math.nan}
    config = dataclasses.replace(UPDATES, checkpoint_minutes=1e-6)
    with pytest.raises(UserError, match="kl is nan after update 10: try a smaller learning_rate"):
        loop(tmp_path, learner, config).run()
    assert checkpoints.latest(tmp_path / "checkpoints") == 8


@pytest.mark.parametrize("id", ["jass/seed", "jass/swisslos", "jass/seed-v1", "jass/swisslos-v1"])
def test_a_checkpoint_with_an_older_name_of_its_game_goes_on(tmp_path, id):
    loop(tmp_path, Learner(Clock()), UPDATES, player={"game": id}).run()
    again = {"game": "jass/swisslos-v1"}
    assert loop(tmp_path, Learner(Clock()), UPDATES, player=again).run().complete


def test_a_checkpoint_of_another_player(tmp_path):
    loop(tmp_path, Learner(Clock()), UPDATES).run()
    other = PLAYER | {"hidden": [32]}
    with pytest.raises(UserError, match="its checkpoint has another hidden"):
        loop(tmp_path, Learner(Clock()), UPDATES, player=other).run()


def test_a_run_without_its_checkpoints_does_not_begin_again(tmp_path):
    loop(tmp_path, Learner(Clock()), UPDATES).run()
    shutil.rmtree(tmp_path / "checkpoints")
    before = (tmp_path / "metrics.jsonl").read_bytes()
    with pytest.raises(UserError, match="has 22 updates, but .*checkpoints has no checkpoint: restore"):
        loop(tmp_path, Learner(Clock()), UPDATES).run()
    assert (tmp_path / "metrics.jsonl").read_bytes() == before


def test_a_broken_checkpoint(tmp_path):
    loop(tmp_path, Learner(Clock()), UPDATES).run()
    for file in (tmp_path / "checkpoints/22").rglob("*"):
        if file.is_file():
            file.write_bytes(b"")
    with pytest.raises(UserError, match="checkpoints/22 is damaged .*: restore it, or delete it"):
        loop(tmp_path, Learner(Clock()), UPDATES).run()
