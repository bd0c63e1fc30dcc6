"""The common form of the rules pages of all games: fields, presets, sections."""

import dataclasses
import importlib
import inspect
import itertools
import re
import typing
from typing import Literal

import pytest

import jaxcards
from games.page import ROOT, Page

GAMES = ("jass", "belote", "euchre", "rikiki", "sheepshead", "hearts", "spades", "skat", "bridge")

# What else must be set for a field to have its lowest or highest value.
BESIDE = {
    ("jass", "target"): {"deals": 1},
    ("belote", "max_bid"): {"auction": "contract", "all_pass": "void"},
    ("rikiki", "num_players"): {"schedule": (1,)},
    ("sheepshead", "num_players"): {"partner": "none"},
    ("hearts", "num_players"): {"directions": (0,)},
    ("spades", "num_players"): {"partners": False},
}

pytestmark = pytest.mark.parametrize("name", GAMES)


def module(name: str, part: str):
    return importlib.import_module(f"jaxcards.games.{name}.{part}")


def written(value) -> str:
    return repr(value).replace("'", '"')


def test_rules_fields(name):
    page = {row[0]: row[2] for row in Page(name).table("field | values")}
    fields = dataclasses.fields(module(name, "rules").Rules)
    assert page == {field.name: written(field.default) for field in fields}


def test_values_of_rules_fields(name):
    rules = module(name, "rules").Rules
    hints = typing.get_type_hints(rules)
    for field, values, *_ in Page(name).table("field | values"):
        beside = BESIDE.get((name, field), {})
        wrong = []
        if typing.get_origin(hints[field]) is Literal:
            named = [value.strip("` ") for value in values.split(",")]
            assert named == [written(value) for value in typing.get_args(hints[field])]
            wrong = ["something else", True]
        elif hints[field] is int:
            low, high = map(int, re.fullmatch(r"int, (-?\d+) to (-?\d+)", values).groups())
            for value in (low, high):
                assert getattr(rules(**beside, **{field: value}), field) == value
            wrong = [low - 1, high + 1, True, 2.0]
        elif hints[field] is bool:
            assert values == "bool"
            wrong = [1, 2, None]
        for value in wrong:
            with pytest.raises(jaxcards.UserError, match=field):
                rules(**beside, **{field: value})


def test_every_setting_is_explained(name):
    """A column of the table, or the rest of the page, says what a setting does."""
    page = Page(name)
    text = re.sub(r"^\| `[\w/]+` \|.*", "", page.text, flags=re.MULTILINE)
    for field, _, _, *meaning in page.table("field | values"):
        assert meaning or re.search(rf"`{field}[`=\[]", text), field


def test_observation_fields_are_described(name):
    """In the file that the page links to: by a comment beside or above, or in the docstring."""
    assert f"[play.py](../jaxcards/games/{name}/play.py) describes the fields" in Page(name).text
    state = module(name, "play")
    for kind in (state.Public, state.Observation):
        lines = inspect.getsource(kind).splitlines()
        for above, line in itertools.pairwise(lines):
            field = re.match(r"    (\w+): ", line)
            if field and field[1] != "public":
                noted = "#" in line or above.startswith("    #") or f"{field[1]}: " in kind.__doc__
                assert noted, f"{kind.__name__}.{field[1]}"


def test_shared_fields_of_observations(name):
    state = module(name, "play")
    fields = {f"public.{field.name}" for field in dataclasses.fields(state.Public)}
    fields |= {field.name for field in dataclasses.fields(state.Observation)}
    shared = {row[0] for row in Page("observations").table("field | content")}
    # Euchre packs the first two; Belote and Skat have `lacks`.
    assert shared - fields <= {"public.current_player", "public.num_played", "public.voids"}


def test_presets_are_all_there(name):
    rules = module(name, "rules")
    assert [row[0] for row in Page(name).table("preset | the game")] == list(rules.PRESETS)


def test_docstrings_cite_sections_that_exist(name):
    page = Page(name).text
    numbers = set(re.findall(r"^##+ (\d+(?:\.\d+)?) ", page, re.MULTILINE))
    cited = set()
    for file in (ROOT / "jaxcards" / "games" / name).glob("*.py"):
        for text in re.findall(rf"docs/{name}.md, ([\d., andto]+)", file.read_text(encoding="utf-8")):
            cited |= {number.rstrip(".") for number in re.findall(r"\d[\d.]*", text)}
    assert cited and cited <= numbers
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    # In other places a lone number in brackets is a number of points or cards.
    reference = r"\((\d+(?:\.\d+)?)[,);]" if name == "sheepshead" else r"\((\d+\.\d+)[,);]"
    assert set(re.findall(reference, prose)) <= numbers
