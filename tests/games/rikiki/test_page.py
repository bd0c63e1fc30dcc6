"""docs/rikiki.md says what the code does: its tables, row by row."""

import ast
import dataclasses

import jax.numpy as jnp

import jaxcards
from games.page import PLACES, Page
from games.rikiki import positions
from games.rikiki.reference import BID
from games.rikiki.test_differential import game_of
from jaxcards.games.rikiki import rules as rikiki_rules
from jaxcards.games.rikiki import score
from jaxcards.games.rikiki.game import Rikiki
from jaxcards.games.rikiki.play import DECK, NO_CARD
from jaxcards.games.rikiki.rules import NO_TRUMP, RikikiRules, down_up, up, up_down

PAGE = Page("rikiki")
table, rows = PAGE.table, PAGE.rows


# --- Rules, cards ---------------------------------------------------------------------------------


def test_helpers_for_schedules():
    assert up(2, 12) == RikikiRules().schedule
    assert down_up(10) == (*range(10, 0, -1), *range(2, 11))
    assert up_down(1, 10) == (*range(1, 11), *range(9, 0, -1))


def test_cards():
    assert "treff, káró, kőr, pikk" in PAGE.text
    assert [DECK.card(f"{name} 2") for name in "treff káró kőr pikk".split()] == [0, 13, 26, 39]
    assert {DECK.card(text) for text in ("Th", "h10", "♥10", "hearts 10")} == {34}
    assert DECK.card("As") == 51


# --- Actions and observation ----------------------------------------------------------------------


def test_actions():
    game = jaxcards.make("rikiki")
    names = [game.action_to_string(action) for action in range(game.num_actions)]
    assert names[52:] == [f"bid {tricks}" for tricks in range(11)]
    assert [row[0] for row in table("action | meaning")] == ["0 to 51", "52 + b"]
    assert game.string_to_action("3") == game.string_to_action("Bid 3") == 55


def test_rules_of_open_spiel():
    columns = {row[0]: row[1].replace("p", "3") for row in table("OpenSpiel | here")}
    for penalty in (False, True):
        rules = game_of(4, (penalty, 3)).rules
        text = columns[f"off_bid_penalty={penalty}"].replace("`", "").split(", ")
        named = {part.split("=")[0]: int(part.split("=")[1]) for part in text}
        weights = {f.name: f.default for f in dataclasses.fields(rules) if "m" == f.name[0]}
        assert {name: getattr(rules, name) for name in weights} == weights | named


# --- Worked examples ------------------------------------------------------------------------------


def rules_of(text):
    """Return the rules of a cell such as "standard, `miss_base=10`"."""
    preset, *changes = text.replace("`", "").split(", ")
    changed = {name: ast.literal_eval(value) for name, value in (part.split("=") for part in changes)}
    return dataclasses.replace(rikiki_rules.PRESETS[preset], **changed)


def play(game, deal):
    state = game.init_from_deck(deal.deck, deal.dealer, round=deal.round)
    for action in deal.actions:
        state = game.step(state, jnp.int32(action))
    return state


@rows("rules | cards | bids so far")
def test_bids(row):
    rules, k, bids, legal = row
    game = Rikiki(rules_of(rules))
    deal = positions.bidding(game.rules, int(k), [int(bid) for bid in bids.split()])
    mask = game.legal_action_mask(play(game, deal))
    assert (jnp.flatnonzero(mask) - BID).tolist() == [int(bid) for bid in legal.split()]


@rows("trump | cards | winner")
def test_tricks(row):
    trump, cards, winner = row
    game = jaxcards.make("rikiki", trump_mode="none" if trump == "none" else "turnup")
    cards = DECK.cards(cards)
    up = None if trump == "none" else DECK.card(f"4{trump}")
    state = play(game, positions.trick(game.rules, cards, [], up))
    assert int(state.public.trump) == (NO_TRUMP if up is None else up // 13)
    assert int(state.public.turnup) == (NO_CARD if up is None else up)
    assert game.progress(state).tolist() == [int(place == winner) for place in PLACES]


@rows("rules | cards | bid | won")
def test_points(row):
    text, *numbers, points = row
    k, bid, won = (jnp.uint32(int(number)) for number in numbers)
    assert int(score.seat_points(rules_of(text), bid, won, k)) == int(points)
