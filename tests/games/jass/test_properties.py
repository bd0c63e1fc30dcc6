"""Properties of every deal, over random deals of every preset and variation."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from support.marks import by_cost

from games.jass.playout import BATCH, Deals, game_of, play, random_deals, random_record
from games.jass.reference import (
    JACK,
    OBENABE,
    UNDENUFE,
    mode_of_trick,
    rank,
    strength,
    suit,
)
from games.jass.variants import RARE, VARIANTS, rules_of

every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
schieber_variants = pytest.mark.parametrize(
    "name", by_cost([v for v in VARIANTS if rules_of(v).game == "schieber"], RARE)
)


class Play(NamedTuple):
    """One decision about a card."""

    deal: int
    time: int
    mode: int
    table: list[int]
    hand: set[int]
    legal: set[int]
    card: int


class Round(NamedTuple):
    """The cards of one deal: `start` is the time of the first."""

    start: int
    mode: int
    plays: list[Play]


@cache
def rounds(name: str) -> list[Round]:
    """Return the random deals of a variant, taken apart without the reference."""
    deals, record = random_record(name)
    alone = rules_of(name).game == "differenzler"
    found = []
    for i in range(len(deals)):
        dealer, deck = int(deals.dealers[i]), deals.decks[i].tolist()
        hands = {(dealer + 1 + k) % 4: set(deck[9 * k : 9 * k + 9]) for k in range(4)}
        actions, over = record["action"][i].tolist(), record["terminated"][i]
        start = 4 if alone else 2 if actions[0] == 42 else 1
        chosen = actions[start - 1]
        mode = int(deals.modes[i]) if alone else chosen - 36 if chosen < 42 else chosen - 37
        plays, table = [], []
        for t in range(start, len(actions)):
            if over[t]:
                break
            hand = hands[int(record["player"][i, t])]
            legal = set(np.flatnonzero(record["mask"][i, t]).tolist())
            plays.append(Play(i, t, mode, list(table), set(hand), legal, actions[t]))
            hand.remove(actions[t])
            table = [*table, actions[t]] if len(table) < 3 else []
        found.append(Round(start, mode, plays))
    return found


def all_plays(name: str):
    return (p for r in rounds(name) for p in r.plays)


@pytest.mark.slow_after(1)
@every_variant
def test_1_legal_sets(name):
    for p in all_plays(name):
        assert p.legal
        assert p.legal <= p.hand
        if not p.table:
            assert p.legal == p.hand


@every_variant
def test_2_tricks(name):
    deals, record = random_record(name)
    rules = rules_of(name)
    for i, r in enumerate(rounds(name)):
        played = [p.card for p in r.plays]
        assert len(set(played)) == len(played)
        assert len(played) % 4 == 0
        for number, at in enumerate(range(0, len(played), 4), start=1):
            t, trick = r.plays[at].time, played[at : at + 4]
            seats = record["player"][i, t : t + 4]
            assert [(int(seats[0]) + k) % 4 for k in range(4)] == seats.tolist()
            mode = mode_of_trick(r.mode, number, rules.guschti)
            best = max(trick, key=lambda c: _beats(c, trick[0], mode))
            winner = int(seats[trick.index(best)])
            if at + 4 < len(played):
                assert record["player"][i, t + 4] == winner
            gain = record["progress"][i, t + 4] - record["progress"][i, t]
            assert gain[winner] == gain.max()
        final = record["progress"][i, -1]
        if len(played) == 36:
            assert (final.sum() if rules.game == "differenzler" else final[:2].sum()) == 157
        else:
            assert rules.finish == "immediate"


def _beats(c: int, led: int, mode: int) -> tuple[int, int]:
    """Larger for a card that beats another of the same trick; `mode` is the trick's."""
    kind = 2 if suit(c) == mode else 1 if suit(c) == suit(led) else 0
    return kind, strength(c, mode)


@every_variant
def test_3_discarding_means_void(name):
    for p in all_plays(name):
        if not p.table:
            continue
        led = suit(p.table[0])
        if any(suit(c) != led and suit(c) != p.mode for c in p.legal):
            held = {c for c in p.hand if suit(c) == led}
            assert held <= ({9 * led + JACK} if led == p.mode else set())


@every_variant
def test_4_following(name):
    for p in all_plays(name):
        led = suit(p.table[0]) if p.table else p.mode
        if led == p.mode or not any(suit(c) == led for c in p.hand):
            continue
        ruffs = [strength(c, p.mode) for c in p.table if suit(c) == p.mode]
        for c in p.legal - {c for c in p.hand if suit(c) == led}:
            assert suit(c) == p.mode
            assert strength(c, p.mode) > max(ruffs, default=-1)


@pytest.mark.slow
def test_5_banned_undertrumps_are_fewer():
    deals, record = random_record("tournament")
    free = play("void_tournament", deals, record["action"].tolist())
    banned, void = record["mask"], free["mask"]
    assert np.array_equal(record["player"], free["player"])
    assert (banned <= void).all()
    assert (banned < void).any()


@every_variant
def test_6_a_lone_jack_is_never_forced(name):
    met = 0
    for p in all_plays(name):
        trumps = {c for c in p.hand if suit(c) == p.mode}
        if trumps == {9 * p.mode + JACK} and p.table and len(p.hand) > 1:
            met += 1
            assert p.legal - trumps
    assert met


@schieber_variants
def test_7_and_8_the_score(name):
    rules, (_, record) = rules_of(name), random_record(name)
    some_weis = some_stock = 0
    for i, r in enumerate(rounds(name)):
        factor = rules.multipliers[r.mode]
        score, progress = record["points"][i, -1, :2], record["progress"][i, -1, :2]
        rest = score // factor - progress
        assert (score % factor == 0).all()
        if len(r.plays) == 36:
            winners = {_side_of_trick(record, i, r.start + 4 * k) for k in range(9)}
            if len(winners) == 1:
                rest[winners.pop()] -= rules.match_bonus
        assert (rest >= 0).all() and (rest % 10 == 0).all()
        stock = _stock(rules, r, random_record(name)[0], i)
        weis = rest - stock
        assert stock.sum() in (0, 20)
        assert (weis >= 0).all() and (weis > 0).sum() <= 1
        assert rules.weis or not weis.any()
        some_weis += weis.any()
        some_stock += stock.any()
    assert bool(some_weis) == rules.weis
    assert bool(some_stock) == rules.stock


def _side_of_trick(record, i: int, t: int) -> int:
    """Team that won the trick that starts at time t; a trick without points by its leader."""
    gain = record["progress"][i, t + 4] - record["progress"][i, t]
    return int(np.argmax(gain[:2])) if gain.any() else int(record["player"][i, t + 4]) % 2


def _stock(rules, r: Round, deals: Deals, i: int) -> np.ndarray:
    points = np.zeros(2, int)
    if rules.stock and r.mode < 4:
        places = [deals.decks[i].tolist().index(9 * r.mode + k) // 9 for k in (6, 7)]
        if places[0] == places[1]:
            points[(int(deals.dealers[i]) + 1 + places[0]) % 2] = 20
    return points


def test_9_undenufe_mirrors_obenabe():
    mirror = np.array([9 * suit(c) + 8 - rank(c) for c in range(36)])
    deals = random_deals("tournament", 2 * BATCH, seed=3)
    down = play("tournament", deals, [[36 + UNDENUFE]] * len(deals), seed=4)
    table = np.concatenate([mirror, np.arange(36, 45)])
    table[[36 + UNDENUFE, 36 + OBENABE]] = 36 + OBENABE, 36 + UNDENUFE
    scripts = table[down["action"]].tolist()
    up = play("tournament", replace(deals, decks=mirror[deals.decks].astype(np.int32)), scripts)
    assert np.array_equal(up["player"], down["player"])
    cards = slice(1, 38)
    assert np.array_equal(up["mask"][:, cards, :36], down["mask"][:, cards, :36][..., mirror])


@pytest.mark.parametrize(
    "name, other, suits",
    [
        ("schieber_1000", "schieber_1000", (2, 0, 3, 1)),
        pytest.param("short_match", "relabelled", (1, 3, 0, 2), marks=pytest.mark.slow),
    ],
)
def test_10_relabelled_suits(name, other, suits):
    """Suit s becomes suits[s]; the multipliers of `other` follow it."""
    factors = rules_of(name).multipliers
    assert [rules_of(other).multipliers[suits[s]] for s in range(4)] == list(factors[:4])
    cards = np.array([9 * suits[suit(c)] + rank(c) for c in range(36)])
    table = np.concatenate([cards, 36 + np.array(suits), np.arange(40, game_of(name).num_actions)])
    deals, record = random_record(name)
    again = play(
        other,
        replace(deals, decks=cards[deals.decks].astype(np.int32)),
        table[record["action"]].tolist(),
    )
    for key in ("player", "terminated", "progress", "points", "announced", "match_winner"):
        assert np.array_equal(again[key], record[key]), key
    assert np.array_equal(again["mask"][..., table], record["mask"])
    assert np.array_equal(again["shown"][..., cards], record["shown"])


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(["short_match", "old_weis"], ["old_weis"]))
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_10_rotated_seats(name, turns):
    deals, record = random_record(name)
    turned = replace(
        deals,
        dealers=(deals.dealers + turns) % 4,
        totals=deals.totals[:, ::-1] if turns % 2 else deals.totals,
    )
    again = play(name, turned, record["action"].tolist())
    assert np.array_equal(again["player"], (record["player"] + turns) % 4)
    for key in ("mask", "terminated"):
        assert np.array_equal(again[key], record[key]), key
    for key in ("progress", "points", "returns", "announced", "shown", "swisslos"):
        assert np.array_equal(again[key], np.roll(record[key], turns, axis=2)), key
    winner, winner_again = record["match_winner"], again["match_winner"]
    assert np.array_equal(winner_again, np.where(winner >= 0, (winner + turns) % 2, -1))


@pytest.mark.parametrize(
    "name",
    by_cost(
        ["schieber_2500", "tournament", "noshare_slalom", "differenzler"],
        ["schieber_2500", "noshare_slalom"],
    ),
)
def test_11_observations_hide_hidden_cards(name):
    """Hidden cards exchanged among the others leave the whole observation as it was."""
    deals, record = random_record(name)
    rng = np.random.default_rng(2)
    decks, scripts, looks = deals.decks.copy(), [], []
    for i in range(len(deals)):
        ends = int(np.argmax(record["terminated"][i]))
        t, player = int(rng.integers(0, ends)), int(rng.integers(4))
        decks[i] = _exchange(name, deals, record, i, t, player, rng)
        scripts.append(record["action"][i, :t].tolist())
        looks.append((t, player))
    changed = (decks != deals.decks).any(axis=1)
    assert changed.mean() > 0.5
    again = play(name, replace(deals, decks=decks), scripts)
    for i, (t, player) in enumerate(looks):
        for key in ("observation", "swisslos"):
            assert np.array_equal(again[key][i, t, player], record[key][i, t, player])
        if record["player"][i, t] == player:
            assert np.array_equal(again["mask"][i, t], record["mask"][i, t])


def _exchange(name, deals, record, i, t, player, rng) -> np.ndarray:
    """Another deck that `player` cannot tell from deal i at time t; the same if none turns up."""
    actions = record["action"][i, :t].tolist()
    deal = deals.reference(name, i)
    for action in actions:
        deal.step(action)
    seen = {c for _, c in deal.played} | set().union(*deal.shown())
    deck = deals.decks[i]
    seats = [(int(deals.dealers[i]) + 1 + k // 9) % 4 for k in range(36)]
    free = np.array([k for k in range(36) if seats[k] != player and int(deck[k]) not in seen], int)
    want = deal.announced(), deal.shown(), deal.terminated
    for _ in range(30):
        other = deck.copy()
        other[free] = deck[rng.permutation(free)]
        again = replace(deals, decks=other[None].repeat(len(deals), 0)).reference(name, i)
        for action in actions:
            again.step(action)
        if (again.announced(), again.shown(), again.terminated) == want:
            return other
    return deck


@every_variant
def test_11_no_card_twice_in_the_swisslos_row(name):
    _, record = random_record(name)
    codes = np.sort(record["swisslos"][..., :71], axis=-1)
    assert ((codes[..., 1:] != codes[..., :-1]) | (codes[..., 1:] == 0)).all()
    assert codes.min() == 0 and codes.max() == 36


@pytest.mark.slow
def test_12_both_finishes_name_the_same_winner():
    deals = random_deals("swisslos", 2 * BATCH, seed=8)
    deals = replace(deals, totals=2000 + deals.totals % 500)
    whole = play("swisslos_deals", deals, seed=8)
    short = play("swisslos", deals, whole["action"].tolist())
    assert np.array_equal(whole["match_winner"][:, -1], short["match_winner"][:, -1])
    going = ~short["terminated"]
    for key in ("player", "mask", "progress", "announced", "swisslos"):
        assert np.array_equal(short[key][going], whole[key][going]), key
    assert (whole["terminated"] <= short["terminated"]).all()
    assert (short["terminated"] & ~whole["terminated"]).any()
    assert set(short["match_winner"][:, -1].tolist()) == {-1, 0, 1}


def test_13_differenzler():
    deals, record = random_record("differenzler")
    assert (record["progress"][:, -1].sum(axis=1) == 157).all()
    seats = (deals.dealers[:, None] + 1 + np.arange(4)) % 4
    predicted = np.take_along_axis(record["action"][:, :4] - 36, np.argsort(seats), axis=1)
    want = np.abs(predicted - record["progress"][:, -1])
    assert np.array_equal(record["points"][:, -1], want)
    assert np.array_equal(record["returns"][:, -1], -want)


@schieber_variants
def test_returns_are_differences(name):
    _, record = random_record(name)
    points, returns = record["points"][:, -1], record["returns"][:, -1]
    assert np.array_equal(points[:, :2], points[:, 2:])
    assert np.array_equal(returns, points - np.roll(points, 1, axis=1))
