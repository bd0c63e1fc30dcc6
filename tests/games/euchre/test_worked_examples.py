"""Worked examples of the rules in docs/euchre.md, by number: reference and compiled game."""

from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.euchre import examples, reference
from games.euchre.examples import E11, E11_DUMMY, E11_UP_CARD, deal, reach
from games.euchre.golden import GOLDEN
from games.euchre.playout import Line, engine_view, game_of, given_deals, play
from games.euchre.reference import ALONE, CALL, PASS, REDEAL, SUITS, TEAM, card, cards, partner
from games.euchre.variants import rules_of
from games.playout import bits
from games.rows import both, table
from jaxcards.games.euchre.play import DECK_WITH_JOKER, suit_and_strength

CALL_C, CALL_D, CALL_H, CALL_S = (CALL + suit for suit in range(4))


def engine_after(name: str, position) -> dict:
    """Return the compiled game's view after forced actions."""
    record = play(name, given_deals([position]), [position.actions])
    return engine_view(record, 0, len(position.actions))


@table(examples.ORDERS)
def test_order_of_trumps(row):
    _, trump, order = row
    trump = SUITS.index(trump)
    found = [
        int(suit_and_strength(DECK_WITH_JOKER, jnp.uint32(c), jnp.uint32(trump), jnp.uint32(0))[1])
        for c in cards(order)
    ]
    assert found == sorted(found, reverse=True) and len(set(found)) == len(found)
    other = [reference.strength(c, 0, trump) for c in cards(order)]
    assert other == sorted(other, reverse=True)


def test_effective_suits():
    """E1: `es(JD, H) = H`, `es(JD, S) = D`; and the same of every card under every trump."""
    assert reference.effective_suit(card("JD"), 2) == 2
    assert reference.effective_suit(card("JD"), 3) == 1
    for trump in range(4):
        for c in range(25):
            suit, _ = suit_and_strength(
                DECK_WITH_JOKER, jnp.uint32(c), jnp.uint32(trump), jnp.uint32(7)
            )
            assert int(suit) == reference.effective_suit(c, trump)


@table(examples.LEGAL)
def test_legal_cards(row):
    _, name, trump, on_table, hand, legal = row
    want = sorted(cards(legal))
    assert reference.legal_cards(cards(hand), cards(on_table), SUITS.index(trump)) == want
    now = engine_after(name, reach(trump, cards(on_table), cards(hand)))
    assert (now["seat"], now["legal"]) == (len(cards(on_table)), want)


@table(examples.TRICKS)
def test_tricks(row):
    _, name, trump, trick, place = row
    assert reference.trick_winner(cards(trick), SUITS.index(trump)) == int(place) - 1
    now = engine_after(name, reach(trump, cards(trick), []))
    assert (now["seat"], now["winners"]) == (int(place) - 1, [int(place) - 1])


@both
def test_e7_void_and_stuck(backend):
    given = deal(3, "|||", "AS")
    line = Line(backend, "standard", given, [PASS] * 8)
    assert (line[0]["player"], line[0]["legal"]) == (0, [PASS, CALL_S])
    assert (line[4]["phase"], line[4]["player"]) == ("BID2", 0)
    assert line[4]["legal"] == [PASS, CALL_C, CALL_D, CALL_H]
    assert (line[8]["phase"], line[8]["points"]) == ("DONE", [0] * 4)
    stuck = Line(backend, "stick_the_dealer", given, [PASS] * 7)
    assert (stuck.now["seat"], stuck.now["legal"]) == (3, [CALL_C, CALL_D, CALL_H])


@both
@pytest.mark.parametrize("name", ["standard", "open_spiel"])
def test_e8_discarding_the_up_card(name, backend):
    line = Line(backend, name, deal(3, "|||9S TS JS QS KS", "AS"), [CALL_S])
    legal = "9S TS JS QS KS AS" if name == "standard" else "9S TS JS QS KS"
    assert (line.now["phase"], line.now["player"], line.now["maker"]) == ("DISCARD", 3, 0)
    assert line.now["legal"] == cards(legal)
    assert sorted(line.now["hands"][3]) == cards("9S TS JS QS KS AS")


@both
def test_e9_sitting_out(backend):
    given = deal(0, "9C||| ", "AS")
    line = Line(backend, "open_spiel", given, [PASS, PASS, CALL_S, card("9C"), ALONE])
    assert line.now["active"] == [0, 2, 3]
    assert (line.now["phase"], line.now["seat"]) == ("PLAY", 2)


def finished(name: str, taken: int, alone: bool, lone: bool = False):
    """Return the reference's points, the game and a state of a deal in which seat 0 makes trumps."""
    rules = rules_of(name)
    one = SimpleNamespace(
        rules=rules,
        maker=0,
        winners=[0] * taken + [1] * (5 - taken),
        alone=alone,
        lone_defender=1 if lone else None,
        makers=lambda: {0, partner(rules.mode, 0)},
    )
    game = game_of(name)
    state = game.init_from_deck(np.arange(24), 1)
    winners = sum(winner << 2 * k for k, winner in enumerate(one.winners))
    changed = state.with_public(
        call=jnp.uint32(8 | 0 << 6 | alone << 11 | (1 if lone else 7) << 12),
        table=jnp.uint32(7 | 5 << 14 | winners << 17),
    )
    return list(reference.ReferenceDeal.side_points(one)), game, changed


@pytest.mark.parametrize("row", examples.POINTS, ids=" ".join)
def test_e10_points(row):
    taken, alone, lone, points = int(row[0]), row[1] == "yes", row[2] == "yes", row[3]
    want = [int(n) for n in points.split()]
    found, game, state = finished("open_spiel_lone_defender", taken, alone, lone)
    assert found == want
    assert game.points(state).tolist() == want * 2
    assert game.returns(state).tolist() == [want[0] - want[1], want[1] - want[0]] * 2


@pytest.mark.parametrize("row", examples.MORE_POINTS, ids=" ".join)
def test_e23_and_e24_points(row):
    name, taken, alone, points = row[0], int(row[1]), row[2] == "yes", row[3]
    want = [int(n) for n in points.split()]
    found, game, state = finished(name, taken, alone)
    assert found == want
    each = want * 2 if game.num_players == 4 else [want[0], want[1], want[1]]
    assert game.points(state).tolist() == each


def three_handed_deal(dealer: int) -> SimpleNamespace:
    return deal(dealer, E11, E11_UP_CARD, E11_DUMMY)


@both
def test_e11_taking_the_dummy(backend):
    laid_down = cards("9C TC 9H AC AS")
    played = [card("JH"), None, None, card("JD"), None, None, card("AH"), None, None]
    played += [card("KH"), None, None, card("TH"), None, None]
    opening = [CALL_H, card("9S"), TEAM, *laid_down]

    def choose(t, legal):
        if t < len(opening):
            return opening[t]
        wanted = played[t - len(opening)]
        return legal[0] if wanted is None else wanted

    line = Line(backend, "three_handed", three_handed_deal(2), choose)
    assert (line[1]["seat"], line[1]["legal"]) == (2, sorted(cards("9S TS JS QS KS QH")))
    assert (line[3]["phase"], len(line[3]["legal"])) == ("EXCHANGE", 10)
    assert line[8]["hands"][0] == sorted(cards("JH JD AH KH TH"))
    assert (line[8]["phase"], line[8]["seat"]) == ("PLAY", 0)
    assert (line.last["points"], line.last["returns"]) == ([2, 0, 0], [2, -2, -2])
    assert line.last["progress"] == [5, 0, 0]


@both
def test_e12_leaving_the_dummy(backend):
    line = Line(backend, "three_handed", three_handed_deal(2), [CALL_H, card("9S"), ALONE])
    assert (line.now["phase"], line.now["seat"]) == ("PLAY", 1)
    assert (line.now["active"], line.now["hands"][0]) == ([0, 1, 2], sorted(cards("9C TC JH AH KH")))


@both
def test_e13_alone_against_one(backend):
    actions = [PASS, PASS, PASS, CALL_D, ALONE, card("9C"), card("AD")]
    line = Line(backend, "three_handed", three_handed_deal(0), actions)
    assert (line[5]["seat"], line[5]["active"]) == (0, [0, 1])
    assert (line.now["seat"], line.now["winners"]) == (1, [1])


@both
def test_e14_partners_without_the_dummy(backend):
    line = Line(backend, "three_handed", three_handed_deal(0), [PASS] * 4 + [CALL_S, TEAM])
    assert (line.now["phase"], line.now["seat"]) == ("PLAY", 1)
    assert line.now["active"] == [0, 1, 2]
    taken = line.last["progress"][1]
    assert (line.last["points"] == [2, 0, 0]) == (taken <= 2)


@both
def test_e15_any_maker_takes_the_dummy(backend):
    line = Line(backend, "three_handed_code", three_handed_deal(0), [PASS] * 3 + [CALL_D, TEAM])
    assert (line.now["phase"], line.now["seat"]) == ("EXCHANGE", 1)
    assert line.now["hands"][1] == sorted(cards("9D TD QD KD AD") + cards(E11_DUMMY))
    one = SimpleNamespace(
        rules=rules_of("three_handed_code"), maker=1, winners=[0, 0, 1, 1, 2], alone=False,
        lone_defender=None, makers=lambda: {1},
    )  # fmt: skip
    assert reference.ReferenceDeal.side_points(one) == (0, 2)


@both
def test_e16_the_dummy_as_partner(backend):
    # The deal of E11 with the dummy's hand at seat 2.
    given = deal(0, f"9C TC JH AH KH | 9D TD QD KD AD | 9S TS JS QS KS | {E11_DUMMY}", "QH")
    order = Line(backend, "dummy_partner", given, [PASS, PASS])
    assert [order[t]["seat"] for t in range(3)] == [1, 3, 0]
    line = Line(backend, "dummy_partner", given, [PASS, PASS, CALL_H, card("9C"), TEAM, card("AD")])
    assert (line[5]["seat"], line[5]["player"]) == (1, 1)
    assert (line.now["seat"], line.now["player"]) == (2, 0)
    assert line.now["legal"] == cards("9S TS JS QS KS")


@both
def test_e17_defending_alone(backend):
    given = deal(3, "|||9C", "AS")
    start = [CALL_S, card("9C")]
    assert Line(backend, "defend_alone", given, [*start, TEAM]).now["phase"] == "PLAY"
    line = Line(backend, "defend_alone", given, [*start, ALONE, TEAM, ALONE])
    assert [(line[t]["phase"], line[t]["seat"]) for t in (3, 4)] == [("DEFEND", 1), ("DEFEND", 3)]
    assert (line.now["active"], line.now["seat"]) == ([0, 3], 0)


@both
def test_e18_naming_blindly(backend):
    given = deal(1, "|9C||", "JK")
    line = Line(backend, "british", given, [CALL_H])
    assert (line[0]["phase"], line[0]["seat"]) == ("NAME_BLIND", 1)
    assert (line[0]["legal"], line[0]["hands"][1]) == ([CALL_C, CALL_D, CALL_H, CALL_S], [])
    assert (line.now["phase"], line.now["maker"], line.now["seat"]) == ("DISCARD", 1, 1)
    assert card("JK") in line.now["hands"][1]


@both
def test_e21_the_canadian_loner(backend):
    """The rule of torontomike.com: the dealer's partner orders up, and must play alone."""
    given = deal(3, "||| 9C", "AS")
    by_partner = Line(backend, "house rules", given, [PASS, CALL_S, card("9C")])
    assert (by_partner.now["phase"], by_partner.now["legal"]) == ("ALONE", [ALONE])
    other = Line(backend, "house rules", given, [CALL_S, card("9C")])
    assert other.now["legal"] == [ALONE, TEAM]
    later = Line(backend, "house rules", given, [PASS] * 5 + [CALL_H])
    assert (later.now["maker"], later.now["legal"]) == (1, [ALONE, TEAM])


@both
def test_e22_a_farmers_hand(backend):
    """The rule of euchrelinks.com: all nines and tens, before the player passes."""
    given = deal(3, "| 9C TC 9D TD 9H ||", "AS")
    line = Line(backend, "house rules", given, [PASS, REDEAL])
    assert line[0]["legal"] == [PASS, CALL_S]
    assert line[1]["legal"] == [REDEAL, PASS, CALL_S]
    assert (line.now["phase"], line.now["dealt_again"], line.now["trump"]) == ("DONE", True, None)
    assert (line.now["points"], line.now["returns"]) == ([0] * 4, [0] * 4)
    assert REDEAL not in Line(backend, "house rules", given, [PASS] * 5).now["legal"]


def test_the_same_dealer_deals_again_after_a_farmers_hand():
    game = game_of("house rules")
    assert game.action_to_string(REDEAL) == "redeal"
    assert game_of("standard").action_to_string(REDEAL) == "JK"
    state = game.init_from_deck(np.arange(24), 3)
    for alone, dealer in ((1, 3), (0, 0)):
        over = state.with_public(call=jnp.uint32(8 | 7 << 6 | alone << 11 | 7 << 12))
        following = game.next_deal(jnp.zeros(2, jnp.uint32), over, jnp.zeros(4, jnp.int32))
        assert int(following.public.dealer) == dealer


@both
def test_e25_three_players_without_a_dummy(backend):
    given = SimpleNamespace(deck=cards(E11.replace("|", "")) + cards(E11_UP_CARD), dealer=2)
    given.deck += [c for c in range(24) if c not in given.deck]
    line = Line(backend, "cutthroat", given, [CALL_H, card("9S")])
    assert (line[1]["seat"], line[1]["legal"]) == (2, sorted(cards("9S TS JS QS KS QH")))
    assert (line.now["phase"], line.now["seat"], line.now["active"]) == ("PLAY", 0, [0, 1, 2])
    makers, others = (1, 0) if line.last["progress"][0] >= 3 else (0, 2)
    makers = 3 if line.last["progress"][0] == 5 else makers
    assert line.last["points"] == line.last["returns"] == [makers, others, others]


@pytest.mark.parametrize(
    "name, totals, winners",
    [
        ("standard", [10, 8, 10, 8], [0, 2]),
        ("standard", [9, 9, 9, 9], None),
        ("three_handed_code", [10, 7, 11], [2]),
        ("three_handed_code", [11, 7, 11], [0, 2]),
    ],
)
def test_e19_match(name, totals, winners):
    game = jaxcards.make(f"euchre/{name}")
    state = game.init_from_deck(np.arange(24), 0)
    over, won = game.match_over(state, jnp.array(totals), jnp.int32(5))
    assert bool(over) == (winners is not None)
    if winners is not None:
        assert np.flatnonzero(won).tolist() == winners


@both
def test_e20_a_full_deal(backend):
    golden = GOLDEN[0]
    line = Line(backend, golden.variant, golden, golden.choose)
    tricks = "2:QD 0:JC 1:TD 2:KD 0:KC 1:9D 2:AD 0:AS 1:JD 1:AC 2:KS 0:QC 1:QS 2:9H 0:TH"
    assert line.last["plays"] == [(int(play[0]), card(play[2:])) for play in tricks.split()]
    assert line.last["winners"] == [2, 2, 1, 1, 0]
    assert line.last["points"] == [0, 2, 2]


@pytest.mark.parametrize("golden", [pytest.param(g, id=g.id) for g in GOLDEN])
@both
def test_golden_deals(golden, backend):
    line = Line(backend, golden.variant, golden, golden.choose)
    last = line.last
    assert (len(line.actions), last["phase"]) == (golden.steps, "DONE")
    assert (last["trump"], last["maker"]) == (golden.trump, golden.maker)
    assert (last["alone"], last["lone_defender"]) == (golden.alone, golden.lone_defender)
    seats = len(golden.won)
    assert [last["winners"].count(seat) for seat in range(seats)] == golden.won
    assert last["points"] == golden.points
    assert (last["num_discarded"] == 5) == golden.took_dummy
    if golden.discard is not None:
        assert golden.discard in sum(last["discards"], [])


def test_views_are_of_the_engine():
    """A `Line` of the engine is one: its record has the legal words of the golden deal."""
    golden = GOLDEN[9]
    record = play(golden.variant, given_deals([golden]))
    assert bits(record["mask"][0, 0]) == Line("reference", golden.variant, golden, [])[0]["legal"]
