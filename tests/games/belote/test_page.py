"""docs/belote.md says what the code does: its tables, row by row."""

import re

import jax.numpy as jnp
import pytest

import jaxcards
from games.belote.test_worked_examples import compiled, position
from games.page import PLACES, Page
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote import declarations
from jaxcards.games.belote import play as belote_deck
from jaxcards.games.belote.play import DECK
from jaxcards.games.belote.rules import MODES, BeloteRules

PAGE = Page("belote")
table, rows = PAGE.table, PAGE.rows


# --- Rules, cards, modes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"all_pass": "forehand_must", "auction": "turnup"},
        {"auction": "contract"},
        {"auction": "contract", "all_pass": "void", "tie": "litige", "contract_only": True},
        {"modes_nt_at": True},
        {"max_bid": 170},
        {"generale": True},
        {"contract_only": True},
    ],
    ids=str,
)
def test_rules_that_do_not_go_together(wrong):
    with pytest.raises(ValueError, match="needs"):
        BeloteRules(**wrong)
    with pytest.raises(jaxcards.UserError, match="belote/bela: .* needs"):
        jaxcards.make("belote/bela", **wrong)


def test_cards():
    for names in ("karo herc pik tref", "carreau coeur pique trèfle"):
        assert [DECK.card(f"{name} 7") for name in names.split()] == [0, 8, 16, 24]
    assert {DECK.card(text) for text in ("Th", "h10", "♥10", "herc 10")} == {11}
    assert [DECK.card(text) for text in ("♦7", "♣A")] == [0, 31]


def test_orders():
    wanted = [order.low_to_high for order in (belote_deck.PLAIN_ORDER, belote_deck.TRUMP_ORDER)]
    assert [row[2].replace(" ", "") for row in table("order | where")] == wanted


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


# --- Actions and observation ----------------------------------------------------------------------


def test_actions():
    bela, contract = jaxcards.make("belote"), jaxcards.make("belote/coinche_nt_at")
    names = [contract.action_to_string(a) for a in range(contract.num_actions)]
    assert (bela.num_actions, contract.num_actions) == (37, 99)
    assert names[32:37] == ["pass", *(f"trumps {suit}" for suit in DECK.suits)]
    levels = [*map(str, range(80, 161, 10)), "capot"]
    assert names[37:97] == [f"bid {level} {mode}" for level in levels for mode in MODES]
    assert names[97:] == ["coinche", "surcoinche"]
    high = jaxcards.make("belote/coinche", max_bid=210, generale=True)
    assert high.action_to_string(37 + 6 * 13) == "bid 210 d" and high.num_actions == 37 + 6 * 16 + 2
    assert high.action_to_string(37 + 6 * 15 + 1) == "bid generale h"
    with pytest.raises(jaxcards.UserError, match="max_bid must be a multiple of ten, not 165"):
        jaxcards.make("belote/coinche", max_bid=165)
    assert [row[0] for row in table("action | Bela, card turned up")] == [
        "0 to 31", "32", "33 to 36", "37 to 96", "97, 98"
    ]  # fmt: skip
    assert {bela.string_to_action(f"trumps {suit}") for suit in ("karo", "♦", "carreau", "D")} == {33}
    quoted = re.search(r"Names for `string_to_action`:(.*?)\n\n", PAGE.text, re.DOTALL)[1]
    for name in re.findall(r"`([^`]+)`", quoted):
        assert contract.string_to_action(name) >= 32
        short = name.removeprefix("bid ").removeprefix("trumps ")
        assert contract.string_to_action(short) == contract.string_to_action(name)


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
    assert int(state.public.winners) >> 2 * (number - 1) & 3 == place  # seat 0 led
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
