"""The Belote heuristic: always legal, honest, sensible at the table, far better than chance."""

import functools

import jax.numpy as jnp
import numpy as np
import pytest
from agents.heuristics.tables import (
    against_random,
    check_acts_on_nothing_but_the_observation,
    interval,
    replayed,
)

import jaxcards
from jaxcards.agents.heuristics.belote import bidding, view
from jaxcards.games.belote.calls import BID, NAME, PASS
from jaxcards.games.belote.play import ALL_TRUMP, DECK, NO_TRUMP
from jaxcards.games.belote.rules import PRESETS
from jaxcards.testing.deals import quick_jit

DEALS = 512

COINCHE = 97

# Points per deal; against random bids of contracts there is much to win by doubling.
AT_LEAST = {"contree": 300, "coinche": 300, "coinche_nt_at": 300}


@functools.cache
def played(preset: str, **changes):
    """Return returns of the heuristic (0) against random play (1), and whether all actions were legal.

    float[DEALS, 2, 4] and bool[DEALS, 2]: the same deals as seats 0 and 2, and as 1 and 3.
    """
    game = jaxcards.make(f"belote/{preset}", **changes)
    return against_random(game, [[0, 1, 0, 1], [1, 0, 1, 0]], DEALS)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_is_legal_and_beats_random_play_on_duplicate_deals(preset):
    returns, legal, ended = played(preset)
    assert legal.all() and ended.all()
    # Both seatings of a deal: what is won with the same cards by playing better.
    mean, width = interval((returns[:, 0, 0] - returns[:, 1, 0]) / 2)
    least = AT_LEAST.get(preset, 60)
    assert mean - width > least, f"{mean:.1f} ± {width:.1f} points per deal"


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset, changes",
    [
        ("bela", {"all_pass": "forehand_must", "belote": False}),
        ("bela", {"all_pass": "void", "declarations": False, "partner_exempt": True}),
        ("belote_501", {"all_pass": "dealer_must", "overtake_plain": True, "undertrump": "free"}),
        ("coinche_nt_at", {"undertrump": "forced", "partner_exempt": False, "tie": "make"}),
        ("contree", {"belote": False, "modes_nt_at": True, "decl_reveal": "before_play"}),
    ],
)
def test_rules_that_no_preset_has(preset, changes):
    returns, legal, ended = played(preset, **changes)
    assert legal.all() and ended.all()
    assert (returns[:, 0, 0] - returns[:, 1, 0]).mean() / 2 > 40


# ---- Honesty ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["belote_501", "coinche"])
def test_acts_on_nothing_but_the_observation(preset):
    check_acts_on_nothing_but_the_observation(jaxcards.make(f"belote/{preset}"), DEALS, least=60)


# ---- At the table -------------------------------------------------------------------------------

SIZES = {"bela": (6, 2), "belote_classic": (5,), "contree": (8,), "coinche_nt_at": (8,)}


def deal(preset: str, hands: dict[int, str], turned: str = "") -> list[int]:
    """Return a deck in which the seats are dealt these cards, seat 0 first; the rest is filled up.

    The first cards of a hand are seen during the auction.
    """
    given = {seat: DECK.cards(hands.get(seat, "")) if hands.get(seat) else [] for seat in range(4)}
    turn_up = DECK.cards(turned) if turned else []
    used = {card for cards in given.values() for card in cards} | set(turn_up)
    rest = [card * 11 % 32 for card in range(32) if card * 11 % 32 not in used]
    deck = []
    for size in SIZES[preset]:
        for seat in range(4):
            own, given[seat] = given[seat][:size], given[seat][size:]
            deck += own + [rest.pop() for _ in range(size - len(own))]
    deck += turn_up
    return deck + rest


def answer(preset: str, hands: dict[int, str], actions: list[int | str], turned: str = "") -> str:
    """Return the choice of the player to act after the actions, from seat 0 on."""
    numbers = [DECK.card(action) if isinstance(action, str) else action for action in actions]
    _, action = replayed(f"belote/{preset}", deal(preset, hands, turned), 3, numbers)
    return DECK.name(action) if action < 32 else str(action)


def bid(value: int, mode: int) -> int:
    return BID + 6 * (value - 80) // 10 + mode


DIAMONDS, HEARTS, SPADES, CLUBS = range(4)


@pytest.mark.parametrize(
    "hand, passes, action",
    [
        ("Jd 9d Ad Ac 7h 8s", 0, NAME + DIAMONDS),
        ("Js 9s Ts Ah Th 7c", 0, NAME + SPADES),
        ("7d 8d Qh Kc Ts 8c", 0, PASS),
        ("9d 7d Qh 7h Ks 8c", 1, PASS),
        ("7d 8d Qh Kc Js 8s", 3, NAME + SPADES),  # the dealer must
        ("Jh 7h 8d 9s Qc 7c", 3, NAME + HEARTS),
    ],
)
def test_names_trumps_as_players_do(hand, passes, action):
    assert answer("bela", {passes: hand}, [PASS] * passes) == str(action)


@pytest.mark.parametrize(
    "hand, turned, passes, action",
    [
        ("9d Ad 7d Ac 7h", "Jd", 0, NAME + DIAMONDS),
        ("7s 8s Qh Kc Tc", "Jd", 0, PASS),
        ("Js 9s As Ah 7d", "8d", 4, NAME + SPADES),
        ("7s 8s Qh Kc Tc", "8d", 4, PASS),
    ],
)
@pytest.mark.slow
def test_takes_the_card_turned_up_as_players_do(hand, turned, passes, action):
    assert answer("belote_classic", {passes % 4: hand}, [PASS] * passes, turned) == str(action)


@pytest.mark.slow
def test_bids_more_with_a_better_hand():
    hands = ["7d 8h Qh 8s Qs 7c 8c Tc", "Jd 9d 7d Ah 8h 7s 8s 7c", "Jd 9d Ad Td Kd Ah As 7c"]
    poor, fair, rich = (int(answer("coinche_nt_at", {0: hand}, [])) for hand in hands)
    assert poor == PASS
    assert BID <= fair < rich < COINCHE and (fair - BID) % 6 == (rich - BID) % 6 == DIAMONDS


@pytest.mark.slow
def test_bids_no_trump_and_all_trump():
    aces = int(answer("coinche_nt_at", {0: "Ad Td Ah Th As Ts Ac 7c"}, []))
    assert aces >= BID and (aces - BID) % 6 == NO_TRUMP
    jacks = int(answer("coinche_nt_at", {0: "Jd 9d Jh 9h Js 9s Jc Ac"}, []))
    assert jacks >= BID and (jacks - BID) % 6 == ALL_TRUMP


def test_raises_the_partner_and_doubles_opponents():
    partner = [bid(80, DIAMONDS), PASS]
    with_help = int(answer("coinche_nt_at", {2: "9d Ad 7d Ah Th As Ts Ac"}, partner))
    assert bid(90, DIAMONDS) <= with_help < COINCHE
    assert answer("coinche_nt_at", {2: "7h 8h Qs 8s Js 7c 8c Qc"}, partner) == str(PASS)
    strong = "Jd 9d Ad 8d 7d Ah As Ac"
    assert answer("coinche_nt_at", {1: strong}, [bid(140, DIAMONDS)]) == str(COINCHE)
    weak = "7h 8h Qs 8s Js 7c 8c Qc"
    assert answer("coinche_nt_at", {1: weak}, [bid(80, DIAMONDS)]) == str(PASS)


NAME_CLUBS = NAME + CLUBS


@pytest.mark.parametrize(
    "why, hands, actions, card",
    [
        ("the taker draws trumps with the jack",
         {0: "Jc Tc 7c 8d Qd 8h 7s 8c"}, [NAME_CLUBS], "Jc"),
        ("the last player ruffs with the cheapest trump",
         {0: "Ah 7d", 1: "7h", 2: "8h", 3: "7c Jc 9c 8d 9d Jd 8s 9s"},
         [PASS, NAME_CLUBS, "Ah", "7h", "8h"], "7c"),
        ("nothing goes into the opponents' trick",
         {0: "Ah 7d", 1: "8h", 2: "9h", 3: "Th Kh 7h 8d 9d Jd 8s 9s"},
         [PASS, NAME_CLUBS, "Ah", "8h", "9h"], "7h"),
        ("the ten goes into the partner's trick",
         {0: "9h Kd", 1: "Ah 8d", 2: "8h 7d", 3: "Th Jh Qh 8c 7s 8s 9s 9d"},
         [PASS, NAME_CLUBS, "9h", "Ah", "8h"], "Th"),
    ],
)  # fmt: skip
def test_plays_as_players_do(why, hands, actions, card):
    assert answer("bela", hands, actions) == card, why


@pytest.mark.parametrize(
    "why, hands, actions, card",
    [
        ("an ace is cashed before it is ruffed",
         {0: "Ah 8h 7d 9d 7s 8s 9s Qs"}, [PASS, bid(80, CLUBS), PASS, PASS, PASS], "Ah"),
        ("the partner's ace is not ruffed, a ten goes with it",
         {0: "7h 8h", 1: "Ah Kh", 2: "9h Jh", 3: "7c 9c 7d 8d Td Qd 7s 8s"},
         [PASS, bid(80, CLUBS), PASS, PASS, PASS, "7h", "Ah", "9h"], "Td"),
        ("the taker draws trumps with the jack",
         {0: "Jc Ac 8c 7c Qc Ah As 7d"}, [bid(120, CLUBS), PASS, PASS, PASS], "Jc"),
    ],
)  # fmt: skip
def test_plays_at_contracts_as_players_do(why, hands, actions, card):
    assert answer("coinche_nt_at", hands, actions) == card, why


# ---- The parts ----------------------------------------------------------------------------------


def test_who_took_the_card_turned_up_is_known():
    """Everybody knows who took the card that was turned up."""
    game = jaxcards.make("belote/belote_501")
    deck = deal("belote_classic", {0: "7h 8h 9h Ts Qs"}, "Jd")

    def known(deck):
        state = game.init_from_deck(deck, 3)
        state = game.step(game.step(state, PASS), NAME + DIAMONDS)
        seen = game.observe(state, state.current_player)
        return [view.known_cards(seen, jnp.uint32(seat)) for seat in (1, 2)]

    taker, other = quick_jit(known)(np.array(deck))
    assert DECK.names(taker.to_list()) == "Jd" and other.to_list() == []


def test_last_bids_are_found_in_the_auction():
    game = jaxcards.make("belote/coinche_nt_at")
    calls = [bid(80, HEARTS), PASS, bid(90, HEARTS), bid(100, NO_TRUMP), PASS, PASS]

    def found(deck):
        state = game.init_from_deck(deck, 3)
        for action in calls:
            state = game.step(state, action)
        return bidding.last_bids(game.rules, game.observe(state, state.current_player))

    mine, partner, others = quick_jit(found)(np.arange(32))
    assert (bool(mine.made), int(mine.level), int(mine.mode)) == (True, 1, HEARTS)
    assert (bool(partner.made), int(partner.level), int(partner.mode)) == (True, 0, HEARTS)
    assert (bool(others.made), int(others.level), int(others.mode)) == (True, 2, NO_TRUMP)


@pytest.mark.slow
def test_suits_led_are_told_by_side():
    game = jaxcards.make("belote/bela")
    hands = {0: "Ah Kd 7d 7s", 1: "7h", 2: "8h", 3: "9h"}
    deck = np.array(deal("bela", hands))

    def led(deck):
        state = game.step(game.init_from_deck(deck, 3), NAME + CLUBS)
        for name in ("Ah", "7h", "8h", "9h", "Kd"):
            state = game.step(state, DECK.card(name))
        return [view.suits_led(game.observe(state, jnp.int32(seat))) for seat in range(4)]

    found = [[int(word) for word in words] for words in quick_jit(led)(deck)]
    both = 1 << HEARTS | 1 << DIAMONDS
    assert found == [[0, 0], [0, both], [both, 0], [0, both]]
