"""Saved games and counted results: files that survive what happens to files."""

import dataclasses
import json
import os

import pytest

from jaxcards.errors import UserError
from jaxcards.play import results, saved

GAME = saved.Saved("euchre/standard", {"target": 5}, True, 7, 0, ["you", "random"], [25, 3], "0.1.0")


@pytest.mark.parametrize("standing", [{}, {"totals": [9, 7], "num_deals": 12}])
def test_a_saved_game_is_read_as_it_was_written(tmp_path, standing):
    path, game = tmp_path / "game.json", dataclasses.replace(GAME, **standing)
    saved.write(path, game)
    assert saved.read(path) == game
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"], "no half file stays"


@pytest.mark.parametrize(
    "change, words",
    [
        ({"format": 3}, "not a saved game of format 1 to 2"),
        ({"seed": "7"}, "seed is '7'"),
        ({"match": 1}, "match is 1"),
        ({"actions": [1, "x"]}, "actions must be whole numbers"),
        ({"actions": [True]}, "actions must be whole numbers"),
        ({"seats": [1]}, "seats must be names"),
        ({"version": None}, "version is None"),
    ],
)
def test_what_is_no_saved_game_is_refused(change, words, tmp_path):
    path = tmp_path / "game.json"
    saved.write(path, GAME)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(UserError, match=words):
        saved.read(path)


def test_a_file_of_format_1_has_no_standing(tmp_path):
    path = tmp_path / "game.json"
    saved.write(path, GAME)
    values = json.loads(path.read_text()) | {"format": 1}
    del values["totals"], values["num_deals"]
    path.write_text(json.dumps(values))
    assert saved.read(path) == GAME


@pytest.mark.parametrize("content", ["", "[1]", "{", "\x00"])
def test_any_other_file_is_refused(content, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(content)
    with pytest.raises(UserError, match="not a saved game"):
        saved.read(path)
    with pytest.raises(UserError, match="file not found"):
        saved.read(tmp_path / "none.json")


def test_the_newest_game_is_the_one_to_go_on_with(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(UserError, match="found no unfinished game"):
        saved.newest()
    first, second = saved.new_file("jass/slalom"), saved.new_file("euchre/standard")
    assert first != second and first.parent == tmp_path / "jaxcards" / "games"
    for path, when in ((first, 2_000), (second, 1_000)):
        saved.write(path, GAME)
        os.utime(path, (when, when))
    assert saved.newest() == first


def test_wins_of_the_last_hundred_are_counted(tmp_path):
    path = tmp_path / "folder" / "results.jsonl"
    assert results.last(path, "a") == (0, 0)
    for number in range(130):
        results.append(path, {"kind": "a", "won": float(number >= 100)})
        results.append(path, {"kind": "b", "won": 1})
    with path.open("a") as file:
        file.write('not json\n{"kind": "a"}\n[]\n')
    assert results.last(path, "a") == (100, 30) and results.last(path, "b", 7) == (7, 7)
