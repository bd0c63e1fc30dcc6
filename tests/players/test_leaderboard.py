"""The leaderboard: entries, their order, and the entries of this release."""

import dataclasses

import pytest

from jaxcards import registry
from jaxcards.cli.main import main
from jaxcards.errors import UserError
from jaxcards.evaluation.intervals import Interval
from jaxcards.players import leaderboard
from jaxcards.players.leaderboard import DEALS, SEED, Entry

GAME = "euchre/standard"


def entry(player, **points) -> Entry:
    means = {name: Interval(mean, mean - 0.1, mean + 0.1) for name, mean in points.items()}
    champion = leaderboard.champion_of(GAME)
    return Entry(f"{GAME}-v1", player, "Ada", DEALS, SEED, champion, means, 0.25, "a machine", "0.3.0")


def test_an_entry_survives_json():
    own = entry("mine", champion=0.5, random=2.0)
    assert Entry.from_json(own.to_json(), "mine.json") == own


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"deals": 10}, {"champion": "euchre 00000000"}, {"game": "euchre/standard-v9"}],
)
def test_entries_of_other_deals_are_refused(change):
    text = dataclasses.replace(entry("mine", champion=0.5), **change).to_json()
    words = "mine.json has other deals, .* again with jaxcards leaderboard euchre/standard PLAYER"
    with pytest.raises(UserError, match=words):
        Entry.from_json(text, "mine.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"points": {"a": 1}}', '{"points": {}, "x": 1}'])
def test_other_files_are_refused(text):
    with pytest.raises(UserError, match="mine.json is not an entry of the leaderboard"):
        Entry.from_json(text, "mine.json")


def test_the_best_is_first_and_a_player_does_not_meet_itself():
    text = leaderboard.to_text(
        GAME,
        [
            entry("heuristic", champion=-0.1, random=1.36),
            entry("mine", champion=0.05, heuristic=0.2, random=1.3),
            entry("champion", heuristic=0.1, random=1.4),
        ],
    )
    rows = text.splitlines()[2:]
    assert [row.split()[0] for row in rows] == ["player", "mine", "champion", "heuristic"]
    assert "+0.05 ±0.10" in rows[1] and "0.25" in rows[1] and rows[1].endswith("Ada")
    assert text.startswith("euchre/standard-v1: points per deal, 1000 duplicate deals\n")


def test_a_player_of_a_file_enters_with_one_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(leaderboard, "DEALS", 8)
    monkeypatch.setattr(leaderboard, "OPPONENTS", ("champion", "random"))
    monkeypatch.setattr(leaderboard, "FOLDER", tmp_path)
    code, out = tmp_path / "agent.py", tmp_path / "euchre-standard-mine.json"
    code.write_text("import jaxcards\nmake = lambda game: jaxcards.load_player('heuristic', game)\n")
    line = ["leaderboard", GAME, f"{code}:make", "--by", "Ada", "--json", str(out)]
    assert main(line) == 0
    assert "Ada" in capsys.readouterr().out
    [own] = leaderboard.entries(GAME)
    assert own.milliseconds > 0 and set(own.points) == {"champion", "random"}
    # The same deals again: the same points.
    assert main([*line, "--force"]) == 0
    assert leaderboard.entries(GAME)[0].points == own.points


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("jass/slalomm", "unknown preset of jass 'slalomm'"),
        ("jass --by Ada", "name a player after the game"),
        ("jass heuristic", "an entry names its maker: add --by"),
        ("jass heuristik --by Ada", "unknown player 'heuristik'"),
        ("jass double_dummy --by Ada", "double_dummy"),
        ("jass missing.py:make --by Ada", "missing.py"),
    ],
)
def test_bad_input_is_one_line(capsys, line, words):
    assert main(["leaderboard", *line.split()]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("game", leaderboard.games())
def test_the_entries_of_this_release_can_be_compared(game):
    found = leaderboard.entries(game)
    assert {"champion", "heuristic", "random"} <= {entry.player for entry in found}
    for entry in found:
        assert set(entry.points) == {*leaderboard.OPPONENTS} - {entry.player}


def test_default_presets_are_first():
    assert leaderboard.games()[: len(registry.defaults())] == registry.defaults()
