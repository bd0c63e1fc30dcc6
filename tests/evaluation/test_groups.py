"""Groups of runs: the mean over seeds, with an interval that holds the true mean."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from support.fakes.players import Lowest

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.cli import main
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.groups import evaluate_groups, group_name, mean_over_runs
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.players import Player, loading, names

GAME = jaxcards.make("rikiki", num_players=3, schedule=(3,))


def test_run_folders_that_differ_in_the_last_number_are_a_group():
    found = [group_name(name) for name in ("runs/seed_0", "runs/seed_12/", "r2/wide3_a", "runs/jass")]
    assert found == ["runs/seed_*", "runs/seed_*", "r2/wide*_a", "runs/jass"]


def test_against_one_player_the_interval_is_students_over_the_seeds():
    column = np.array([[1.0], [2.0], [4.5]])
    expected = dataclasses.astuple(mean_interval(column[:, 0]))
    assert dataclasses.astuple(mean_over_runs(column)) == pytest.approx(expected)
    assert dataclasses.astuple(-mean_over_runs(-column.T)) == pytest.approx(expected)


@pytest.mark.parametrize("shape", [(3, 1), (4, 3), (2, 6)])
def test_the_interval_holds_the_true_mean(shape):
    source, held = np.random.default_rng(1), 0
    for _ in range(2000):
        rows, columns = source.normal(size=(shape[0], 1)), source.normal(size=(1, shape[1]))
        noise = source.normal(size=shape)
        table = 3 + rows + (columns if shape[1] > 1 else 0) + noise
        held += not mean_over_runs(table).excludes(3)
    assert 0.935 < held / 2000 <= 1


def test_every_pair_of_runs_plays_deals_of_its_own():
    agents, params = [Lowest(), Lowest(), RandomAgent()], [0, 1, ()]
    found = evaluate_groups(GAME, agents, params, ["a0", "a1", "random"], ["a*", "a*", "random"], 40, 7)
    (pair,) = found.pairs
    for number in (0, 1):
        own = evaluate(
            GAME, [agents[number], agents[2]], [params[number], ()], ["x", "y"], 40, seed=7 + number
        )
        assert pair.differences[number] == (own.pairs[0].difference.mean,)
    assert pair.difference.mean == pytest.approx(np.mean(pair.differences))
    assert json.loads(found.to_json())["groups"] == {"a*": ["a0", "a1"], "random": ["random"]}
    assert "a* - random" in found.to_text() and "a*: a0, a1" in found.to_text()


@pytest.mark.parametrize(
    "groups, words", [("aa", "all players are in one group"), ("ab", "in a different group")]
)
def test_groups_that_compare_nothing(groups, words):
    with pytest.raises(UserError, match=words):
        evaluate_groups(GAME, [Lowest()] * 2, [0, 1], ["x", "y"], list(groups), 2)


def test_the_command(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)

    def player(text, typed=False):
        return Player(text, folder=Path(text)) if text.startswith("runs") else Player(text)

    def load(named, game):
        return (RandomAgent(), ()) if named.folder is None else (Lowest(), int(named.name[-1]))

    monkeypatch.setattr("jaxcards.players.player", player)
    monkeypatch.setattr(names.run_folders, "trained_game", lambda folder: "rikiki/standard3")
    monkeypatch.setattr(loading, "load", load)
    line = "evaluate runs/seed_0 runs/seed_1 random --group --deals 4 --json r.json"
    assert main.main(line.split()) == 0
    assert "runs/seed_* - random" in capsys.readouterr().out
    result = json.loads(Path("r.json").read_text())
    assert result["groups"]["runs/seed_*"] == ["runs/seed_0", "runs/seed_1"]
    assert result["provenance"]["game"] == "rikiki/standard3-v1"
    assert main.main([*line.split(), "--force", "--plot", "a.png"]) == 2
    assert "--group excludes --plot, --calls and --score" in capsys.readouterr().err
