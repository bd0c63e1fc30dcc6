"""Worked examples of the variations that published rules describe (docs/sheepshead.md, 8)."""

import jax
import jax.numpy as jnp
import pytest

import jaxcards
from games.sheepshead.lines import line_of
from games.sheepshead.longest import longest_deal
from games.sheepshead.playout import game_of
from games.sheepshead.reference import (
    ALONE,
    BLITZ,
    CRACK,
    PARTNER,
    PASS,
    PICK,
    RECRACK,
    card,
    cards,
)
from jaxcards import UserError
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.testing import check_game
from jaxcards.testing.deals import quick_jit
from jaxcards.view.text import LANGUAGES, Text


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"call_up": True}, "needs partner='jack_of_diamonds'"),
        ({"partner_recracks": True, "crack": True}, "needs recrack=True"),
        ({"blitz": True, "doubler_cap": 1024}, "at most 512"),
        ({"partner": "black_queens"}, "has no picker"),
        ({"partner": "black_queens", "num_players": 4, "crack": True}, "has no picker"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(wrong, reason):
    with pytest.raises(UserError, match=reason):
        SheepsheadRules(**wrong)


# Calling up (Wikipedia, "Jack of diamonds")


@pytest.mark.parametrize(
    ("hand", "jack"),
    [
        ("QC QS 9D 7C 8C 9H", "JD"),
        ("QC QS JD 7C 8C 9H", "JH"),
        ("QC QS JD JH 8C 9H", "JS"),
        ("QC QS JD JH JS 9H", "JC"),
        ("QC QS JD JS 8C 9H", "JH"),
    ],
)
def test_picker_calls_the_next_higher_jack_that_it_lacks(hand, jack):
    line = line_of("called_up_jack", {0: hand}, "7S 7H", 4, [PICK, PARTNER])
    assert line.legal(1) == [PARTNER, ALONE]
    assert line.deals[2].partner_card == card(jack)


def test_picker_with_all_jacks_plays_alone():
    line = line_of("called_up_jack", {0: "QC QS JD JH JS JC"}, "7S 7H", 4, [PICK])
    assert line.legal(1) == [ALONE]


def test_holder_of_the_jack_that_was_called_up_cannot_crack():
    hands = {0: "QC QS JD 7C 8C 9H", 1: "JH 9C TC KC AC 7D"}
    line = line_of("called_up_jack", hands, "7S 7H", 4, [PICK, PARTNER, *cards("7C 8C")])
    assert (line.player(4), line.legal(4)) == (1, [PASS])


# Doublers (sheepshead101.com, "Sheepshead Games")


@pytest.mark.parametrize(("same", "dealer"), [(True, 3), (False, 4)])
def test_the_same_player_may_deal_again_after_a_doubler(same, dealer):
    game = jaxcards.make("sheepshead/deepsheep_doubler", same_dealer=same)
    state = game.init_from_deck(list(range(32)), 3)
    for _ in range(5):
        state = game.step(state, PASS)
    following = game.next_deal(jax.random.key(0), state, jnp.zeros(5, jnp.int32))
    assert int(following.public.dealer) == dealer


# Cracking back (get61.com: "the picker or partner can crack back")


CRACKED = {0: "9S TS KS AS 7D 8D", 1: "9C 8C QH QD JC JS", 2: "AC 9H 8H 7H TH KH"}
UNTIL_CRACK = [PASS, PICK, PARTNER, *cards("AC QH QD"), PASS, CRACK]


def test_partner_cracks_back_after_the_picker_declines():
    line = line_of("blitz", CRACKED, "9D TD", 4, [*UNTIL_CRACK, PASS, RECRACK])
    assert [line.player(t) for t in (8, 9, 10)] == [1, 2, 0]
    assert line.legal(9) == [PASS, RECRACK]
    assert line.deals[10].observation(0)["partner"] == 2
    factor = 4
    assert max(map(abs, line.chips)) % factor == 0


def test_all_except_the_cracker_are_asked_to_crack_back():
    line = line_of("blitz", CRACKED, "9D TD", 4, [*UNTIL_CRACK, PASS, PASS, PASS, PASS])
    assert [line.player(t) for t in range(8, 13)] == [1, 2, 4, 0, 0]
    assert [line.legal(t) for t in (10, 11)] == [[PASS], [PASS]]
    assert line.deals[12].phase == "play" and not line.deals[12].recracked


# Blitz: alone 2 times, with a crack 4 times, and cracked back 8 times


BLACK = {1: "9C 8C QC QS JC JS", 2: "AC 9H 8H 7H TH KH"}


@pytest.mark.parametrize(
    ("actions", "factor"),
    [
        ([BLITZ, *cards("9D TD"), PASS, PASS, PASS], 2),
        ([BLITZ, *cards("9D TD"), PASS, CRACK, PASS, PASS, PASS, PASS], 4),
        ([BLITZ, *cards("9D TD"), PASS, CRACK, RECRACK], 8),
    ],
)
def test_blitz_of_the_picker_doubles_all_stakes(actions, factor):
    line = line_of("blitz", BLACK, "9D TD", 4, [PASS, PICK, PARTNER, card("AC"), *actions])
    assert BLITZ in line.legal(4) and BLITZ not in line.legal(5)
    assert not set(cards("QC QS")) & set(line.legal(5))
    end = line.deals[-1]
    assert end.blitzer == 1 and end.phase == "play"
    assert all(chip % factor == 0 for chip in line.chips)
    assert min(abs(chip) for chip in line.chips) <= 3 * factor


def test_blitz_of_an_opponent_is_a_crack_that_counts_double():
    hands = {1: "9C 8C QH QD JC JS", 2: "AC 9H 8H 7H TH KH", 3: "QC QS 7S 8S 9S TS"}
    actions = [PASS, PICK, PARTNER, *cards("AC 9D TD"), PASS, BLITZ]
    line = line_of("blitz", hands, "9D TD", 4, actions)
    assert line.legal(7) == [PASS, CRACK, BLITZ]
    assert (line.deals[-1].cracker, line.deals[-1].blitzer) == (3, 3)
    assert all(chip % 4 == 0 for chip in line.chips)


def test_unknown_queen_cannot_be_shown():
    hands = {0: "QD QS QH QC JC JS"}
    line = line_of("blitz", hands, "AS AC", 4, [PICK, PARTNER, *cards("AH QC")])
    assert BLITZ not in line.legal(4)


def test_view_of_a_blitz_names_stakes_and_reasons():
    game = game_of("blitz")
    step, deck = quick_jit(game.step), line_of("blitz", BLACK, "9D TD", 4, []).deals[0]
    hands = [number for hand in deck.hands for number in hand]
    state = game.init_from_deck([*hands, *deck.blind], 4)

    def after(*actions):
        nonlocal state
        for action in actions:
            state = step(state, jnp.int32(action))
        return game.view(state, int(state.current_player))

    view = after(PASS, PICK, PARTNER, card("AC"))
    assert Text("do.blitz") in [choice.text for choice in view.choices]
    view = after(BLITZ)
    assert Text("fact.stakes", times=2) in view.facts
    assert Text("said.blitz") in view.seats[1].calls
    kept = {choice.card: choice.forbidden for choice in view.choices if choice.forbidden}
    assert kept == dict.fromkeys(cards("QC QS"), Text("why.shown"))
    view = after(*cards("9D TD"), PASS, CRACK, PASS, PASS)
    assert Text("fact.stakes", times=4) in view.facts
    assert [choice.forbidden for choice in view.choices][1] == Text("why.not_picking")
    assert all(view.say(choice.text, language) for choice in view.choices for language in LANGUAGES)


# Four players with eight cards (Wikipedia, "Four-handed", 3 A)


@pytest.mark.parametrize(
    ("hands", "side"),
    [
        ({0: "QC 7C 8C 9C TC KC AC 7S", 2: "QS 7H 8H 9H TH KH AH 8S"}, [0, 2]),
        ({3: "QC QS 7C 8C 9C TC KC AC"}, [3]),
    ],
)
def test_black_queens_play_together_or_one_player_alone(hands, side):
    line = line_of("black_queens", hands, "", 3, [])
    assert (line.player(0), line.deals[0].phase) == (0, "play")
    game = game_of("black_queens")
    (end,) = line.record["chips"][:, -1].tolist()
    loses = {seat for seat in range(4) if (end[seat] < 0) == (end[side[0]] < 0)}
    assert loses == set(side) and sum(end) == 0
    assert game.max_steps == 32 and game.num_actions == 38


def test_black_queen_is_a_role_of_seats_that_showed_it():
    game = game_of("black_queens")
    deck = cards("QC 7C 8C 9C TC KC AC 7S") + [n for n in range(32) if n not in cards(
        "QC 7C 8C 9C TC KC AC 7S")]  # fmt: skip
    state = game.init_from_deck(deck, 3)
    roles = [seat.roles for seat in game.view_of(game.observe(state, 0)).seats]
    assert roles == [(Text("role.black_queen"),), (), (), ()]
    roles = [seat.roles for seat in game.view_of(game.observe(state, 1)).seats]
    assert all(role == () for seat, role in enumerate(roles) if seat != 1)
    state = game.step(state, card("QC"))
    roles = [seat.roles for seat in game.view_of(game.observe(state, 1)).seats]
    assert roles[0] == (Text("role.black_queen"),)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["called_up_jack", "blitz", "black_queens"])
def test_games_with_variations_keep_the_contract(variant):
    game = game_of(variant)
    check_game(game, num_deals=64, jaxpr_budget={"points": 620}, longest=longest_deal)
