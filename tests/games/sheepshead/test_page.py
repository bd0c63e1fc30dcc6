"""docs/sheepshead.md says what the code does: its tables, row by row."""

import dataclasses
import itertools
import re
from pathlib import Path

import jax.numpy as jnp
import pytest

import jaxcards
from games.sheepshead import positions
from games.sheepshead.playout import game_of
from games.sheepshead.reference import LADIES, card, cards
from jaxcards.games.sheepshead import rules as sheepshead_rules
from jaxcards.games.sheepshead import score
from jaxcards.games.sheepshead.deck import DECK, POINTS, plain_strengths, trump_strengths
from jaxcards.games.sheepshead.observation import Observation
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.state import PHASE_NAMES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "sheepshead.md").read_text(encoding="utf-8")


def table(head: str) -> list[list[str]]:
    """Cells of the rows of the table whose header begins so; code marks are taken off."""
    lines = PAGE[PAGE.index(f"\n| {head} |") + 1 :].splitlines()
    body = itertools.takewhile(lambda line: line.startswith("|"), lines[2:])
    rows = [line.strip("| ").split(" | ") for line in body]
    assert rows
    return [[cell.strip().strip("`") for cell in row] for row in rows]


def row_of(head: str, name: str) -> list[str]:
    (found,) = (row[1:] for row in table(head) if row[0] == name)
    return found


def test_rules_fields():
    page = {row[0]: row[2] for row in table("field | values")}
    wanted = {f.name: repr(f.default).replace("'", '"') for f in dataclasses.fields(SheepsheadRules)}
    assert page == wanted


def test_values_of_rules_fields():
    hints = {f.name: f.type for f in dataclasses.fields(SheepsheadRules)}
    for name, values, *_ in table("field | values"):
        named = [value.strip("` ") for value in values.split(",")]
        if named[0].startswith('"'):
            assert [eval(value) for value in named] == list(hints[name].__args__)
            with pytest.raises(ValueError, match=name):
                SheepsheadRules(**{name: "other"})
        elif limits := re.match(r"int, (\d+) to (\d+)", values):
            for wrong in (int(limits[1]) - 1, int(limits[2]) + 1, True, 2.0):
                with pytest.raises(ValueError, match=name):
                    SheepsheadRules(**{name: wrong})
            for right in map(int, limits.groups()):
                alone = {"partner": "none"} if (name, right) == ("num_players", 3) else {}
                assert getattr(SheepsheadRules(**{name: right}, **alone), name) == right
        else:
            with pytest.raises(ValueError, match=name):
                SheepsheadRules(**{name: 1})


@pytest.mark.parametrize(
    ("wrong", "reason"), [({"num_players": 3}, "three players"), ({"recrack": True}, "needs crack")]
)
def test_rules_that_make_no_sense(wrong, reason):
    with pytest.raises(ValueError, match=reason):
        SheepsheadRules(**wrong)


def test_presets_are_all_there():
    wanted = [f"sheepshead/{p}" for p in sheepshead_rules.PRESETS]
    assert [row[0] for row in table("id | what it is")] == wanted
    assert list(sheepshead_rules.PRESET_DESCRIPTIONS) == list(sheepshead_rules.PRESETS)


def test_cards():
    assert "".join(row_of("suit | 0", "letter")) == DECK.suits
    assert "".join(row_of("suit | 0", "sign")) == DECK.symbols
    assert "".join(row_of("rank | 0", "letter")) == DECK.ranks
    assert tuple(map(int, row_of("rank | 0", "points"))) == POINTS
    assert 4 * sum(POINTS) == 120
    assert (DECK.card("AS"), card("AS")) == (31, 31)


def test_orders():
    (order,) = row_of("what | strongest to weakest", "trumps")
    strengths = trump_strengths(1, "none")
    assert sorted(strengths, key=strengths.get, reverse=True) == cards(order)
    assert order.split()[:8] == LADIES
    (order,) = row_of("what | strongest to weakest", "fail, each suit")
    plain = dict(zip(DECK.ranks, plain_strengths(), strict=True))
    assert sorted(order.split(), key=plain.get, reverse=True) == order.split()


def test_phases_and_actions():
    assert tuple(row[1] for row in table("phase | name")) == PHASE_NAMES
    game = jaxcards.make("sheepshead")
    for number, name in table("action | meaning")[1:]:
        assert game.action_to_string(int(number)) == name
        assert game.string_to_action(name) == int(number)
    for text in ("QC", "call qc", "bury ♣Q", "play Club Q".replace("Club", "clubs"), "unknown Q C"):
        assert game.string_to_action(text) == card("QC")


def test_magnitudes():
    rules = SheepsheadRules()
    found = {}
    for points in range(121):
        m = int(score.magnitude(rules, jnp.int32(points), jnp.int32(3)))
        found.setdefault(m, []).append(points)
    page = {int(row[1]): row[0] for row in table("the picking side | magnitude")}
    assert page[2] == f"has {found[2][0]} or more"
    assert page[1] == f"has {found[1][0]} to {found[1][-1]}"
    assert page[-1] == f"has {found[-1][0]} to {found[-1][-1]}"
    assert page[-2] == f"has {found[-2][-1]} or less"
    assert sorted(page) == [-3, -2, -1, 1, 2, 3]


def test_observation_fields():
    listed = [row[0] for row in table("field | content")]
    assert listed == [field.name for field in dataclasses.fields(Observation)]


def test_docstrings_cite_sections_that_exist():
    numbers = set(re.findall(r"^##+ (\d+(?:\.\d+)?) ", PAGE, re.MULTILINE))
    cited = set()
    for file in (ROOT / "jaxcards" / "games" / "sheepshead").glob("*.py"):
        for text in re.findall(r"[Ss]ections? ([\d., and]+)", file.read_text()):
            cited |= {number.rstrip(".") for number in re.findall(r"\d[\d.]*", text)}
    assert cited and cited <= numbers
    text = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    assert set(re.findall(r"\((\d+(?:\.\d)?)[,);]", text)) <= numbers


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=" ".join(row[:5])) for row in table("preset | who | called")]
)
def test_legal_cards(row):
    variant, who, called, led, hand, legal, _ = row
    given = {"role": who, "led": led, "called": "" if called == "–" else called}
    assert positions.legal(variant, hand, **given) == set(cards(legal))
    assert game_of(variant).num_players == 5
