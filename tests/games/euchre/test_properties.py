"""Invariants of Euchre, over random deals of every preset and variation."""

import itertools

import numpy as np
import pytest
from support.marks import by_cost

from games.euchre.playout import (
    BATCH,
    Deals,
    engine_view,
    play,
    random_deals,
    random_record,
    word,
)
from games.euchre.reference import BIDDERS, CALL, PASS, effective_suit, up_card_place
from games.euchre.variants import RARE, VARIANTS, rules_of
from games.playout import bits

every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
EXCHANGE, PLAY = 5, 7


def phases(record) -> np.ndarray:
    return record["call"][:, :, 0]


def length(record, i: int) -> int:
    return int(np.argmax(record["terminated"][i]))


@pytest.mark.slow_after(1)
@every_variant
def test_1_legal_sets_are_never_empty(name):
    _, record = random_record(name)
    assert (record["mask"] != 0).all()
    assert (record["mask"][record["terminated"]] == 0xFFFFFFFF).all()


@every_variant
def test_2_cards_of_the_deck_are_in_one_place(name):
    """Seen through the reference, which moves cards from list to list, at random moments."""
    deals, record = random_record(name)
    rng = np.random.default_rng(2)
    for i in range(0, BATCH, 4):
        deal, stop = deals.reference(name, i), int(rng.integers(0, length(record, i) + 1))
        for action in record["action"][i, :stop].tolist():
            deal.step(action)
        places = [*deal.hands, *deal.discards.values(), deal.kitty, [c for _, c in deal.plays]]
        places += [] if deal.picked_up else [[deal.up_card]]
        places += [] if deal.took_dummy else [deal.dummy]
        assert sorted(itertools.chain(*places)) == sorted(deals.decks[i].tolist())


@every_variant
def test_3_active_seats_play_five_cards(name):
    _, record = random_record(name)
    for i in range(BATCH):
        active = bits(record["call"][i, -1, 6])
        played = [len(bits(cards)) for cards in record["played_by"][i, -1]]
        if record["call"][i, -1, 2] < 4:
            assert played == [5 * (seat in active) for seat in range(len(played))]
        out = len(played) - len(active)
        lone = record["call"][i, -1, 5] != 7
        alone = record["call"][i, -1, 4] == 1
        assert out <= 1 or (out == 2 and lone and alone) or record["call"][i, -1, 2] == 7


@every_variant
def test_4_five_tricks_or_a_void_deal(name):
    rules, (_, record) = rules_of(name), random_record(name)
    bidders = len(BIDDERS[rules.mode])
    for i in range(BATCH):
        tricks = int(record["table"][i, -1, 4])
        if tricks != 5:
            assert tricks == 0 and (record["points"][i, -1] == 0).all()
            if engine_view(record, i, length(record, i))["dealt_again"]:
                assert rules.farmers_hand and length(record, i) <= bidders
            else:
                assert not rules.stick_dealer and length(record, i) == 2 * bidders


@every_variant
def test_5_and_10_following_and_trump(name):
    deals, record = random_record(name)
    place = up_card_place(rules_of(name).mode)
    seen = 0
    for i in range(BATCH):
        trump, turned = int(record["call"][i, -1, 2]), int(deals.decks[i, place]) // 6
        if trump == 7:
            continue
        if turned < 4:
            assert (trump == turned) == bool(record["picked_up"][i, -1])
        lead = None
        for t in np.flatnonzero(phases(record)[i] == PLAY).tolist():
            card, hand = int(record["action"][i, t]), _hand(record, i, t)
            assert card in hand
            if int(record["table"][i, t, 0]) == 7:
                lead = effective_suit(card, trump)
            elif effective_suit(card, trump) != lead:
                seen += 1
                assert not any(effective_suit(c, trump) == lead for c in hand)
    assert seen > BATCH


def _hand(record, i: int, t: int) -> list[int]:
    """Return the hand of the seat to act, from what it plays later."""
    seat, final = int(record["call"][i, t, 1]), record["played_by"][i, -1]
    return bits(int(final[seat]) & ~int(record["played_by"][i, t, seat]))


@every_variant
def test_6_and_7_points(name):
    rules, (_, record) = rules_of(name), random_record(name)
    values = {value for field, value in vars(rules).items() if field.startswith("points_")}
    points, returns = record["points"][:, -1], record["returns"][:, -1]
    for i in range(BATCH):
        got = set(points[i].tolist()) - {0}
        void = record["call"][i, -1, 2] == 7
        assert (got == set()) if void else (len(got) == 1 and got <= values)
    if rules.mode in ("dummy_cutthroat", "cutthroat"):
        assert np.array_equal(points, returns)
    else:
        teams = np.array([0, 1, 0, 1] if rules.mode == "partners4" else [0, 1, 1])
        other = [int(np.argmax(teams != team)) for team in teams]
        assert np.array_equal(returns, points - points[:, other])


@pytest.mark.parametrize(
    "name", ["standard", "british", "three_handed", "three_handed_code", "dummy_partner", "house rules"]
)
@pytest.mark.parametrize("suits", [(1, 0, 3, 2), (2, 3, 0, 1), (3, 1, 2, 0), (0, 2, 1, 3)])
def test_8_relabelled_suits(name, suits):
    """Suit s becomes suits[s]; colours stay together."""
    assert all(suits[3 - s] == 3 - suits[s] for s in range(4))
    deals, record = random_record(name)
    new = np.array([*(6 * suits[c // 6] + c % 6 for c in range(24)), 24])
    actions = np.concatenate([new, [PASS], CALL + np.array(suits), [30, 31]])
    moved = Deals(new[deals.decks].astype(np.int32), deals.dealers)
    again = play(name, moved, actions[record["action"]])
    for key in ("player", "terminated", "progress", "points", "returns"):
        assert np.array_equal(again[key], record[key]), key
    for i in range(0, BATCH, 16):
        for t in range(length(record, i)):
            moved = word(actions[bits(record["mask"][i, t])].tolist())
            assert int(again["mask"][i, t]) == moved


@pytest.mark.parametrize("name", ["standard", "defend_alone", "british"])
def test_9_rotated_seats(name):
    deals, record = random_record(name)
    hands = np.roll(deals.decks[:, :20].reshape(BATCH, 4, 5), 1, axis=1).reshape(BATCH, 20)
    decks = np.concatenate([hands, deals.decks[:, 20:]], axis=1)
    turned = Deals(decks, (deals.dealers + 1) % 4)
    again = play(name, turned, record["action"])
    playing = ~record["terminated"]
    assert np.array_equal(again["mask"], record["mask"])
    assert np.array_equal(again["player"][playing], (record["player"][playing] + 1) % 4)
    for key in ("progress", "points", "returns", "hands", "discards", "played_by"):
        assert np.array_equal(again[key], np.roll(record[key], 1, axis=2)), key


def test_11_exchange():
    deals, record = random_record("three_handed")
    met = 0
    for i in range(BATCH):
        times = np.flatnonzero(phases(record)[i] == EXCHANGE)
        if len(times):
            met += 1
            assert len(times) == 5 and (record["call"][i, times, 1] == 0).all()
            assert len(bits(record["hands"][i, times[0], 0])) == 10
            assert len(bits(record["hands"][i, times[-1] + 1, 0])) == 5
    assert met > 10


@pytest.mark.parametrize("name", ["three_handed", "three_handed_code"])
def test_12_the_order_of_the_exchange_does_not_matter(name):
    deals, record = random_record(name)
    scripts = []
    for i in range(BATCH):
        actions = record["action"][i].tolist()
        times = np.flatnonzero(phases(record)[i] == EXCHANGE).tolist()
        if times:
            actions[times[0] : times[-1] + 1] = actions[times[0] : times[-1] + 1][::-1]
        scripts.append(actions)
    again = play(name, deals, scripts)
    assert not np.array_equal(again["action"], record["action"])
    for key in ("points", "returns", "progress", "played_by", "hands", "discards"):
        assert np.array_equal(again[key][:, -1], record[key][:, -1])


def test_a_blind_hand_is_hidden():
    """While the dealer names a suit blindly, its own cards do not show in what it sees."""
    deals = random_deals("british", 32, seed=6)
    decks = deals.decks.copy()
    for deck in decks:
        at = int(np.flatnonzero(deck == 24)[0])
        deck[[at, 20]] = deck[[20, at]]
    others = decks.copy()
    for deck, dealer in zip(others, deals.dealers.tolist(), strict=True):
        own, kitty = slice(5 * dealer, 5 * dealer + 4), slice(21, 25)
        deck[own], deck[kitty] = deck[kitty].copy(), deck[own].copy()
    first = play("british", Deals(decks, deals.dealers))
    second = play("british", Deals(others, deals.dealers))
    rows = np.arange(32), np.zeros(32, int), deals.dealers
    assert (phases(first)[:, 0] == 2).all()
    assert np.array_equal(first["observation"][rows], second["observation"][rows])
    assert np.array_equal(first["mask"][:, 0], second["mask"][:, 0])


def test_a_sitting_out_dealer_has_picked_up_and_discarded():
    deals, record = random_record("open_spiel")
    met = 0
    for i in range(BATCH):
        view = engine_view(record, i, length(record, i))
        dealer = int(deals.dealers[i])
        if view["picked_up"] and view["alone"] and dealer == (view["maker"] + 2) % 4:
            met += 1
            assert len(view["discards"][dealer]) == 1 and len(view["hands"][dealer]) == 5
    assert met
