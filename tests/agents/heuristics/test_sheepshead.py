"""The Sheepshead heuristic: legal, honest, sensible at the table, far better than chance."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agents.heuristics.tables import (
    against_random,
    check_acts_on_nothing_but_the_observation,
    filled,
    interval,
    replayed,
)
from games.sheepshead.playout import game_of
from games.sheepshead.variants import random_changes

import jaxcards
from jaxcards.agents.heuristics.sheepshead import bidding
from jaxcards.agents.heuristics.sheepshead import view as sheepshead_view
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead.play import DECK
from jaxcards.games.sheepshead.rules import PRESETS, SheepsheadRules
from jaxcards.testing.deals import quick_jit

DEALS = 512
PASS, PICK, PARTNER, ALONE, CRACK, RECRACK = range(32, 38)


def played(game):
    """Return returns of the heuristic (0) against random play (1), and whether all actions were legal.

    float[DEALS, tables, players] and bool[DEALS, tables]: the same deals with the player in every other
    seat, in the seats between, and in all.
    """
    odd = np.arange(game.num_players) % 2
    returns, legal, ended = against_random(game, [odd, 1 - odd, 0 * odd], DEALS)
    assert legal.all() and ended.all()
    return returns, odd


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*PRESETS, "called_up_jack", "blitz", "black_queens"])
def test_is_legal_and_beats_random_play_on_duplicate_deals(variant):
    returns, odd = played(game_of(variant))
    # Both seatings of a deal: what the same cards bring in the hands of the better player.
    own = returns[:, 0, odd == 0].sum(1) + returns[:, 1, odd == 1].sum(1)
    mean, width = interval(own / returns.shape[2])
    least = 0.2 if variant == "black_queens" else 0.4  # there the cards alone decide the sides
    assert mean - width > least, f"{mean:.2f} ± {width:.2f} chips per deal and seat"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_is_legal_in_any_combination_of_rules(seed):
    played(jaxcards.make("sheepshead", **random_changes(seed)))


def test_every_rule_set_has_thresholds():
    for players in (3, 4, 5, 6):
        for partner in ("none",) if players == 3 else ("none", "called_ace", "jack_of_diamonds"):
            for bump in (False, True):
                rules = SheepsheadRules(players, partner, double_on_bump=bump)
                found = bidding.limits_of(rules)
                assert len(found.pick) == players


# ---- Honesty ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_acts_on_nothing_but_the_observation():
    check_acts_on_nothing_but_the_observation(jaxcards.make("sheepshead/standard"), 256, least=150)


# ---- At the table -------------------------------------------------------------------------------


def answer(preset: str, dealer: int, hands: dict[int, str], actions: list[int | str]) -> str:
    """Return what the player to act does after the actions; hands[-1] is the blind."""
    rules = jaxcards.make(f"sheepshead/{preset}").rules
    sizes = [rules.hand_size] * rules.num_players + [rules.blind_size]
    places = [*range(rules.num_players), -1]
    given = [DECK.cards(hands[place]) if place in hands else [] for place in places]
    deck = filled(given, sizes, (5 * i % 32 for i in range(32)))
    numbers = [DECK.card(action) if isinstance(action, str) else action for action in actions]
    _, action = replayed(f"sheepshead/{preset}", deck, dealer, numbers)
    return DECK.name(action) if action < 32 else str(action)


@pytest.mark.parametrize(
    "why, hands, actions, action",
    [
        ("three queens and a jack", {0: "Qc Qs Qh Jc Ad 7h"}, [], PICK),
        ("five trumps with both black queens", {0: "Qc Qs Jh 9d 8d Ah"}, [], PICK),
        ("no trump at all", {0: "7c 8c Kh 9h 8s Ts"}, [], PASS),
        ("two low trumps", {0: "7c Kc Kh 9h 8d 7d"}, [], PASS),
        ("all queens and two jacks", {0: "Qc Qs Qh Qd Jc Js", -1: "Jd Ad"}, [PICK], ALONE),
        ("enough with a partner, too little alone",
         {0: "Qc Qs Jh 9d 8c Th", -1: "7s 7h"}, [PICK], PARTNER),
    ],
)  # fmt: skip
def test_picks_as_players_do(why, hands, actions, action):
    assert answer("standard", 4, hands, actions) == str(action), why


# Seat 0 leads and picks; its partner is the ace of clubs.
PICKER = {0: "Qc Qs Jc Jd 9c Th", -1: "Kh Ad"}
PICKED = [PICK, PARTNER, "Ac", "Th", "Kh"]


@pytest.mark.parametrize(
    "why, dealer, hands, actions, cards",
    [
        ("the ace is called of the suit that is short",
         4, {0: "Qc Qs Jc Jd 9c Ts", -1: "8s 7s"}, [PICK, PARTNER], "Ac"),
        ("points of a short suit are buried", 4, PICKER, PICKED[:3], "Th Kh"),
        ("and the suit is void then", 4, PICKER, PICKED[:4], "Kh"),
        ("the picker draws trumps", 4, PICKER, PICKED, "Qc Qs Jc Jd"),
        ("the partner gives its ten to the picker's queen",
         4, PICKER | {1: "7d", 2: "8d", 3: "9d", 4: "Ac 7c Ts 8s 7s 9h"},
         [*PICKED, "Qc", "7d", "8d", "9d"], "Ts"),
        ("a defender gives it nothing",
         4, PICKER | {1: "7d", 2: "8d", 3: "9d", 4: "As Ts 8s 7s 9h 8h"},
         [*PICKED, "Qc", "7d", "8d", "9d"], "8s 7s 9h 8h"),
        ("a defender leads the called suit",
         0, {1: "8c 7h 9h 8s Jh Td", 2: "Qc Qs Jc Jd 9c Th", -1: "Kh Ad"},
         [PASS, PICK, PARTNER, "Ac", "Th", "Kh"], "8c"),
        ("the partner leads a trump",
         4, {0: "Ac Jh Js 9d 7h 8s", 1: "Qc Qs Jc Jd 9c Th", -1: "Kh Ad"},
         [PASS, PICK, PARTNER, "Ac", "Th", "Kh"], "Jh Js 9d"),
        ("the picker takes a fat trick with a small trump",
         0, {1: "Ah 7s", 2: "9h 8s", 3: "8h 9s", 4: "Ts 7h", 0: "Qc Qs Jc Jd 9c Kh", -1: "Td Kc"},
         [PASS, PASS, PASS, PASS, PICK, PARTNER, "Ac", "Kh", "Kc", "Ah", "9h", "8h", "7h"], "Jd Td"),
        ("a defender spends no queen on a king that is probably their own",
         4, {0: "Kh", 1: "Qs Jc Jh 9d 9c Ts", 2: "8h", 3: "9h", 4: "Qc Qd 7c 7s 8s 9s", -1: "Ks 7h"},
         [PASS, PICK, PARTNER, "Ac", "Ks", "Ts", "Kh", "7h", "8h", "9h"], "7c 7s 8s 9s"),
        ("in a leaster the fat trick is left to somebody else",
         4, {0: "Th", 1: "Kh", 2: "7h", 3: "9h", 4: "Ah 8h"},
         [*[PASS] * 5, "Th", "Kh", "7h", "9h"], "8h"),
    ],
)  # fmt: skip
def test_plays_as_players_do(why, dealer, hands, actions, cards):
    assert answer("standard", dealer, hands, actions) in cards.split(), why


@pytest.mark.slow
def test_cracks_with_a_hand_that_would_have_picked():
    picked = [PASS, PASS, PASS, PICK, PARTNER, "Ac", "Th", "Kh"]
    seats = {3: "Qh Jc Jd 9d 9c Th", -1: "Kh Ad"}
    assert answer("standard_crack", 4, seats | {4: "Qc Qs Qd Js Jh Td"}, picked) == str(CRACK)
    assert answer("standard_crack", 4, seats | {4: "7h 8h 9h 7s 8s 7d"}, picked) == str(PASS)


# ---- The parts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trump_suit, spitz, highest", [(1, "none", "Qc Qs"), (1, "second", "Qc 7d"), (3, "top", "7s Qc")]
)
def test_which_cards_beat_a_card(trump_suit, spitz, highest):
    found = sheepshead_view.tables(trump_suit, spitz)
    above = {DECK.name(c): CardSet(DECK, [found.above[c]]).to_list() for c in range(32)}
    first, second = highest.split()
    assert above[first] == [] and above[second] == [DECK.card(first)]
    assert DECK.names(above["Kh"]) == "Th Ah" and DECK.names(above["Th"]) == "Ah"
    rules = SheepsheadRules(trump_suit=trump_suit, spitz=spitz)
    places = sheepshead_view.trump_places(rules)
    assert [len(above[DECK.name(card)]) for card in places] == list(range(14))


def test_a_hand_is_described_by_its_parts():
    hand = CardSet.of(DECK, DECK.cards("Qc Qd Js Jd Ad Ah 8h Ts")).words[0]
    found = bidding.parts(SheepsheadRules(), hand, jnp.bool_(True))
    names = [part.name for part in bidding.PARTS]
    described = {name: int(value) for name, value in zip(names, found, strict=True)}
    assert described == {
        "highest trump": 1, "second trump": 0, "third or fourth trump": 1, "fifth or sixth trump": 1,
        "seventh or eighth trump": 1, "lower trump": 1, "ace or ten of trumps": 1,
        "trump beyond the fourth": 1, "fail ace": 1, "fail ten": 1, "fail suit": 2, "first lead": 1,
    }  # fmt: skip


def test_who_may_be_the_partner():
    """Only those who may hold the called card, and rather those who lead trumps."""
    game = jaxcards.make("sheepshead/standard")
    hands = ["Jh 7h 8h 9h 7s 8s", "Qc Qs Jc Jd 9c Th", "Js 7d Tc Kc 9s Ks", "8d Qh 8c 7c As Ts"]
    deck = [card for hand in hands for card in DECK.cards(hand)]
    blind = DECK.cards("Kh Ad")
    deck += [card for card in range(32) if card not in deck and card not in blind] + blind
    state = game.init_from_deck(np.array(deck), np.uint32(4))
    said = [PASS, PICK, PARTNER, *DECK.cards("Ac Th Kh Jh")]

    @quick_jit
    def after(state, actions):
        state, _ = jax.lax.scan(lambda s, a: (game.step(s, a), None), state, actions)
        seen = game.observe(state, jnp.int32(2))
        view = sheepshead_view.view_of(game.rules, seen, seen.hand)
        return [seat.ally for seat in view.outlook.seats]

    allies = [float(a) for a in after(state, np.array(said, np.int32))]
    # From seat 2: seats 3 and 4, the leader, the picker.
    third, fourth, leader, picker = allies
    assert picker == 0
    assert leader < third == fourth
    assert sum(allies) == pytest.approx(2, abs=0.01)
