"""docs/belote.md says what the code does: its tables, row by row."""

import dataclasses
import itertools
import re
from pathlib import Path

import jax.numpy as jnp
import pytest

import jaxcards
from games.belote.test_worked_examples import compiled, position
from jaxcards.cards import CardSet
from jaxcards.games.belote import deck as belote_deck
from jaxcards.games.belote import declarations
from jaxcards.games.belote import rules as belote_rules
from jaxcards.games.belote.deck import DECK
from jaxcards.games.belote.observation import Observation
from jaxcards.games.belote.rules import LEVELS, MODES, BeloteRules

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "belote.md").read_text(encoding="utf-8")
PLACES = ("first", "second", "third", "fourth")


def table(head: str) -> list[list[str]]:
    """Cells of the rows of the table whose header begins so; code marks are taken off."""
    lines = PAGE[PAGE.index(f"\n| {head} |") + 1 :].splitlines()
    body = itertools.takewhile(lambda line: line.startswith("|"), lines[2:])
    rows = [line.strip("| ").split(" | ") for line in body]
    assert rows
    return [[cell.strip().strip("`") for cell in row] for row in rows]


def rows(head: str):
    return pytest.mark.parametrize("row", [pytest.param(row, id=" ".join(row)) for row in table(head)])


# --- Rules, cards, modes --------------------------------------------------------------------------


def test_rules_fields():
    page = {row[0]: row[2] for row in table("field | values")}
    defaults = {f.name: f.default for f in dataclasses.fields(BeloteRules)}
    assert page == {name: repr(value).replace("'", '"') for name, value in defaults.items()}


def test_values_of_rules_fields():
    hints = {f.name: f.type for f in dataclasses.fields(BeloteRules)}
    for name, values, *_ in table("field | values"):
        named = [value.strip("` ") for value in values.split(",")]
        if limits := re.match(r"int, (\d+) to (\d+)", values):
            smallest, largest = int(limits[1]), int(limits[2])
            assert getattr(BeloteRules(**{name: largest}), name) == largest
            for wrong in (smallest - 1, largest + 1):
                with pytest.raises(ValueError, match=name):
                    BeloteRules(**{name: wrong})
        elif values != "bool":
            assert [eval(value) for value in named] == list(hints[name].__args__)
            with pytest.raises(ValueError, match=name):
                BeloteRules(**{name: "something else"})
        else:
            with pytest.raises(ValueError, match=name):
                BeloteRules(**{name: 1})


@pytest.mark.parametrize(
    "wrong",
    [
        {"all_pass": "forehand_must", "auction": "turnup"},
        {"auction": "contract"},
        {"auction": "contract", "all_pass": "void", "tie": "litige"},
        {"modes_nt_at": True},
    ],
    ids=str,
)
def test_rules_that_do_not_go_together(wrong):
    with pytest.raises(ValueError, match="needs"):
        BeloteRules(**wrong)
    with pytest.raises(jaxcards.UserError, match="belote/bela: .* needs"):
        jaxcards.make("belote/bela", **wrong)


def test_cards():
    assert "".join(row_of("suit | 0", "letter")) == DECK.suits
    assert "".join(row_of("suit | 0", "sign")) == DECK.symbols
    assert "".join(row_of("rank | 0", "letter")) == DECK.ranks
    for row in ("Croatian", "French"):
        for suit, name in enumerate(row_of("suit | 0", row)):
            assert DECK.card(f"{name} 7") == 8 * suit
    assert {DECK.card(text) for text in ("Th", "h10", "♥10", "herc 10")} == {11}
    assert [DECK.card(text) for text in ("♦7", "♦10", "♥J", "♣A")] == [0, 3, 12, 31]


def row_of(head: str, name: str) -> list[str]:
    (found,) = (row[1:] for row in table(head) if row[0] == name)
    return found


def test_orders():
    wanted = [order.low_to_high for order in (belote_deck.PLAIN_ORDER, belote_deck.TRUMP_ORDER)]
    assert [row[2].replace(" ", "") for row in table("order | where")] == [*wanted, DECK.ranks]


def test_points():
    wanted = [
        belote_deck.TRUMP_POINTS,
        belote_deck.PLAIN_POINTS,
        belote_deck.NO_TRUMP_POINTS,
        belote_deck.ALL_TRUMP_POINTS,
    ]
    assert [tuple(map(int, row[1:])) for row in table("cards of | 7")] == wanted
    sums = [sum(points) for points in wanted]
    assert sums[0] + 3 * sums[1] == 4 * sums[2] == 4 * sums[3] == 152


def test_presets_are_all_there():
    assert [row[0] for row in table("id | what it is")] == [f"belote/{p}" for p in belote_rules.PRESETS]


# --- Actions and observation ----------------------------------------------------------------------


def test_actions():
    bela, contract = jaxcards.make("belote"), jaxcards.make("belote/coinche_nt_at")
    names = [contract.action_to_string(a) for a in range(contract.num_actions)]
    assert (bela.num_actions, contract.num_actions) == (37, 99)
    assert names[32:37] == ["pass", *(f"trumps {suit}" for suit in DECK.suits)]
    assert names[37:97] == [f"bid {level} {mode}" for level in LEVELS for mode in MODES]
    assert names[97:] == ["coinche", "surcoinche"]
    assert [row[0] for row in table("action | Bela, card turned up")] == [
        "0 to 31", "32", "33 to 36", "37 to 96", "97, 98"
    ]  # fmt: skip
    quoted = re.search(r"Names for `string_to_action`:(.*?)\n\n", PAGE, re.DOTALL)[1]
    for name in re.findall(r"`([^`]+)`", quoted):
        assert contract.string_to_action(name) >= 32
        short = name.removeprefix("bid ").removeprefix("trumps ")
        assert contract.string_to_action(short) == contract.string_to_action(name)


def test_observation_fields():
    listed = [row[0] for row in table("field | content")]
    assert listed == [field.name for field in dataclasses.fields(Observation)]


def test_docstrings_cite_sections_that_exist():
    numbers = set(re.findall(r"^##+ (\d+(?:\.\d+)?) ", PAGE, re.MULTILINE))
    cited = set()
    for file in (ROOT / "jaxcards" / "games" / "belote").glob("*.py"):
        for text in re.findall(r"contract sections? ([\d., andto]+)", file.read_text()):
            cited |= {number.rstrip(".") for number in re.findall(r"\d[\d.]*", text)}
    assert cited and cited <= numbers
    assert set(re.findall(r"\((\d\.\d)[,);]", PAGE)) <= numbers


# --- Worked examples ------------------------------------------------------------------------------


@rows("preset | mode | table")
def test_legal_cards(row):
    id, mode, on_table, hand, legal, _ = row
    on_table, hand = DECK.cards(on_table), DECK.cards(hand)
    seats = [[c] for c in on_table] + [hand] + [[]] * 3
    state, step = position(id, MODES.index(mode), seats[:4])
    for c in on_table:
        state = step(state, jnp.int32(c))
    assert jnp.flatnonzero(compiled(id)[3](state)).tolist() == sorted(DECK.cards(legal))


@rows("mode | trick number")
def test_tricks(row):
    mode, number, cards, winner, points = row
    number, cards = int(number), DECK.cards(cards)
    state, step = position("coinche_nt_at", MODES.index(mode), [[c] for c in cards], 4 * (number - 1))
    for c in cards:
        state = step(state, jnp.int32(c))
    place = PLACES.index(winner)
    assert int(state.winners) >> 2 * (number - 1) & 3 == place  # seat 0 led
    gained = compiled("coinche_nt_at")[0].progress(state).tolist()
    assert gained == [int(points) if seat % 2 == place % 2 else 0 for seat in range(4)]


@rows("preset | mode | hand")
def test_declarations_of_a_hand(row):
    id, mode, hand, total, best = row
    cards = DECK.cards(hand)
    assert len(set(cards)) == 8
    rules = jaxcards.make(f"belote/{id}").rules
    found = declarations.find(rules, CardSet.of(DECK, cards), jnp.uint32(MODES.index(mode)))
    assert (10 * int(found.total), 10 * int(found.best)) == (int(total), int(best))
