"""Players of other engines by name: what is read, and every error in one line."""

import sys
from pathlib import Path

import pytest

from jaxcards import registry
from jaxcards.errors import UserError
from jaxcards.opponents import names
from jaxcards.opponents.names import Opponent, check_game, opponent


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(names, "require", lambda *needed: None)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("openspiel:ismcts:1000", Opponent("openspiel", "ismcts", 1000)),
        ("openspiel:ismcts:2", Opponent("openspiel", "ismcts", 2)),
        ("pyschieber:challenge", Opponent("pyschieber", "challenge")),
        ("colver:isdd:1", Opponent("colver", "isdd", 1)),
    ],
)
def test_names(installed, text, expected):
    assert opponent(text) == expected and str(expected) == text


@pytest.mark.parametrize(
    "text, words",
    [
        ("openspeil:ismcts:5", "unknown engine 'openspeil'; did you mean 'openspiel'"),
        ("colver", "unknown player of colver '' .*isdd, random"),
        ("openspiel:ismtcs:5", "unknown player of openspiel 'ismtcs'; did you mean 'ismcts'"),
        ("openspiel:ismcts", "openspiel:ismcts needs a number: .*ismcts:N with N simulations, from 2"),
        ("openspiel:ismcts:", "needs a number"),
        ("openspiel:ismcts:1", "openspiel:ismcts:1: write openspiel:ismcts:N .*from 2 to 10000000"),
        ("colver:isdd:0", "from 1 to"),
        ("colver:isdd:10000001", "to 10000000"),
        ("colver:isdd:99999999999", "to 10000000"),
        ("colver:isdd:-3", "colver:isdd:-3: write"),
        ("colver:isdd:3:4", "colver:isdd:3:4: write"),
        ("colver:isdd:٣", "colver:isdd:٣: write"),
        ("pyschieber:challenge:5", "pyschieber:challenge takes no number, such as '5'"),
    ],
)
def test_wrong_names(installed, text, words):
    with pytest.raises(UserError, match=words):
        opponent(text)


def test_an_engine_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "colver", None)
    with pytest.raises(UserError, match=r"isdd:5 needs colver: pip install .*\[opponents\]"):
        opponent("colver:isdd:5")


def test_games():
    check_game(Opponent("colver", "isdd", 5), "belote/contree")
    message = "^colver:isdd:5 cannot play belote/bela: colver plays belote/contree$"
    with pytest.raises(UserError, match=message):
        check_game(Opponent("colver", "isdd", 5), "belote/bela")


def test_presets_exist_and_have_one_engine():
    presets = [preset for engine in names.ENGINES.values() for preset in engine.presets]
    assert len(set(presets)) == len(presets)
    assert [registry.canonical_id(preset) for preset in presets] == presets


def test_the_page_has_every_player():
    text = (Path(__file__).parents[2] / "docs" / "opponents.md").read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    rows = [name for cell in cells for name in cell.split("`")[1::2] if ":" in name]
    found = {
        f"{name}:{player}" + (":N" if entry.number else "")
        for name, engine in names.ENGINES.items()
        for player, entry in engine.players.items()
    }
    assert set(rows) == found and len(rows) == len(found)
