"""`jaxcards play` as people call it: in a pseudo-terminal, through a pipe, stopped and resumed."""

import contextlib
import fcntl
import io
import json
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from play.evening import seed_where_first, table_of
from support import quick
from support.marks import skip_without_engines

import jaxcards
from jaxcards.cli.main import main

ROOT = Path(__file__).parents[2]
SEED = seed_where_first("euchre", 0)
GAME = f"play euchre --seats you,random,random,random --seed {SEED}"


def environment(folder, **more):
    variables = quick.environment(XDG_DATA_HOME=str(folder), PYTHONPATH=str(ROOT), **more)
    return {k: v for k, v in variables.items() if k not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}


def command(line):
    return [sys.executable, "-m", "jaxcards", *shlex.split(line)]


def saved(folder):
    return list((folder / "jaxcards" / "games").glob("*.json"))


# What runs in the background of a script ignores Ctrl-C, and so would what it starts.
HEEDS_CTRL_C = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("jaxcards", run_name="__main__", alter_sys=True)
"""


class Terminal:
    """A process in a pseudo-terminal of 80 columns."""

    def __init__(self, line, folder):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        variables = environment(folder, TERM="xterm-256color")
        self.process = subprocess.Popen(
            [sys.executable, "-c", HEEDS_CTRL_C, *line.split()],
            stdin=slave, stdout=slave, stderr=slave, env=variables, cwd=folder,
        )  # fmt: skip
        os.close(slave)
        self.master, self.said = master, ""

    def until(self, pattern, seconds=120):
        """Read until a pattern has been printed, and return the text before it."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.said)):
            assert select.select([self.master], [], [], max(end - time.monotonic(), 0))[0], self.said
            self.said += self._read()
        before, self.said = self.said[: found.start()], self.said[found.end() :]
        return before

    def _read(self):
        return os.read(self.master, 65536).decode(errors="replace")

    def type(self, line):
        os.write(self.master, f"{line}\n".encode())

    def interrupt(self):
        """Press Ctrl-C a moment after the prompt, when Python waits for the answer."""
        time.sleep(0.5)
        self.process.send_signal(signal.SIGINT)

    def end(self, seconds=60):
        """Read the rest, and return it with the exit status."""
        with contextlib.suppress(OSError):  # the terminal is gone with its process
            while select.select([self.master], [], [], seconds)[0]:
                self.said += self._read()
        if self.process.poll() is None:
            time.sleep(1)
        status = self.process.poll()
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        return self.said, status


@pytest.mark.slow
def test_in_a_terminal_with_ctrl_c_and_again(tmp_path):
    terminal = Terminal(GAME, tmp_path)
    shown = terminal.until("Your turn: order .* up, or pass > ")
    assert "\x1b[1;31m" in shown or "\x1b[1m" in shown, "a terminal has colours"
    terminal.type("pass")
    terminal.until("you: passed")
    terminal.until("Your turn: .* > ")
    terminal.interrupt()
    said, status = terminal.end()
    assert status == 130 and "jaxcards play --resume" in said and "Traceback" not in said
    (file,) = saved(tmp_path)
    before = json.loads(file.read_text())
    assert before["actions"][0] == 25 and before["seats"][0] == "you"
    replayed = table_of(jaxcards.make("euchre"), people=range(4), seed=SEED)
    for action in before["actions"]:
        assert replayed.player != 0 or action == 25
        replayed.play(action)
    assert replayed.player == 0, "up to the last action before the prompt, all is saved"

    terminal = Terminal("play --resume", tmp_path)
    terminal.until("The deal goes on")
    terminal.until("Your turn: .* > ")
    terminal.type("q")
    said, status = terminal.end()
    assert status == 0 and "play --resume" in said
    assert json.loads(file.read_text()) == before, "nothing is lost, and nothing added"


def test_through_a_pipe_to_the_end_of_the_deal(tmp_path):
    """Whatever is typed, of the numbers up to six some is right; then the input ends."""
    lines = "\n".join(["pass", "6", "5", "4", "3", "2", "1"] * 9) + "\n"
    done = subprocess.run(
        command(GAME), input=lines, env=environment(tmp_path, PYTHONIOENCODING="ascii"),
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii() and "\x1b" not in done.stdout
    assert "> pass\n" in done.stdout, "what is typed can be read in the output"
    assert re.search(r"Won (0|1|0\.5) of the last 1 deal of euchre/standard\.", done.stdout)
    lines = (tmp_path / "jaxcards" / "results.jsonl").read_text().splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {"euchre/standard deal"}


@pytest.fixture
def called(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def call(line):
        status = main(shlex.split(line))
        return status, *capsys.readouterr()

    return call


def test_the_end_of_the_input_stops_and_says_how_to_go_on(called, tmp_path):
    status, out, err = called(GAME + " --save mine.json")
    assert (status, err) == (0, "") and "jaxcards play --resume mine.json" in out
    status, out, err = called("play --resume mine.json")
    assert (status, err) == (0, "") and "The deal goes on" in out


@pytest.mark.parametrize(
    "line, words",
    [
        ("play --resume", "found no unfinished game"),
        ("play --resume none.json", "none.json: file not found"),
        (
            "play --resume broken.json",
            "broken.json does not replay, jaxcards 0.0 wrote it: at action 2",
        ),
        ("play euchre --seats you,random", "--seats names 2 players, but euchre/standard has 4"),
        ("play euchre --seats you,nobody,random,random", "unknown player 'nobody'"),
        ("play euchre --seats you,openspiel:ismcts:9,random,random", "play only in evaluate"),
        ("play 'euchre (target)'", "write changed rules as 'jass (weis=False, target=500)'"),
        ("play 'euchre (taget=5)'", "unknown rule of euchre 'taget'; did you mean 'target'?"),
        ("play 'euchre (target=no)'", "target must be a whole number"),
        ("play 'euchre (target=0)'", "target must be from 1 to 1000, not 0"),
        ("play euchr", "did you mean 'euchre'?"),
        ("play euchre --resume x", "leave out game"),
        ("play --resume x --match", "as it is: leave out the score"),
        ("play euchre --totals 9,7", "--totals and --deals-before need a match: add --match"),
        ("play euchre --match --totals 10,7", "totals must be from 0 to 9, not 10"),
        ("play euchre --match --totals 7", "totals must be 2 numbers, not 1"),
        ("play euchre --save nowhere/x.json", "folder nowhere not found"),
        ("play euchre --worlds 1", "--worlds must be from 2 to 10000, not 1"),
    ],
)
def test_errors_are_one_line(called, line, words, tmp_path):
    skip_without_engines(line)
    (tmp_path / "broken.json").write_text(
        json.dumps(
            {
                "format": 1, "game": "euchre/standard", "rules": {}, "match": False, "seed": SEED,
                "number": 0, "seats": ["you", "random", "random", "random"], "actions": [25, 3],
                "version": "0.0",
            }
        )
    )  # fmt: skip
    status, out, err = called(line)
    assert status == 2 and words in err and err.count("\n") == 1 and out == ""


@pytest.mark.slow
def test_the_champion_plays_and_hints(tmp_path):
    done = subprocess.run(
        command(f"play 'euchre (target=5)' --seed {SEED} --worlds 8 --match"),
        input="?\npass\n", env=environment(tmp_path), capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"probability +expected points ahead", done.stdout)
    assert re.search(r"\d+ % +[+-]\d+\.\d\d ± \d\.\d\d", done.stdout) and "Hint: " in done.stdout
    assert "the match goes to: 5 points" in done.stdout


def test_without_the_extra_one_line_says_what_to_install(called, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("jaxcards.play.con")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    status, out, err = called(GAME)
    assert status == 2 and "[play]" in err and err.count("\n") == 1
