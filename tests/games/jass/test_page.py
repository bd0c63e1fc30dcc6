"""docs/jass.md says what the code does: its tables, row by row."""

import re
from functools import cache

import jax.numpy as jnp
import pytest

import jaxcards
from games.jass.positions import choose_action, mode_arguments, reach
from games.page import PLACES, Page
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass import play as jass_deck
from jaxcards.games.jass import weis
from jaxcards.games.jass.play import DECK
from jaxcards.games.jass.rules import MODES, JassRules
from jaxcards.testing.deals import quick_jit

PAGE = Page("jass")
table, rows = PAGE.table, PAGE.rows


@cache
def made(id: str):
    game = jaxcards.make(f"jass/{id}")
    return game, quick_jit(game.step), quick_jit(game.legal_action_mask)


def rules_of(text: str) -> JassRules:
    field, _, value = text.partition("=")
    values = {"True": True, "False": False, '"flat"': "flat"}
    return JassRules() if text == "default" else JassRules(**{field: values[value]})


def cards_of(text: str) -> list[int]:
    return [] if text == "–" else DECK.cards(text)


# --- Rules, cards, modes --------------------------------------------------------------------------


def test_cards():
    for _, *names in table("pack | ♦"):
        assert [DECK.card(f"{name} 6") for name in names] == [0, 9, 18, 27]
    assert "J is the *under*, Q the *ober*" in PAGE.text
    assert [DECK.card(text) for text in ("d under", "d ober")] == DECK.cards("dJ dQ")
    assert {DECK.card(text) for text in ("Th", "h10", "♥10", "Herz 10")} == {22}


def test_orders():
    wanted = (jass_deck.PLAIN_ORDER, jass_deck.BOTTOM_UP_ORDER, jass_deck.TRUMP_ORDER)
    assert [r[2].replace(" ", "") for r in table("order | where")] == [o.low_to_high for o in wanted]


def test_points():
    wanted = [
        jass_deck.TRUMP_POINTS,
        jass_deck.PLAIN_POINTS,
        jass_deck.OBENABE_POINTS,
        jass_deck.UNDENUFE_POINTS,
    ]
    assert [tuple(map(int, row[1:])) for row in table("cards of | 6")] == wanted


# --- Actions and observation ----------------------------------------------------------------------


def test_actions():
    game, slalom = made("schieber_1000")[0], made("slalom")[0]
    alone = made("differenzler")[0]
    names = [slalom.action_to_string(a) for a in range(slalom.num_actions)]
    assert names[36:42] == [f"choose {mode}" for mode in MODES[:6]]
    assert names[42:] == ["push", "choose slalom_top", "choose slalom_bottom"]
    assert (game.num_actions, slalom.num_actions, alone.num_actions) == (43, 45, 194)
    assert alone.action_to_string(36) == "predict 0" and alone.action_to_string(193) == "predict 157"
    assert [row[0] for row in table("action | Schieber")] == [
        "0 to 35", "36 to 41", "42", "43, 44", "36 to 193"
    ]  # fmt: skip
    quoted = re.search(r"Names for `string_to_action`:(.*?)\n\n", PAGE.text, re.DOTALL)[1]
    for name in re.findall(r"`([^`]+)`", quoted):
        assert (alone if name.startswith("predict") else slalom).string_to_action(name) >= 36


@pytest.mark.parametrize(
    "suit, factor",
    [("Schellen", 2), ("Schilten", 2), ("Eicheln", 1), ("Rosen", 1)]
    + [("♣", 2), ("♠", 2), ("♦", 1), ("♥", 1)],
)
def test_the_same_suits_count_double_with_both_packs(suit, factor):
    game = made("schieber_2500")[0]
    mode = game.string_to_action(f"choose {suit}") - 36
    assert game.string_to_action(f"{suit} 10") // 9 == mode
    assert game.rules.multipliers[mode] == factor


# --- Worked examples ------------------------------------------------------------------------------


def play(id: str, deal):
    game, step, _ = made(id)
    state = game.init_from_deck(deal.deck, deal.dealer, **deal.arguments)
    for action in deal.actions:
        state = step(state, jnp.int32(action))
    return state


@rows("preset | mode | table")
def test_legal_cards(row):
    id, mode, on_table, hand, legal, _ = row
    hand, (game, _, mask) = cards_of(hand), made(id)
    deal = reach(game.rules, MODES.index(mode), 10 - len(hand), cards_of(on_table), hand)
    assert jnp.flatnonzero(mask(play(id, deal))).tolist() == sorted(cards_of(legal))


@rows("preset | mode | trick number")
def test_tricks(row):
    id, mode, number, trick, winner, points = row
    game, number = made(id)[0], int(number)
    deal = reach(game.rules, MODES.index(mode), number, cards_of(trick), [])
    after = play(id, deal)
    deal.actions = deal.actions[:-4]
    gained = game.progress(after) - game.progress(play(id, deal))
    place = PLACES.index(winner)
    assert int(after.public.winners) >> 2 * (number - 1) & 3 == place  # seat 0 led
    assert gained.tolist() == [int(points) if seat % 2 == place % 2 else 0 for seat in range(4)]


@rows("rules | mode | hand")
def test_weis_of_a_hand(row):
    rules, mode, hand, total, best = row
    assert len(set(cards_of(hand))) == 9
    ways = weis.find_melds(rules_of(rules), CardSet.of(DECK, cards_of(hand)))
    found = weis.chosen(ways, MODES.index(mode))
    assert (10 * int(found.total), 10 * int(found.best)) == (int(total), int(best))


@rows("rules | forehand | mode")
def test_whose_weis_count(row):
    rules, forehand, mode, *seats, points = row
    hands = [CardSet.of(DECK, cards_of(hand)) for hand in (*seats, "–", "–")]
    word = weis.contest(rules_of(rules), hands, jnp.uint32(int(forehand)))
    scored = weis.weis_points(weis.settle(word, jnp.uint32(MODES.index(mode))))
    assert ", ".join(str(int(team)) for team in scored) == points


def test_modes_have_the_numbers_of_the_page():
    assert [choose_action(mode) for mode in range(8)] == [36, 37, 38, 39, 40, 41, 43, 44]
    assert mode_arguments(made("differenzler")[0].rules, 2) == {"mode": 2}
