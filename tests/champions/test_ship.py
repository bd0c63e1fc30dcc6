"""The card of a shipped player: the runs that it continues, and the runs that are kept."""

import importlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ship(monkeypatch, tmp_path):
    """Return the module, with its own folder of studies and two shipped players of Jass."""
    monkeypatch.syspath_prepend(ROOT)
    module = importlib.import_module("experiments.champions.ship")
    monkeypatch.setattr(module, "HERE", tmp_path / "studies")
    shipped = {"jass": learned(100) | {"before": learned(1000)}, "jass_schieber": learned(10)}
    monkeypatch.setattr(module, "cards", lambda: shipped)
    of_presets = {"jass/schieber_1000": "jass_schieber"}
    monkeypatch.setattr(module, "player_of", lambda game: of_presets.get(game.id, "jass"))
    monkeypatch.setattr(module, "counted", lambda folder: json.loads((folder / "counted").read_text()))
    module.HERE.mkdir()
    return module


def learned(number):
    return dict.fromkeys(("updates", "deals", "decisions", "minutes"), number)


@pytest.fixture
def run(tmp_path):
    """Write the folder of a run."""

    def write(name, start="", number=1, game="jass/slalom"):
        folder = tmp_path / name
        folder.mkdir()
        config = f'# {name}\ngame = "{game}"\nlearner = "ppo"\nstart = "{start}"\n'
        (folder / "config.toml").write_text(config)
        (folder / "counted").write_text(json.dumps(learned(number)))
        return folder

    return write


def test_a_fresh_run_has_learned_nothing_before(ship, run):
    folder = run("fresh")
    assert ship.origin(folder) is None and ship.before(folder) is None


def test_a_run_goes_on_from_the_player_of_its_game_whatever_it_is_shipped_as(ship, run):
    folder = run("one", "champion", game="jass/slalom")
    assert ship.origin(folder) == "jass" and ship.before(folder) == learned(1100)
    folder = run("two", "champion", game="jass/schieber_1000")
    assert ship.origin(folder) == "jass_schieber" and ship.before(folder) == learned(10)


def test_a_run_goes_on_from_another_run_and_from_what_that_one_began_with(ship, run):
    first = run("first", "champion", number=5)
    folder = run("second", first, number=7)
    assert ship.origin(folder) == "jass" and ship.before(folder) == learned(1105)


def test_a_run_that_begins_with_one_that_is_shipped_by_now_counts_it_once(ship, run):
    mixture = run("mixture", "champion", number=100)  # shipped as jass, in whose card it is
    ship.keep(mixture, ship.HERE / "jass", goes_on=True)
    matches = run("matches", mixture, number=3)
    assert ship.shipped_as(mixture) == "jass" and ship.shipped_as(matches) is None
    assert ship.origin(matches) == "jass" and ship.before(matches) == learned(1100)
    assert ship.before(mixture) == learned(1000)


def test_studies_keep_the_runs_of_their_player(ship, run):
    study = ship.HERE / "jass"
    ship.keep(run("first"), study, goes_on=False)
    between = run("between", "champion")
    ship.keep(run("second", between), study, goes_on=True)
    runs = {"": "second", "run_1": "first", "run_2": "between"}
    assert {path.name for path in study.glob("run_*")} == {"run_1", "run_2"}
    for place, name in runs.items():
        assert f"# {name}\n" in (study / place / "config.toml").read_text()


def test_a_run_that_is_shipped_again_is_kept_once(ship, run):
    study, folder = ship.HERE / "jass", run("first", "champion", number=100)
    for _ in range(2):
        ship.keep(folder, study, goes_on=True)
    assert not list(study.glob("run_*")) and (study / "config.toml").exists()


def test_a_study_does_not_keep_runs_that_its_new_player_does_not_go_on_from(ship, run):
    mixture = run("mixture", "champion", number=100)  # shipped as jass
    ship.keep(mixture, ship.HERE / "jass", goes_on=True)
    study = ship.HERE / "jass_matches"
    ship.keep(run("old"), study, goes_on=False)
    ship.keep(run("matches", mixture), study, goes_on=False)
    assert not list(study.glob("run_*")) and "# matches\n" in (study / "config.toml").read_text()
