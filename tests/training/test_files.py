"""Plans, metrics, the learning curve, the progress line."""

import io
import json

import pytest

from jaxcards.errors import UserError
from jaxcards.training.config import config_class
from jaxcards.training.counters import Counters
from jaxcards.training.curve import opponents, plot_curve
from jaxcards.training.folder import RunFolder
from jaxcards.training.metrics import MetricsLog, read_metrics
from jaxcards.training.plan import Pace, Plan, largest_divisor, plan_minutes, plan_updates
from jaxcards.training.progress import Progress, clock, short


def test_plan_of_minutes():
    config = config_class()(minutes=10, updates_per_dispatch=8, evaluate_minutes=1)
    # 600 s less 100 s gone and 20 s for the end; 6 s of evaluation a minute would be too much, so
    # that there is one in 200 s; 0.6 s a minute for checkpoints.
    plan = plan_minutes(config, 16, 100.0, Pace(dispatch=2.0, evaluation=6.0, checkpoint=0.6, end=20))
    calls = int(480 / (2 * (1 + 0.03 + 0.01)))
    assert plan == Plan(updates=16 + 8 * calls, dispatch=8, evaluate_every=800)
    assert plan_minutes(config, 16, 700.0, Pace(dispatch=2.0)).updates == 16


@pytest.mark.parametrize(
    "settings, done, plan",
    [
        ({"updates": 160}, 0, Plan(160, 8, 8)),
        ({"updates": 3200}, 0, Plan(3200, 8, 200)),
        ({"updates": 3200, "minutes": 0}, 0, Plan(3200, 8, 200)),
        ({"updates": 3200, "evaluate_minutes": 99}, 0, Plan(3200, 8, 3200)),
        ({"updates": 7}, 0, Plan(7, 7, 7)),
        ({"updates": 30}, 23, Plan(30, 7, 7)),
        ({"updates": 30}, 40, Plan(40, 1, 2)),
    ],
)
def test_plan_of_updates(settings, done, plan):
    assert plan_updates(config_class()(**settings), done) == plan


def test_largest_divisor():
    assert [largest_divisor(n, 8) for n in (1, 7, 11, 12, 64, 100)] == [1, 7, 1, 6, 8, 5]


def test_counters_survive_json():
    for counters in (Counters(), Counters(3, 4, 5, 6.5, 7, Plan(8, 9, 10))):
        assert Counters.from_json(json.loads(json.dumps(counters.to_json()))) == counters


def write(folder: RunFolder, updates, position=0, update=0) -> int:
    log = MetricsLog(folder, position, update)
    for update in updates:
        position = log.write({"update": update, "kl": 0.5, "against_heuristic": 1.0})
    log.sync()
    log.close()
    return position


def test_metrics_go_on_where_the_checkpoint_was(tmp_path):
    folder = RunFolder(tmp_path)
    position = write(folder, [0, 1])
    write(folder, [2, 3], position, 1)
    with folder.metrics.open("ab") as file:
        file.write(b'{"upd')
    assert [r["update"] for r in read_metrics(folder.metrics)] == [0, 1, 2, 3]
    write(folder, [2], position, 1)
    assert [r["update"] for r in read_metrics(folder.metrics)] == [0, 1, 2]


@pytest.mark.parametrize("length", [0, 10, -1])
def test_metrics_that_lost_their_end_are_refused_and_kept(tmp_path, length):
    folder = RunFolder(tmp_path)
    position = write(folder, [0, 1])
    content = folder.metrics.read_bytes()[:length]
    folder.metrics.write_bytes(content)
    with pytest.raises(UserError, match="has lost records of the 1 updates of its checkpoint: restore"):
        write(folder, [9], position, 1)
    assert folder.metrics.read_bytes() == content


@pytest.mark.parametrize("damage", [b'{"update": 1, "lo', b"[1]", b"\xff\xfe"])
def test_a_damaged_line_of_metrics_is_named(tmp_path, damage):
    folder = RunFolder(tmp_path)
    position = write(folder, [0, 1, 2], 0, 0)
    lines = folder.metrics.read_bytes().split(b"\n")
    folder.metrics.write_bytes(b"\n".join([lines[0], damage, *lines[2:]]))
    with pytest.raises(UserError, match=r"metrics.jsonl: line 2 is damaged: restore the file"):
        read_metrics(folder.metrics)
    before = folder.metrics.read_bytes()
    with pytest.raises(UserError, match="line 2 is damaged"):
        MetricsLog(folder, position - 4, 2)
    assert folder.metrics.read_bytes() == before


def test_curve(tmp_path):
    folder = RunFolder(tmp_path)
    assert read_metrics(folder.metrics) == []
    assert not plot_curve(folder.metrics, folder.curve, "nothing")
    assert not folder.curve.exists()
    lines = [
        {"update": 0, "seconds": 60, "decisions": 0, "against_heuristic": -9,
         "against_heuristic_half_width": 2},
        {"update": 8, "seconds": 120, "decisions": 9000, "kl": 0.1},
        {"update": 16, "seconds": 180, "decisions": 18000, "against_heuristic": 3,
         "against_heuristic_half_width": 2},
    ]  # fmt: skip
    folder.metrics.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert opponents(lines) == ["heuristic"]
    assert plot_curve(folder.metrics, folder.curve, "a run")
    assert folder.curve.read_bytes().startswith(b"\x89PNG")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


RECORD = {"deals_per_second": 12345.0, "decisions_per_second": 1.5e6}
COUNTERS = Counters(update=16, plan=Plan(64, 8, 8))


def test_progress_of_a_terminal():
    stream = Terminal()
    progress = Progress(stream)
    progress.show(COUNTERS, RECORD, 75.0, "+3.1 ± 1.0 against heuristic")
    progress.say("a line")
    progress.close()
    text = stream.getvalue()
    assert "25%" in text and "16/64" in text and "a line\n" in text
    assert "12.3k deals/s, 1.50M decisions/s, 1:15 left, +3.1 ± 1.0 against heuristic" in text


def test_progress_of_a_file_is_a_line_now_and_then():
    stream = io.StringIO()
    progress = Progress(stream)
    progress.show(Counters(update=8), RECORD, None, "")
    for _ in range(50):
        progress.show(COUNTERS, RECORD, 75.0, "")
    progress.close()
    assert stream.getvalue() == "update 8: 12.3k deals/s, 1.50M decisions/s\n"


def test_progress_of_a_learner_that_counts_what_it_wins():
    stream = io.StringIO()
    Progress(stream).show(COUNTERS, RECORD | {"won_against_random": 0.834}, 75.0, "")
    assert "1:15 left, won 83% of the last 100 deals against random\n" in stream.getvalue()


def test_words_for_numbers():
    assert [short(x) for x in (0, 7.4, 999, 999.6, 1234, 12345, 123456, 1.5e6, 2e9, 3e12)] == [
        *("0", "7", "999", "1.00k", "1.23k", "12.3k", "123k", "1.50M", "2.00G", "3000G"),
    ]
    times = ["0:00", "0:00", "1:15", "1:00:00", "1:01:01"]
    assert [clock(x) for x in (-1, 0, 75, 3599.7, 3661)] == times


@pytest.mark.parametrize("matches", [False, True])
def test_the_next_command_evaluates_what_was_learned(tmp_path, matches):
    config = config_class()(matches=matches)
    evaluate, _ = RunFolder(tmp_path).next_commands(config, ["random"], resumable=True)
    assert evaluate == f"jaxcards evaluate {tmp_path} random" + " --matches" * matches
