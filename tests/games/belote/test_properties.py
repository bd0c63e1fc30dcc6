"""Properties of every deal, over random deals of all three auctions."""

from dataclasses import replace

import numpy as np
import pytest
from support.marks import by_cost

from games.belote.playout import play, random_record
from games.belote.reference import AT, BID, COINCHE, NAME, PASS, legal_cards
from games.belote.variants import rules_of

VARIANTS = ["bela", "void_bela", "turnup_must", "hard_contract"]
every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, VARIANTS[1:]))


def plays(name: str):
    """(deal, time, mode, table, hand, legal, card) of every card played, without the reference."""
    _, record = random_record(name)
    for i in range(len(record["mode"])):
        table: list[int] = []
        for t in np.flatnonzero((record["mode"][i] < 6) & ~record["terminated"][i]).tolist():
            player, card = int(record["player"][i, t]), int(record["action"][i, t])
            hand = set(np.flatnonzero(record["hands"][i, t, player]).tolist())
            legal = set(np.flatnonzero(record["mask"][i, t]).tolist())
            yield i, t, int(record["mode"][i, t]), list(table), hand, legal, card
            table = [*table, card] if len(table) < 3 else []


@every_variant
def test_1_and_4_legal_sets(name):
    for _, _, _, table, hand, legal, _ in plays(name):
        assert legal and legal <= hand
        if not table:
            assert legal == hand
        elif any(c // 8 != table[0] // 8 for c in legal):
            assert all(c // 8 != table[0] // 8 for c in hand)


@every_variant
def test_2_and_3_tricks(name):
    _, record = random_record(name)
    cards: dict[int, list[int]] = {}
    for i, t, mode, table, hand, _, card in plays(name):
        played = cards.setdefault(i, [])
        assert len(hand) == 8 - len(played) // 4 and card not in played
        played.append(card)
        if len(table) == 3:
            gain = record["progress"][i, t + 1] - record["progress"][i, t]
            assert gain[0] == gain[2] and gain[1] == gain[3] and gain.min() == 0
            assert gain.max() <= (65 if mode < 4 else 85)
            if len(played) < 32 and gain.any():
                assert gain[record["player"][i, t + 1]] == gain.max()
    whole = [i for i, played in cards.items() if len(played) == 32]
    assert len(whole) > 100
    assert (record["progress"][whole, -1, :2].sum(axis=1) == 162).all()


@pytest.mark.slow
def test_5_stricter_rules_leave_fewer_cards():
    """On the positions of one record, by the reference, which the game is compared with elsewhere."""
    fields = (("overtake_plain", True), ("undertrump", "forced"), ("partner_exempt", False))
    fewer = dict.fromkeys(dict(fields), 0)
    for name in ("void_bela", "hard_contract"):
        for _, _, mode, table, hand, _, _ in plays(name):
            for field, strict in fields:
                loose = {True: False, False: True, "forced": "free"}[strict]
                sets = []
                for value in (strict, loose):
                    rules = rules_of(name)
                    setattr(rules, field, value)
                    sets.append(set(legal_cards(rules, mode, table, sorted(hand))))
                assert sets[0] <= sets[1]
                fewer[field] += sets[0] < sets[1]
    assert min(fewer.values()) > 0


@every_variant
def test_6_and_7_scores_add_up(name):
    deals, record = random_record(name)
    rules, outcomes = rules_of(name), set()
    for i in range(0, len(deals), 2):
        deal = deals.reference(name, i)
        for action in record["action"][i].tolist():
            if not deal.terminated:
                deal.step(action)
        if deal.void or deal.straight_team is not None:
            continue
        assert min(deal.decl_points) == 0 and all(p % 10 == 0 for p in deal.decl_points)
        belote = sum(deal.belote_points())
        assert belote in ((0, 20) if deal.mode < 4 else (0, 20, 40, 60, 80))
        outcomes.add(deal.outcome()[1])
        if rules.auction != "contract" and rules.rounding == 1 and 8 not in deal.tricks_won():
            score, carry = record["points"][i, -1, :2].sum(), record["carry"][i, -1]
            assert score + carry == 162 + sum(deal.decl_points) + belote + deal.carry_in
    assert {"made", "failed"} <= outcomes


@every_variant
def test_8_who_fails_gets_nothing(name):
    """Without `belote_safe`: a bidding side with fewer points than the other scores none."""
    rules, (_, record) = rules_of(name), random_record(name)
    assert not rules.belote_safe
    points, bidder = record["points"][:, -1], record["bidder"][:, -1]
    played = np.flatnonzero((bidder < 4) & (record["progress"][:, -1, :2].sum(axis=1) == 162))
    own = points[played, bidder[played]]
    other = points[played, (bidder[played] + 1) % 4]
    assert ((own >= other) | (own == 0)).all() or rules.auction == "contract"
    assert (own == 0).any() and (own > 0).any()


SUITS = (2, 0, 3, 1)  # suit s becomes SUITS[s]


def relabelled(number: int) -> int:
    """Return a card or call after the suits have been renamed."""
    if number < 32:
        return 8 * SUITS[number // 8] + number % 8
    if NAME <= number < BID:
        return NAME + SUITS[number - NAME]
    if BID <= number < COINCHE:
        level, mode = divmod(number - BID, 6)
        return BID + 6 * level + (SUITS[mode] if mode < 4 else mode)
    return number


@every_variant
def test_9_suits_are_interchangeable(name):
    deals, record = random_record(name)
    table = np.array([relabelled(number) for number in range(99)])
    decks = table[deals.decks].astype(np.int32)
    again = play(name, replace(deals, decks=decks), table[record["action"]].tolist())
    for key in ("player", "terminated", "progress", "points", "announced", "bidder", "carry"):
        assert np.array_equal(again[key], record[key]), key
    actions = record["mask"].shape[-1]
    assert np.array_equal(again["mask"][..., table[:actions]], record["mask"])
    for key in ("shown", "belote", "lacks"):
        assert np.array_equal(again[key][..., table[:32]], record[key]), key


@every_variant
@pytest.mark.parametrize("turns", [1, 2])
def test_10_rotated_seats(name, turns):
    deals, record = random_record(name)
    turned = replace(deals, dealers=(deals.dealers + turns) % 4)
    again = play(name, turned, record["action"].tolist())
    going = ~record["terminated"]
    assert np.array_equal(again["player"][going], ((record["player"] + turns) % 4)[going])
    for key in ("mask", "terminated", "mode", "carry"):
        assert np.array_equal(again[key], record[key]), key
    for key in ("progress", "points", "returns", "announced", "shown", "belote", "lacks", "planes"):
        assert np.array_equal(again[key], np.roll(record[key], turns, axis=2)), key


@every_variant
def test_12_what_is_shown_is_held_or_played(name):
    deals, record = random_record(name)
    seen = 0
    for i in range(len(deals)):
        played = np.zeros((4, 32), bool)
        for t in np.flatnonzero(record["mode"][i] < 6).tolist():
            held = record["hands"][i, t]
            assert (record["shown"][i, t] <= held | played).all()
            assert (record["belote"][i, t] <= held | played).all()
            assert not (record["lacks"][i, t] & held).any()
            seen += record["shown"][i, t].any()
            if not record["terminated"][i, t]:
                played[record["player"][i, t], record["action"][i, t]] = True
    assert seen > 100


@every_variant
def test_14_auctions(name):
    _, record = random_record(name)
    longest = {"bela": 4, "turnup": 8, "contract": 37}[rules_of(name).auction]
    for i in range(len(record["mode"])):
        calls = record["action"][i][(record["mode"][i] == 6) & ~record["terminated"][i]].tolist()
        assert 1 <= len(calls) <= longest
        levels = [(call - BID) // 6 for call in calls if BID <= call < COINCHE]
        assert levels == sorted(set(levels))
        if rules_of(name).auction != "contract":
            assert all(call == PASS for call in calls[:-1])
    if name == "hard_contract":
        assert AT in record["mode"]
