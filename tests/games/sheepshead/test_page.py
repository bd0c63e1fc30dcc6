"""docs/sheepshead.md says what the code does: its tables, row by row."""

import jax.numpy as jnp
import pytest

import jaxcards
from games.page import Page
from games.sheepshead import positions
from games.sheepshead.playout import game_of
from games.sheepshead.reference import LADIES, PHASES, card, cards
from jaxcards.games.sheepshead import score
from jaxcards.games.sheepshead.play import DECK, PHASE_NAMES, PLAIN_STRENGTHS, POINTS, trump_strengths
from jaxcards.games.sheepshead.rules import SheepsheadRules

PAGE = Page("sheepshead")
table, row_of, rows = PAGE.table, PAGE.row_of, PAGE.rows


@pytest.mark.parametrize(
    ("wrong", "reason"), [({"num_players": 3}, "three players"), ({"recrack": True}, "needs crack")]
)
def test_rules_that_make_no_sense(wrong, reason):
    with pytest.raises(ValueError, match=reason):
        SheepsheadRules(**wrong)


def test_cards():
    assert tuple(map(int, row_of("card | 7", "points"))) == POINTS
    assert 4 * sum(POINTS) == 120
    assert (DECK.card("AS"), card("AS")) == (31, 31)


def test_orders():
    (order,) = row_of("what | strongest to weakest", "trumps")
    strengths = trump_strengths(1, "none")
    assert sorted(strengths, key=strengths.get, reverse=True) == cards(order)
    assert order.split()[:8] == LADIES
    (order,) = row_of("what | strongest to weakest", "fail, each suit")
    plain = dict(zip(DECK.ranks, PLAIN_STRENGTHS, strict=True))
    assert sorted(order.split(), key=plain.get, reverse=True) == order.split()


def test_phases_and_actions():
    assert PHASES == PHASE_NAMES and ", ".join(PHASES) in " ".join(PAGE.text.split())
    game = jaxcards.make("sheepshead")
    names = ("pass", "pick", "partner", "alone", "crack", "recrack")
    assert "From 32 on: `pass`, `pick`" in PAGE.text
    for number, name in enumerate(names, start=32):
        assert game.action_to_string(number) == name
        assert game.string_to_action(name) == number
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


@rows("preset | who | called", 5)
def test_legal_cards(row):
    variant, who, called, led, hand, legal, _ = row
    given = {"role": who, "led": led, "called": "" if called == "–" else called}
    assert positions.legal(variant, hand, **given) == set(cards(legal))
    assert game_of(variant).num_players == 5
