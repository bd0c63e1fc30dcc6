"""Results say where they come from: version, commit, game with its rules, machine, command."""

import json
import subprocess
import sys
import tomllib

import pytest

import jaxcards
from jaxcards.bench import machine
from jaxcards.cli import main
from jaxcards.cli.provenance import provenance
from jaxcards.training.config import load_config
from jaxcards.training.folder import RunFolder


@pytest.fixture
def called(monkeypatch, tmp_path):
    """Call the command line in an empty folder as a process does, and return a file it wrote."""
    monkeypatch.chdir(tmp_path)

    def call(line, file):
        monkeypatch.setattr(sys, "argv", ["jaxcards", *line.split()])
        assert main.main() == 0
        return (tmp_path / file).read_text()

    return call


def check(about, command, game):
    assert about["command"] == f"jaxcards {command}" and about["game"] == f"{game}-v1"
    assert about["rules"] == json.loads(json.dumps(provenance(jaxcards.make(game))["rules"]))
    assert about["machine"]["jaxcards"] == jaxcards.__version__
    assert about["machine"]["commit"] == machine.commit()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            "evaluate random heuristic --game rikiki/standard3 --deals 2 --json r.json",
            marks=pytest.mark.slow,
        ),
        "simulate rikiki/standard3 --deals 2 --json r.json",
        "simulate rikiki/standard3 --json r.json",
    ],
)
def test_a_result_says_where_it_comes_from(called, line):
    result = json.loads(called(line, "r.json"))
    check(result["provenance"], line, "rikiki/standard3")


@pytest.mark.slow
def test_a_measurement_has_the_rules_as_well(called):
    line = "bench rikiki/standard3 --batch 2 --repeats 1 --seconds 0 --json r.json"
    result = json.loads(called(line, "r.json"))
    assert result["rules"]["rikiki/standard3"]["num_players"] == 3
    assert result["command"] == f"jaxcards {line}"


def test_a_run_folder_names_who_began_it_and_who_resumed_it(tmp_path):
    config = load_config("ppo")
    folder, game = RunFolder(tmp_path), jaxcards.make("belote")
    folder.write_config("belote", config, provenance(game) | {"command": "first"})
    folder.write_config("belote", config, provenance(game) | {"command": "second"})
    folder.write_config("belote", config, provenance(game) | {"command": "third"})
    values = tomllib.loads(folder.config.read_text())
    assert (values["begun"]["command"], values["resumed"]["command"]) == ("first", "third")
    check(values["begun"] | {"command": "jaxcards first"}, "first", "belote/bela")
    assert folder.read_config() == config


def test_a_commit_is_named_with_local_changes(tmp_path):
    def git(*arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", tmp_path, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert machine.commit(tmp_path) == ""
    git("init", "-q")
    package = tmp_path / "jaxcards"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (tmp_path / "other").write_text("")
    git("add", "other")
    git("commit", "-qm", "Add another file")
    assert machine.commit(tmp_path) == ""  # a repository of something else has the package installed
    git("add", ".")
    git("commit", "-qm", "Add the package")
    assert machine.commit(tmp_path) == git("rev-parse", "HEAD")
    (package / "__init__.py").write_text("x = 1")
    assert machine.commit(tmp_path) == git("rev-parse", "HEAD") + "-dirty"
