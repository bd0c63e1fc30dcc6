"""Whatever happens to a command that writes, a file is the complete old one or a complete new one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from records.played import deal
from support.marks import by_cost

from jaxcards import records

TESTS = Path(__file__).parents[1]
OLD = "precious"
STATUS = {
    "none": 0,
    "SIGKILL": -signal.SIGKILL,
    "SIGTERM": 128 + signal.SIGTERM,
    "full": 3,
    "read-only": 3,
    "vanished": 3,
    "existing": 2,
}
FAULTS = list(STATUS)[1:]
GAME = "euchre/dummy_partner"
SIMULATE = f"simulate {GAME} --seed 1"
REVIEW = "review euchre.jsonl --player random --worlds 2 --endings 0"
COMMANDS = [
    "convert in.jsonl out/a.jsonl",
    *(
        pytest.param(line, marks=pytest.mark.slow)
        for line in [
            "convert in.jsonl out/a.h5",
            "convert in.jsonl out/a.logs",
            "convert in.jsonl out/a.swisslos.h5",
            "convert tournament.jsonl out/a.hslu",
            "convert euchre.jsonl out/a.egn",
            f"{SIMULATE} --deals 99 --out out/a.h5",
            f"{SIMULATE} --deals 99 --out out/a.jsonl",
            f"{SIMULATE} --json out/a.json",
            f"{SIMULATE} --svg out/a.svg",
            f"{SIMULATE} --gif out/a.gif",
            f"evaluate random random --game {GAME} --deals 4 --json out/a.json",
            f"evaluate random random --game {GAME} --deals 4 --plot out/a.png",
            f"{REVIEW} --json out/a.json",
            f"{REVIEW} --html out/a.html",
            f"play {GAME} --seats random,random,you --save out/a.json",
            f"bench {GAME} --batch 8 --repeats 1 --seconds 0 --json out/a.json",
        ]
    ),
]


@pytest.fixture(scope="module")
def inputs():
    """Lines of JSON of some games, by the name of the file."""
    ids = {"in": "jass/swisslos", "tournament": "jass/tournament", "euchre": "euchre/stick_the_dealer"}
    numbers = {"in": 20, "tournament": 2, "euchre": 1}
    return {
        f"{name}.jsonl": "".join(records.to_line(deal(id, n)) + "\n" for n in range(numbers[name]))
        for name, id in ids.items()
    }


def call(folder, line, fault):
    """Run a command line in a folder, with a fault; return its exit status and stderr."""
    done = subprocess.run(
        [sys.executable, str(TESTS / "cli" / "faulty.py"), fault, *line.split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"},
        input="quit\n",
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr


def hidden(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("fault", by_cost(FAULTS, {"SIGTERM", "read-only", "vanished"}))
@pytest.mark.parametrize("line", COMMANDS)
def test_a_file_is_the_old_one_or_a_new_one(line, fault, inputs, tmp_path):
    for name, text in inputs.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    folder = tmp_path / "out"
    folder.mkdir()
    (out,) = [tmp_path / word for word in line.split() if word.startswith("out/")]
    is_folder = out.suffix == ".logs"
    if not is_folder or fault == "existing":
        out.write_text(OLD)
        line += "" if fault == "existing" else " --force"
    status, said = call(tmp_path, line, fault)
    assert status == STATUS[fault], said
    if status > 0 and fault != "SIGTERM":
        assert said.startswith("jaxcards: error: ") and said.count("\n") == 1, said
    if fault == "vanished":
        assert not folder.exists()
        return
    assert out.read_text() == OLD if out.exists() else is_folder
    assert fault == "SIGKILL" or not hidden(folder)
    if fault in ("SIGKILL", "SIGTERM"):  # the next run finds nothing in its way
        status, said = call(tmp_path, line, "none")
        assert status == 0, said
        assert not hidden(folder) and (is_folder or out.read_bytes() != OLD.encode())


@pytest.mark.slow
def test_a_run_on_a_full_disk_ends_in_one_line(tmp_path):
    few = "--updates 1 --deals-per-update 64 --hidden 16 --evaluation-deals 16 --no-evaluate"
    (tmp_path / "out").mkdir()
    status, said = call(tmp_path, f"train {GAME} {few} --out out/run", "full")
    assert status == STATUS["full"], said
    assert "jaxcards: error: cannot write out/run" in said.splitlines()[-1]
    assert "Traceback" not in said and "WARNING" not in said
