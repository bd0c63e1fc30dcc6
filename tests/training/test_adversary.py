"""A run against an adversary: the adversary stays the same, and what the run gains is measured."""

import argparse
import json
import shutil

import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

from jaxcards import xla
from jaxcards.agents.learners.ppo.learner import TrainStateAgainst
from jaxcards.agents.networks.saved import read_network
from jaxcards.cli import exploit, main
from jaxcards.errors import UserError
from jaxcards.training import checkpoints
from jaxcards.training.checkpoints import Checkpoints
from jaxcards.training.config import load_config
from jaxcards.training.counters import Counters
from jaxcards.training.fixed_players import check_unchanged
from jaxcards.training.folder import RunFolder

GAME = "euchre/three_handed"
RUN = ["--updates-per-dispatch", "1", "--evaluation-deals", "2", "--devices", "1"]
TINY = ["--deals-per-update", "8", "--minibatches", "2", "--hidden", "8", "--critic-hidden", "8"]
PARAMS = {"b": np.arange(3.0, dtype=np.float32), "a": (np.zeros(2, np.int32),)}


@pytest.fixture
def run(tmp_path):
    state = TrainStateAgainst({}, {}, jnp.int32(4), jnp.float32(1), PARAMS)
    saved = Checkpoints(tmp_path / "checkpoints")
    saved.save(state, Counters(update=4), {})
    saved.close()
    return RunFolder(tmp_path)


def test_an_adversary_that_is_the_same(run, tmp_path):
    check_unchanged(run, "adversary", "runs/friend", PARAMS)
    check_unchanged(RunFolder(tmp_path / "new"), "adversary", "runs/friend", {})


@pytest.mark.parametrize(
    "now",
    [
        {**PARAMS, "b": np.array([0, 1, 3], np.float32)},
        {**PARAMS, "b": np.zeros(4, np.float32)},
        {"b": PARAMS["b"]},
        (),
    ],
    ids=["trained on", "other widths", "a part", "none"],
)
def test_an_adversary_that_has_changed(run, now):
    words = "was begun with another adversary than runs/friend is now"
    with pytest.raises(UserError, match=words):
        check_unchanged(run, "adversary", "runs/friend", now)


@pytest.mark.slow
def test_a_player_of_matches_is_exploited(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.chdir(tmp_path)
    line = "exploit champion --game euchre --matches --start champion --hidden 256,128"
    options = ["--deals", "4", "--json", "gain.json", "--updates", "1", "--out", "runs/exploiter"]
    assert main.main([*line.split(), *options, *TINY[:4], *RUN]) == 0
    out = capsys.readouterr().out
    assert "champion: euchre_matches, a shipped player\n" in out
    assert "euchre/standard match, 4 duplicate matches" in out
    found = json.loads((tmp_path / "gain.json").read_text())
    assert found["game"] == "euchre/standard match" and abs(found["returns_exploiter"]) <= 1
    network, _ = read_network(RunFolder(tmp_path / "runs/exploiter").player)
    assert network["matches"] and network["hidden"] == [256, 128]


def test_an_exploiter_has_the_defaults_of_its_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parser = argparse.ArgumentParser()
    exploit.add_options(parser)
    arguments = parser.parse_args(["heuristic", "--game", "sheepshead"])
    exploit.check(arguments)
    assert arguments.config == load_config("ppo", None, {"against": "heuristic"}, "sheepshead")


@pytest.mark.slow
def test_a_table_is_exploited(tmp_path, monkeypatch, capsys):
    """From the command line: the run, its resumption, and what is refused."""
    monkeypatch.setattr(xla, "jit", quick.jit)
    monkeypatch.chdir(tmp_path)

    def call(line: str, *more: str) -> tuple[int, str, str]:
        status = main.main([*line.split(), *more])
        return status, *capsys.readouterr()

    learn = f"train {GAME} --learner q-table --deals-per-update 8 --no-evaluate --out runs/table"
    assert call(f"{learn} --updates 1", *RUN)[0] == 0
    exploit = "exploit runs/table --deals 6 --json gain.json --updates 2"
    status, out, _ = call(exploit, *RUN, *TINY)
    assert status == 0 and "in place of runs/table" in out
    assert "jaxcards evaluate runs/exploiter-of-table runs/table\n" in out
    assert "jaxcards exploit --resume runs/exploiter-of-table" in out
    found = json.loads((tmp_path / "gain.json").read_text())
    assert (found["game"], found["num_deals"]) == (GAME, 6)
    records = (tmp_path / "runs/exploiter-of-table/metrics.jsonl").read_text().splitlines()
    assert "against_runs/table" in json.loads(records[-1])

    assert call("exploit --resume runs/exploiter-of-table --updates 3 --deals 6")[0] == 0
    assert checkpoints.latest(tmp_path / "runs/exploiter-of-table/checkpoints") == 3
    status, out, _ = call("evaluate runs/exploiter-of-table runs/table --deals 2")
    assert status == 0 and GAME in out
    status, _, err = call("exploit --resume runs/exploiter-of-table random")
    assert status == 2 and "begun with against = runs/table" in err

    assert call("train --resume runs/table --updates 2 --no-evaluate")[0] == 0
    status, _, err = call("exploit --resume runs/exploiter-of-table --updates 4")
    assert status == 2 and "another adversary than runs/table is now" in err and err.count("\n") == 1
    shutil.rmtree(tmp_path / "runs/table")
    status, _, err = call("exploit --resume runs/exploiter-of-table --updates 4")
    assert status == 2 and "unknown run folder 'runs/table'" in err and err.count("\n") == 1
