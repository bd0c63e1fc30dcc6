"""Run folders and players of version 0.1 still load.

tests/training/data/old_run was written by that version:

    jaxcards train jass/seed --updates 2 --deals-per-update 4 --minibatches 1 --hidden 4
        --critic-hidden 4 --evaluation-deals 2 --updates-per-dispatch 1 --no-evaluate

Its evaluation.json is of another player, which had learned for longer.
"""

import json
import shutil
from pathlib import Path

import pytest
from support import quick

from jaxcards import settings, xla
from jaxcards.cli import main
from jaxcards.evaluation.result import Evaluation
from jaxcards.training import checkpoints
from jaxcards.training.metrics import read_metrics

OLD_RUN = Path(__file__).parent / "data" / "old_run"


def test_the_run_was_saved_with_the_old_id():
    assert settings.read_toml(OLD_RUN / "config.toml")["game"] == "jass/seed"
    assert b'"jass/seed"' in (OLD_RUN / "player.msgpack").read_bytes()


@pytest.mark.slow
def test_a_run_goes_on(command):
    run = shutil.copytree(OLD_RUN, command.folder / "old")
    options = ("--updates", "3", "--devices", "1", "--no-evaluate")
    process = command("train", "--resume", "old", *options)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert checkpoints.latest(run / "checkpoints") == 3
    assert settings.read_toml(run / "config.toml")["game"] == "jass/swisslos"
    records = read_metrics(run / "metrics.jsonl")
    assert [record["update"] for record in records] == [0, 1, 2, 3]
    assert "against_rules" in records[0] and "against_heuristic" in records[-1]


@pytest.fixture
def player(tmp_path, monkeypatch):
    """Return a folder with a player and no checkpoints, in the working folder of fast compilations."""
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(OLD_RUN, tmp_path / "old", ignore=shutil.ignore_patterns("checkpoints"))


def test_a_player_plays(player, capsys):
    assert main.main(["simulate", "jass/seed", "--players", "old", "--json", "deal.json"]) == 0
    assert capsys.readouterr().out.startswith("jass/swisslos, played by old, seed 0\n")
    assert len(json.loads(Path("deal.json").read_text())["decisions"]) in (37, 38)


@pytest.mark.slow
def test_a_player_is_evaluated(player, capsys):
    assert main.main(["evaluate", "old", "heuristic", "--deals", "2", "--json", "result.json"]) == 0
    result = Evaluation.from_json(Path("result.json").read_text())
    assert result.names == ("old", "heuristic") and result.game == "jass/swisslos"


def test_its_results_are_read():
    result = Evaluation.from_json((OLD_RUN / "evaluation.json").read_text())
    assert result.pair("rules", "random").difference.mean > 0 and "- rules" in result.to_text()
