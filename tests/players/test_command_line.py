"""The code of a file runs if the command line names it, and never because a file or a request does."""

import json
from pathlib import Path

import pytest
from cli.calls import arguments, error

import jaxcards
from jaxcards.cli import main, serve
from jaxcards.errors import UserError
from jaxcards.play import saved

REFUSED = "evil.py:make is a file of code, which runs only if you name it on the command line"


@pytest.fixture(autouse=True)
def evil(tmp_path, monkeypatch):
    """Return a file of code that fails the test if it is run."""
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text("raise AssertionError('it ran')")


@pytest.fixture
def ran(monkeypatch):
    """Commands that only note their arguments."""
    calls = []
    for command in main.COMMANDS.values():
        monkeypatch.setattr(command, "run", lambda args: calls.append(args) or 0)
    return calls


@pytest.mark.parametrize(
    "line",
    [
        "evaluate evil.py:make random",
        "evaluate heuristic random --calls evil.py:make",
        "simulate jass --players random,evil.py:make,random,random",
        "exploit evil.py:make",
        "review evil.py --player evil.py:make",
        "play --seats you,evil.py:make,random,random",
        "serve --players champion,evil.py:make",
        "train jass --against evil.py:make",
    ],
)
def test_every_command_takes_a_function_of_a_file(ran, line):
    if line.startswith("serve"):
        pytest.importorskip("fastapi")
    args = arguments(ran, *line.split())
    assert "evil.py:make" in str(vars(args))


def config(**values):
    Path("config.toml").write_text("\n".join(f"{k} = {json.dumps(v)}" for k, v in values.items()))


def test_a_configuration_of_a_run_runs_no_code(ran, capsys):
    config(game="jass", against="evil.py:make")
    assert REFUSED in error(capsys, "train", "--config", "config.toml")
    assert REFUSED in error(capsys, "train", "--resume", ".")
    assert REFUSED in error(capsys, "exploit", "--resume", ".")
    assert arguments(ran, "train", "--resume", ".", "--against", "evil.py:make")
    assert arguments(ran, "exploit", "evil.py:make", "--resume", ".")


def test_a_configuration_of_a_server_runs_no_code(ran, capsys):
    pytest.importorskip("fastapi")
    config(players=["evil.py:make", "random"])
    assert REFUSED in error(capsys, "serve", "--config", "config.toml")
    assert arguments(ran, "serve", "--config", "config.toml", "--players", "evil.py:make")


def test_a_file_of_tables_runs_no_code():
    game = jaxcards.make("jass")
    with pytest.raises(UserError, match=REFUSED):
        serve.load("evil.py:make", game, typed=["other.py:make"])
    with pytest.raises(UserError, match="it ran"):
        serve.load("evil.py:make", game, typed=["evil.py:make"])


def test_a_saved_game_runs_no_code(capsys):
    seats = ["you", "evil.py:make", "random", "random"]
    game = saved.Saved("jass", {}, False, 1, 0, seats, [], jaxcards.__version__)
    saved.write(Path("game.json"), game)
    assert REFUSED in error(capsys, "play", "--resume", "game.json")
    assert "it ran" in error(capsys, "play", "--resume", "game.json", "--seats", ",".join(seats))
    wrong = error(capsys, "play", "--resume", "game.json", "--seats", "you,random,random,random")
    assert f"the saved game has --seats {','.join(seats)}" in wrong
