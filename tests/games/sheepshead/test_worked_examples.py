"""Worked examples of docs/sheepshead.md, by number, and recorded deals: reference and compiled game."""

import dataclasses

import jax.numpy as jnp
import pytest

from games.sheepshead import golden, positions, reference
from games.sheepshead.lines import Line, line_of
from games.sheepshead.playout import game_of
from games.sheepshead.reference import (
    ALONE,
    CRACK,
    PARTNER,
    PASS,
    PICK,
    RECRACK,
    card,
    cards,
)
from games.sheepshead.reference_deal import ReferenceDeal
from games.sheepshead.variants import rules_of
from jaxcards.cards.sets import CardSet
from jaxcards.games.sheepshead import calls, score
from jaxcards.games.sheepshead.play import DECK, trump_strengths

ALL_TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D"


def named(numbers) -> str:
    return " ".join(reference.name(number) for number in numbers)


# S1 to S3, S6 to S9: cards, tricks, legal cards


@pytest.mark.parametrize(
    ("variant", "order"),
    [
        ("deepsheep", ALL_TRUMPS),
        ("deepsheep_spitz", "QC 7D QS QH QD JC JS JH JD AD TD KD 9D 8D"),
        ("four_jd_spades", "7S QC QS QH QD JC JS JH JD AS TS KS 9S 8S"),
        ("deepsheep_clubs", "QC QS QH QD JC JS JH JD AC TC KC 9C 8C 7C"),
    ],
)
def test_s1_trump_order(variant, order):
    rules = rules_of(variant)
    assert named(reference.trump_order(rules)) == order
    strengths = trump_strengths(rules.trump_suit, rules.spitz)
    assert named(sorted(strengths, key=strengths.get, reverse=True)) == order


TRICKS = [  # variant, trick, place of the winner, called, unknown, played
    ("deepsheep", "AS TS 7D JS 7S", 3, "", "", ""),
    ("deepsheep", "9H TS AC KC 7S", 0, "", "", ""),
    ("deepsheep", "KC 8C TC 7C AS", 2, "", "", ""),
    ("deepsheep", "JD AD KD TD 9D", 0, "", "", ""),
    ("deepsheep", "QC AH TH 7H 8H", 1, "AH", "QC", ""),
    ("deepsheep", "QC 9S TC 7C 8S", 0, "AH", "QC", "AH"),
    ("standard", "AH TH 7H KH 8H", 1, "TH", "", ""),
    ("deepsheep", "AH TH 7H KH 8H", 0, "TH", "", ""),
    ("standard", "AH TH 7D KH 8H", 2, "TH", "", ""),
]


@pytest.mark.parametrize(("variant", "trick", "place", "called", "unknown", "played"), TRICKS)
def test_s2_s8_s9_tricks(variant, trick, place, called, unknown, played):
    given = {"called": called, "unknown": unknown, "played": played}
    assert positions.winner(variant, trick, **given) == place
    numbers = {name: card(text) for name, text in given.items() if text and name != "played"}
    assert reference.trick_winner(rules_of(variant), cards(trick), **numbers) == place


LEGAL = [  # variant, hand, led, role, called, unknown, played, legal
    ("deepsheep", "QS JS 7S 7C 9H 9S", "spades", "defender", "", "", "", "7S 9S"),
    ("deepsheep", "QS JH 7H 7C 9H 9D", "trump", "defender", "", "", "", "QS JH 9D"),
    ("deepsheep", "QS JS 7H 7C 9H 9C", "spades", "defender", "", "", "", "QS JS 7H 7C 9H 9C"),
    ("deepsheep", "AC 8C TC JC AD AS", "lead", "partner", "AC", "", "", "AC JC AD AS"),
    ("deepsheep", "AC 8C TC JC AD AS", "clubs", "partner", "AC", "", "", "AC"),
    ("deepsheep", "AC 8C JC", "hearts", "partner", "AC", "", "", "AC 8C JC"),
    ("standard", "AC 8C JC", "hearts", "partner", "AC", "", "", "8C JC"),
    ("standard", "AC", "hearts", "partner", "AC", "", "", "AC"),
    ("deepsheep", "AC", "lead", "partner", "AC", "", "", "AC"),
    ("deepsheep", "9S 8S 7S 9C QH QD", "hearts", "picker", "AC", "", "", "9S 8S 7S QH QD"),
    ("deepsheep", "9S 8S 7S 9C QH QD", "lead", "picker", "AC", "", "", "9S 8S 7S 9C QH QD"),
    ("deepsheep", "9S 8S 7S 9C QH QD", "clubs", "picker", "AC", "", "", "9C"),
    ("deepsheep", "9S 8S 7S 9C QH QD", "hearts", "picker", "AC", "", "AC", "9S 8S 7S 9C QH QD"),
    ("deepsheep", "9S 8C 9C", "hearts", "picker", "AC", "", "", "9S 8C 9C"),
    ("deepsheep", "8C AC AH 7C TC 7H", "spades", "picker", "AS", "8C", "", "8C"),
    ("deepsheep", "8C AC AH 7C TC 7H", "clubs", "picker", "AS", "8C", "", "AC 7C TC"),
    ("deepsheep", "8C AH 7H", "clubs", "picker", "AS", "8C", "", "AH 7H"),
    ("standard", "AH 7H QC", "hearts", "picker", "TH", "", "", "AH"),
    ("standard", "AH 7H QC", "lead", "picker", "TH", "", "", "AH QC"),
    ("standard", "AH 7H QC", "spades", "picker", "TH", "", "", "7H QC"),
    ("deepsheep", "AH 7H QC", "spades", "picker", "TH", "", "", "AH 7H QC"),
]


@pytest.mark.parametrize(
    ("variant", "hand", "led", "role", "called", "unknown", "played", "wanted"), LEGAL
)
def test_s3_s6_s7_s8_s9_legal_cards(variant, hand, led, role, called, unknown, played, wanted):
    given = {"led": led, "role": role, "called": called, "unknown": unknown, "played": played}
    assert positions.legal(variant, hand, **given) == set(cards(wanted))
    ledc = positions.CLASSES[led] if led != "lead" else None
    found = reference.play_choices(
        rules_of(variant),
        cards(hand),
        ledc,
        role,
        card(called) if called else None,
        bool(called) and called not in played.split(),
        card(unknown) if unknown else None,
    )
    assert set(found) == set(cards(wanted))


# S4, S5: calls and buries

CALLS = [  # changed rules, hand, callable, with an unknown
    ({}, "9H 8H 7H 9C 8C 8S AH AC", "AS", False),
    ({}, "9H 8H 7H 9C 8C 8S TH TC", "AC AH AS", False),
    ({}, "QD QS QH QC JC JS AS AC", "AH", True),
    ({}, "8S 9S 7S KS JC JD AS TS", "AC AH", True),
    ({"allow_unknown": False}, "8S 9S 7S KS JC JD AS TS", "", False),
    ({}, "AC AH AS TC QC QS JC JD", "TH TS", False),
    ({}, "AC AH AS TC TH TS QC QS", "KC KH KS", False),
    ({"call_fallback": "ten"}, "AC AH AS TC TH TS QC QS", "", False),
    ({"call_fallback": "none"}, "AC AH AS TC QC QS JC JD", "", False),
]


@pytest.mark.parametrize(("changes", "hand", "wanted", "unknown"), CALLS)
def test_s4_callable_cards(changes, hand, wanted, unknown):
    rules = dataclasses.replace(game_of("deepsheep").rules, **changes)
    word = sum(1 << number for number in cards(hand))
    found = int(calls.callable_cards(rules, jnp.uint32(word)))
    assert {number for number in range(32) if found >> number & 1} == set(cards(wanted))
    assert reference.callable_cards(rules, cards(hand)) == (sorted(cards(wanted)), unknown)


def test_s4_only_alone_where_nothing_can_be_called():
    line = line_of("standard", {0: "AC AH AS TC TH TS"}, "QC QS", 4, [PICK])
    assert line.legal(1) == [ALONE]


BURIES = [  # variant, hand, called, unknown, not allowed
    ("deepsheep", "QH JH 7D QC JC 8S AD 9D", "AS", "", "8S"),
    ("deepsheep", "QH JH 7D QC 9S 8S AD 9D", "AS", "", ""),
    ("deepsheep", "QH JH 7D QC 8S AD 9D", "AS", "", "8S"),  # after 9S: only the pair of both is out
    ("deepsheep", "QD QS QH QC JC JS AS AC", "AH", "JS", "JS"),
    ("deepsheep", "AC AH AS 7H QC QS JC JD", "TH", "", ""),
    ("standard", "AC AH AS 7H QC QS JC JD", "TH", "", "AH"),
]


@pytest.mark.parametrize(("variant", "hand", "called", "unknown", "banned"), BURIES)
def test_s5_bury(variant, hand, called, unknown, banned):
    wanted = set(cards(hand)) - set(cards(banned))
    assert positions.bury(variant, hand, called=called, unknown=unknown) == wanted
    number = card(unknown) if unknown else None
    found = reference.bury_choices(rules_of(variant), cards(hand), card(called), number)
    assert set(found) == wanted


# S10, S11: chips


@pytest.mark.parametrize(
    ("points", "tricks", "wanted"),
    [
        (120, 3, 2), (91, 3, 2), (90, 3, 1), (61, 3, 1), (60, 3, -1), (31, 3, -1), (30, 3, -2),
        (0, 3, -2), (120, 6, 3), (22, 0, -3),
    ],
)  # fmt: skip
def test_s10_magnitudes(points, tricks, wanted):
    rules = game_of("deepsheep").rules
    assert int(score.magnitude(rules, jnp.int32(points), jnp.int32(tricks))) == wanted
    assert reference.magnitude(points, tricks, 6) == wanted


CHIPS = [  # variant, picker, partner, magnitude, stakes, chips
    ("deepsheep", 0, 3, 1, 1, [2, -1, -1, 1, -1]),
    ("deepsheep", 0, None, 2, 1, [8, -2, -2, -2, -2]),
    ("deepsheep", 0, 3, -3, 1, [-6, 3, 3, -3, 3]),
    ("standard", 0, 3, -1, 1, [-4, 2, 2, -2, 2]),
    ("off_hook", 0, 3, -3, 1, [-9, 3, 3, 0, 3]),
    ("deepsheep_3p", 1, None, -2, 1, [2, -4, 2]),
    ("deepsheep_4p", 2, None, 3, 2, [-6, -6, 18, -6]),
    ("six_jd", 0, 5, 1, 1, [3, -1, -1, -1, -1, 1]),
    ("four_partner", 0, 1, 1, 4, [4, 4, -4, -4]),
]
SIDE = {3: (120, None), 2: (100, 3), 1: (70, 3), -1: (40, 3), -2: (20, 3), -3: (10, 0)}


@pytest.mark.parametrize(("variant", "picker", "partner", "m", "stakes", "wanted"), CHIPS)
def test_s10_chips(variant, picker, partner, m, stakes, wanted):
    changes = {}
    if variant == "off_hook":
        variant, changes = "deepsheep", {"partner_off_hook": True}
    rules = dataclasses.replace(game_of(variant).rules, **changes)
    n = rules.num_players
    points, tricks = SIDE[m]
    tricks = rules.hand_size if tricks is None else tricks
    state = game_of(variant).init_from_deck(list(range(32)), 0, stakes=stakes)
    jack = [DECK.card("JD")]
    hands = tuple(CardSet.of(DECK, jack if seat == partner else []) for seat in range(n))
    state = dataclasses.replace(state, hands=hands).with_public(
        picker=jnp.uint32(picker),
        called=jnp.uint32(jack[0] if partner is not None else 32) if rules.partner != "none" else None,
    )
    own = [points if seat == picker else 0 for seat in range(n)]
    won = [tricks if seat == picker else 0 for seat in range(n)]
    found = score.picked_chips(rules, state, list(map(jnp.int32, own)), list(map(jnp.int32, won)))
    assert [int(chips) for chips in found] == wanted
    assert reference.picked_chips(rules, picker, partner, m, stakes, tricks) == wanted


@pytest.mark.parametrize(
    ("totals", "tricks", "wanted"),
    [
        ([30, 10, 40, 0, 40], [2, 1, 2, 0, 1], [-1, 4, -1, -1, -1]),
        ([40, 10, 60, 10, 0], [2, 1, 2, 1, 0], [0] * 5),
        ([0, 0, 120, 0, 0], [0, 0, 6, 0, 0], [-1, -1, 4, -1, -1]),
    ],
)
def test_s11_leasters(totals, tricks, wanted):
    game = game_of("deepsheep")
    state = game.init_from_deck(list(range(32)), 0)
    found = score.leaster_chips(
        game.rules, state, list(map(jnp.int32, totals)), list(map(jnp.int32, tricks))
    )
    assert [int(chips) for chips in found] == wanted
    assert reference.leaster_chips(totals, tricks, 1) == wanted


# S12 to S17: courses of deals


def test_s12_a_picker_with_the_jack_of_diamonds():
    hands, blind = {0: "JD 9D 7C 8C QH QD"}, "QS QC"
    line = line_of("deepsheep_jd", hands, blind, 4, [PICK, ALONE])
    assert line.legal(1) == [ALONE]
    assert line.legal(2) == sorted(cards(hands[0]) + cards(blind))
    secret = line_of("standard_jd", hands, blind, 4, [PICK])
    assert secret.legal(1) == sorted(cards(hands[0]) + cards(blind))
    assert not secret.deals[1].announced_alone


def test_s13_the_partner_must_play_the_called_ace():
    hands = {0: "9D 7C 8C 9H QH QD", 1: "8S JS TH AC AD AS"}
    actions = [PICK, PARTNER, *cards("AC 9D 7C 8C")]
    line = line_of("deepsheep", hands, "QS QC", 4, actions)
    assert line.legal(2) == cards("AC AH")
    assert (line.player(6), line.legal(6)) == (1, cards("AC"))


def test_s14_an_unknown_card():
    hands = {0: "QD QS QH QC JC JS"}
    line = line_of("deepsheep", hands, "AS AC", 4, [PICK, PARTNER, *cards("AH JS")])
    assert line.legal(2) == cards("AH")
    assert len(line.legal(3)) == 8
    assert card("JS") not in line.legal(4) and len(line.legal(4)) == 7


def test_s15_nobody_picks():
    deck = list(range(32))
    leaster = Line("deepsheep", deck, 2, [PASS] * 5)
    assert leaster.player(5) == 3 and leaster.record["phase"][0, 5, 0] == 7
    void = Line("deepsheep_doubler", deck, 2, [PASS] * 5)
    assert void.deals[-1].terminated and bool(void.record["terminated"][0, 5])
    forced = Line("deepsheep_forced", deck, 2, [PASS] * 4)
    assert forced.legal(4) == [PICK]


def test_s15_stakes_of_the_next_deal():
    game = game_of("deepsheep_doubler")
    state = game.init_from_deck(list(range(32)), 0)
    stakes, multiplier, queue = [], 1, 0
    for _ in range(8):
        for _ in range(5):
            state = game.step(state, PASS)
        state = game.next_deal(jnp.array([0, 1], jnp.uint32), state, jnp.zeros(5, jnp.int32))
        wanted, multiplier, queue = reference.next_stakes(
            rules_of("deepsheep_doubler"), True, multiplier, queue
        )
        assert int(state.public.stakes) == wanted
        stakes.append(wanted)
    assert stakes == [2, 4, 8, 16, 32, 64, 64, 64]
    queued = game_of("six_jd").init_from_deck(list(range(32)), 0, queue=3)
    assert int(queued.public.stakes) == 2


def test_s16_cracking():
    hands = {1: "9C 8C QH QD JC JS", 2: "AC 9H 8H 7H TH KH"}
    actions = [PASS, PICK, PARTNER, *cards("AC QH QD"), PASS, CRACK, RECRACK]
    line = line_of("deepsheep_crack", hands, "7D 8D", 4, actions)
    assert [line.player(t) for t in (6, 7, 8, 9)] == [2, 3, 1, 0]
    assert [line.legal(t) for t in (6, 7, 8)] == [[PASS], [PASS, CRACK], [PASS, RECRACK]]
    quiet = line_of("deepsheep_crack", hands, "7D 8D", 4, [*actions[:6], PASS, PASS, PASS])
    assert [quiet.player(t) for t in (6, 7, 8, 9)] == [2, 3, 4, 0]


def test_s17_a_whole_deal():
    deck = golden.deck(263)
    plays = (
        "TS KS 7D 8D 9S  7C KC 9D AS TC  7H 7S AH AC TH  8H JH JC KH QD  AD 8C QS QH JD  KD 8S 9H TD 9C"
    )
    actions = [PASS, PICK, PARTNER, *cards("AH 7S JS QC"), *cards(plays)]
    line = Line("deepsheep", deck, 0, actions)
    assert line.legal(3) == cards("AC AH")
    assert set(line.legal(5)) == set(cards("QC TD QD AD JS KS AS"))
    start = len(actions) - 30
    assert set(line.legal(start + 1)) == set(cards("KS AS"))
    assert set(line.legal(start + 8)) == set(cards("TD QD AD AS"))
    assert line.legal(start + 11) == cards("7S") and line.legal(start + 12) == cards("AH")
    winners = line.record["winners"][0, -1, 0].tolist()
    assert winners == [4, 1, 3, 2, 4, 2]
    assert sum(line.record["progress"][0, -1]) == 115
    assert line.chips == [-1, -1, 2, 1, -1]


# The golden deals


@pytest.mark.slow_after(2)
@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row[0]} {row[1]}") for row in golden.rows()])
def test_golden_deals(row):
    variant, a, dealer, p, q, steps, outcome, buried, tricks, totals, side, mag, chips = row
    deck = golden.deck(int(a))
    deal = ReferenceDeal(rules_of(variant), deck, int(dealer))
    actions = []
    while not deal.terminated:
        legal = sorted(deal.legal())
        actions.append(legal[(int(p) * len(actions) + int(q)) % len(legal)])
        deal.step(actions[-1])
    line = Line(variant, deck, int(dealer), actions)
    assert len(actions) == int(steps)
    assert line.record["tricks"][0, -1].tolist() == golden.numbers(tricks)
    assert line.record["progress"][0, -1].tolist() == golden.numbers(totals) == deal.card_points()
    assert line.chips == golden.numbers(chips) == deal.chips()
    assert named(sorted(deal.buried)) == ("" if buried == "-" else named(sorted(cards(buried))))
    golden.check_outcome(deal, outcome)
    if side != "-":
        assert (deal.side_points(), deal.magnitude()) == (int(side), int(mag))
