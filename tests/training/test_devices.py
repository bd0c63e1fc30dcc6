"""One device, eight devices, two processes: the same learning curve; and what can go wrong."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support import quick
from support.marks import by_cost

from jaxcards.cli import main
from jaxcards.training import checkpoints
from training.conftest import ROOT, SETTINGS
from training.test_train import wait_for_checkpoint, without_times

SCRIPT = Path(__file__).with_name("shared_run.py")
NUMBER_OF_UPDATES = 3


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(*arguments: object) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, SCRIPT, *map(str, arguments)],
        env=quick.environment(PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(processes: list[subprocess.Popen], seconds: float = 120) -> list[tuple[int, str, str]]:
    """Wait for all of them, and leave none behind."""
    try:
        outputs = [process.communicate(timeout=seconds) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
    return [(p.returncode, *texts) for p, texts in zip(processes, outputs, strict=True)]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return the results of the same run on 1 device, on 8, and in 2 processes."""
    folder = tmp_path_factory.mktemp("runs")
    ended = finish([start(folder / f"{number}.json", number) for number in (1, 8)])
    meeting = [f"127.0.0.1:{free_port()}", 2]
    ended += finish([start(folder / "both.json", 2, *meeting, process) for process in (0, 1)])
    assert [status for status, _, _ in ended] == [0] * 4, ended
    names = ("1", "8", "both")
    return {name: json.loads((folder / f"{name}.json").read_text()) for name in names}


@pytest.mark.slow
def test_where_they_ran(runs):
    assert [(run["devices"], run["processes"]) for run in runs.values()] == [(1, 1), (8, 1), (2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["8", "both"])
def test_the_same_learning_curve(runs, name):
    one, other = runs["1"]["curve"], runs[name]["curve"]
    assert len(one) == len(other) == NUMBER_OF_UPDATES
    for metrics, shared in zip(one, other, strict=True):
        assert metrics.keys() == shared.keys() >= {"entropy", "value_loss", "return_spread"}
        assert (metrics["decisions"], metrics["choices"]) == (shared["decisions"], shared["choices"])
        for key in metrics:
            np.testing.assert_allclose(metrics[key], shared[key], rtol=1e-3, atol=1e-5, err_msg=key)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["8", "both"])
def test_the_same_parameters(runs, name):
    for leaf, shared in zip(runs["1"]["params"], runs[name]["params"], strict=True):
        np.testing.assert_allclose(leaf, shared, atol=2e-5)


def both(command, *arguments: str, first: tuple[str, ...] = ()) -> list[subprocess.Popen]:
    """Start `jaxcards train` in two processes; `first` has options for process 0 only."""
    meeting = ("--coordinator", f"127.0.0.1:{free_port()}", "--num-processes", "2", "--process-id")
    return [
        command("train", *arguments, *first, *meeting, "0"),
        command("train", *arguments, *meeting, "1"),
    ]


@pytest.mark.slow
def test_two_processes_are_killed_stopped_and_resumed(command):
    """The whole command, with two devices: as in one process, to the last bit where it goes on."""
    run = command.folder / "shared"
    settings = [*SETTINGS, "--devices", "2"]
    often = ["--checkpoint-minutes", "0.00001"]
    pair = both(command, "jass", "--out", "shared", "--no-evaluate", *settings, *often)
    wait_for_checkpoint(pair[0], run, 6)
    pair[1].send_signal(signal.SIGKILL)
    (status, out, err), _ = finish(pair, 300)
    assert status == 2 and "training on 2 of 2 devices in 2 processes" in out
    assert "Traceback" not in err and "connection between the processes is lost" in err.splitlines()[-1]
    at_kill = checkpoints.latest(run / "checkpoints")

    pair = both(command, "--resume", "shared", "--no-evaluate")
    wait_for_checkpoint(pair[0], run, at_kill + 4)
    pair[1].send_signal(signal.SIGTERM)  # the other process asks for the end
    (status, out, err), (other_status, _, _) = finish(pair, 300)
    at_stop = checkpoints.latest(run / "checkpoints")
    assert (status, other_status) == (143, 143), err
    assert f"interrupted after {at_stop} updates" in out and at_kill < at_stop < 40

    pair = both(command, "--resume", "shared", "--no-evaluate")
    (status, out, err), (other_status, other_out, other_err) = finish(pair, 300)
    assert (status, other_status) == (0, 0), err
    assert "trained: 40 updates" in out
    # The others print nothing, except a line of the library that connects processes.
    assert all(line.startswith("[Gloo]") for line in (other_out + other_err).splitlines())

    pair = both(command, "jass", "--out", "whole_shared", "--no-evaluate", *settings)
    assert [status for status, _, _ in finish(pair, 300)] == [0, 0]
    assert without_times(run) == without_times(command.folder / "whole_shared")


@pytest.mark.slow
def test_processes_that_were_started_differently(command):
    pair = both(command, "jass", "--out", "odd", *SETTINGS, first=("--seed", "3"))
    for status, out, err in finish(pair, 120):
        assert status == 2 and err.count("jaxcards: error: process 1 was started with") == 1
        assert "seed = 0, not seed = 3" in err and "Traceback" not in err and "training" not in out


@pytest.mark.slow
def test_a_port_that_is_taken(command):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        options = ("--coordinator", address, "--num-processes", "2", "--process-id", "0")
        ((status, _, err),) = finish([command("train", "jass", *options)], 60)
    assert status == 2 and err.count("\n") == 1
    assert f"--coordinator {address}: process 0 cannot listen there" in err


def test_no_cluster(command):
    ((status, _, err),) = finish([command("train", "jass", "--distributed")], 60)
    assert status == 2 and err.count("\n") == 1
    assert "--distributed finds no cluster" in err


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "options", ["--hidden 999999999,999999999", "--deals-per-update 999999488 --updates-per-dispatch 1"]
)
@pytest.mark.parametrize("learner", by_cost(["ppo", "reinforce", "dqn"], {"reinforce", "ppo"}))
def test_a_run_without_enough_memory_is_refused(tmp_path, monkeypatch, capsys, learner, options):
    monkeypatch.chdir(tmp_path)
    assert main.main(["train", "jass", "--learner", learner, "--devices", "1", *options.split()]) == 2
    out, err = capsys.readouterr()
    assert out == "" and re.search(r"the run needs [\d,]+ GiB of memory or more, but only", err)
    assert list(tmp_path.iterdir()) == []
