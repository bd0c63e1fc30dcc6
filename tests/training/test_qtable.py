"""A run of the learner `q-table` from the command line: its files, and the player that comes out."""

import json
import shutil

import numpy as np
import pytest

import jaxcards
from jaxcards.errors import UserError
from jaxcards.training import checkpoints
from jaxcards.training.player import load_trained_player

GAME = "euchre/three_handed"
SETTINGS = [
    *("--updates-per-dispatch", "2", "--deals-per-update", "64", "--evaluation-deals", "8"),
    *("--devices", "1", "--no-evaluate"),
]


@pytest.fixture(scope="module")
def run(command):
    """Return the folder of a run that was stopped after four updates, and then continued."""
    new = ("train", GAME, "--learner", "q-table", "--out", "table", "--updates", "4", *SETTINGS)
    again = ("train", "--resume", "table", "--updates", "6", "--no-evaluate")
    for arguments in (new, again):
        process = command(*arguments)
        _, err = process.communicate(timeout=600)
        assert process.returncode == 0, err
    return command.folder / "table"


@pytest.mark.slow
def test_the_player_is_the_table_of_the_newest_checkpoint(run):
    agent, table = load_trained_player(run, jaxcards.make(GAME))
    state, counters, player = checkpoints.read(run / "checkpoints", 6)
    assert counters.update == 6 and player == {"game": f"{GAME}-v1", "features": 1}
    np.testing.assert_array_equal(table.values, state["table"]["values"])
    np.testing.assert_array_equal(table.visits, state["table"]["visits"])
    assert table.visits.sum() > 1000
    records = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert [record["update"] for record in records] == [0, 2, 4, 6]
    assert all(np.isfinite(record["td_error"]) for record in records[1:])
    names = {path.name for path in run.iterdir()}
    assert "table.sqlite" in names and "player.msgpack" not in names
    assert "table.sqlite " in (run / "README.txt").read_text()


@pytest.mark.slow
def test_a_folder_without_the_table(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / "run")
    (copy / "table.sqlite").unlink()
    with pytest.raises(UserError, match="has no player: missing table.sqlite"):
        load_trained_player(copy, jaxcards.make(GAME))


@pytest.mark.slow
def test_the_command_line_knows_the_player(command, run):
    for arguments, word in (
        (("table", "table", "--top", "2"), "updates"),
        (("simulate", GAME, "--players", "./table,random,random"), "decisions"),
    ):
        process = command(*arguments)
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0, err
        assert word in out
