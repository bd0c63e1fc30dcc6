"""The invariants of Rikiki, over random deals of every preset and variation."""

from dataclasses import replace

import numpy as np
import pytest
from support.marks import by_cost

from games.rikiki.playout import BATCH, play, random_record
from games.rikiki.reference import BID, rank, suit
from games.rikiki.variants import RARE, VARIANTS, rules_of
from jaxcards.games.rikiki.play import NO_CARD
from jaxcards.games.rikiki.rules import NO_TRUMP

every_variant = pytest.mark.parametrize("name", by_cost(VARIANTS, RARE))
SUITS = (2, 0, 3, 1)  # a relabelling of the suits: suit s becomes SUITS[s]


def sizes(name) -> np.ndarray:
    return np.array(rules_of(name).schedule)[random_record(name)[0].rounds]


def decisions(name):
    """(deal, time, legal, hand of the player) of every play of a card."""
    _, record = random_record(name)
    n, k = rules_of(name).num_players, sizes(name)
    for i in range(BATCH):
        for t in range(n, n + n * k[i]):
            player = record["player"][i, t]
            legal = set(np.flatnonzero(record["mask"][i, t]).tolist())
            yield i, t, legal, set(np.flatnonzero(record["hands"][i, t, player]).tolist())


@pytest.mark.slow_after(1)
@every_variant
def test_1_legal_sets_and_length(name):
    _, record = random_record(name)
    n = rules_of(name).num_players
    length = (~record["terminated"]).sum(axis=1)
    assert np.array_equal(length, n + n * sizes(name))
    assert record["mask"].any(axis=2).all()
    for _, _, legal, hand in decisions(name):
        assert legal and legal <= hand
    k = sizes(name)[:, None, None]
    bids = record["mask"][:, :n, BID:]
    assert (bids.sum(axis=2) >= 1).all() and (bids.sum(axis=2) <= k[:, 0] + 1).all()
    assert not record["mask"][:, :n, :BID].any()


@every_variant
def test_2_tricks_and_cards(name):
    deals, record = random_record(name)
    n, k = rules_of(name).num_players, sizes(name)
    assert np.array_equal(record["progress"][:, -1].sum(axis=1), k)
    for i in range(BATCH):
        played = record["action"][i, n : n + n * k[i]]
        assert sorted(played) == sorted(deals.decks[i, : n * k[i]])
        if record["turnup"][i, 0] != NO_CARD and n * k[i] < 52:
            assert record["turnup"][i, 0] == deals.decks[i, n * k[i]]


@every_variant
def test_3_the_hook(name):
    _, record = random_record(name)
    total = record["bids"][:, -1].sum(axis=1)
    hooked = rules_of(name).hook & (sizes(name) >= rules_of(name).hook_from)
    assert (total != sizes(name))[hooked].all()
    assert (record["bids"][:, -1] != record["progress"][:, -1]).any(axis=1)[hooked].all()
    assert hooked.all() or (total == sizes(name))[~hooked].any()


@every_variant
def test_4_a_discard_shows_a_void(name):
    _, record = random_record(name)
    n, discards = rules_of(name).num_players, 0
    for i, t, legal, hand in decisions(name):
        start = t - (t - n) % n
        if start == t:
            assert legal == hand
            continue
        led = suit(record["action"][i, start])
        if suit(record["action"][i, t]) != led:
            discards += 1
            assert all(suit(card) != led for card in hand)
            assert record["voids"][i, t + 1, record["player"][i, t]] >> led & 1
    assert discards


@every_variant
def test_5_the_winning_card(name):
    _, record = random_record(name)
    n, k = rules_of(name).num_players, sizes(name)
    for i in range(BATCH):
        trump = int(record["trump"][i, 0])
        for t in range(n, n + n * k[i], n):
            trick = record["action"][i, t : t + n].tolist()
            gain = record["progress"][i, t + n] - record["progress"][i, t]
            assert sorted(gain) == [0] * (n - 1) + [1]
            winner = int(np.argmax(gain))
            card = trick[record["player"][i, t : t + n].tolist().index(winner)]
            ruffed = any(suit(c) == trump for c in trick)
            assert suit(card) == (trump if ruffed else suit(trick[0]))
            assert rank(card) == max(rank(c) for c in trick if suit(c) == suit(card))
            if t + n < n + n * k[i]:
                assert record["player"][i, t + n] == winner


@every_variant
def test_6_points_follow_from_bid_tricks_and_cards(name):
    _, record = random_record(name)
    bids, won = record["bids"][:, -1].ravel(), record["progress"][:, -1].ravel()
    found: dict = {}
    cards = np.repeat(sizes(name), rules_of(name).num_players)
    for *key, points in zip(bids, won, cards, record["points"][:, -1].ravel(), strict=True):
        assert found.setdefault(tuple(key), points) == points
    assert len(found) > 3


@pytest.mark.parametrize(
    "name", by_cost(["plain", "standard7", "up_down_13"], {"standard7", "up_down_13"})
)
def test_7_relabelled_suits(name):
    cards = np.array([13 * SUITS[suit(c)] + rank(c) for c in range(52)])
    deals, record = random_record(name)
    table = np.concatenate([cards, np.arange(BID, record["mask"].shape[2])])
    again = play(
        name,
        replace(deals, decks=cards[deals.decks].astype(np.int32)),
        table[record["action"]].tolist(),
    )
    for key in ("player", "terminated", "progress", "points", "bids"):
        assert np.array_equal(again[key], record[key]), key
    over = record["terminated"]
    assert np.array_equal(again["mask"][..., table][~over], record["mask"][~over])
    trumps = np.array([*SUITS, NO_TRUMP])
    assert np.array_equal(again["trump"], trumps[record["trump"]])


@pytest.mark.parametrize("name", by_cost(["standard5", "seventeen", "crowd"], {"standard5", "crowd"}))
def test_8_rotated_seats(name):
    deals, record = random_record(name)
    n, k = rules_of(name).num_players, sizes(name)
    decks = deals.decks.copy()
    for i in range(BATCH):
        hands = deals.decks[i, : n * k[i]].reshape(n, k[i])
        decks[i, : n * k[i]] = np.roll(hands, 1, axis=0).ravel()
    turned = replace(deals, decks=decks, dealers=(deals.dealers + 1) % n)
    again = play(name, turned, record["action"].tolist())
    assert np.array_equal(again["player"], (record["player"] + 1) % n)
    assert np.array_equal(again["mask"], record["mask"])
    for key in ("progress", "points", "returns", "bids", "voids"):
        assert np.array_equal(again[key], np.roll(record[key], 1, axis=2)), key


def test_9_points_of_plain():
    _, record = random_record("plain")
    points = record["points"][:, -1]
    assert ((points == 5) | ((points >= -sizes("plain")[:, None]) & (points < 0))).all()


@pytest.mark.parametrize("name", by_cost(["plain", "standard6", "cycle"], {"standard6", "cycle"}))
def test_10_undealt_cards_change_nothing(name):
    deals, record = random_record(name)
    n, k, rng = rules_of(name).num_players, sizes(name), np.random.default_rng(3)
    first = n * k + (rules_of(name).trump_mode == "turnup")
    decks = deals.decks.copy()
    for i in range(BATCH):
        decks[i, first[i] :] = rng.permutation(decks[i, first[i] :])
    assert (decks != deals.decks).any(axis=1).mean() > 0.5
    again = play(name, replace(deals, decks=decks), record["action"].tolist())
    for key in record:
        assert np.array_equal(again[key], record[key]), key


@every_variant
def test_observations_hide_other_hands(name):
    """Cards exchanged among others' hands and the undealt leave a player's observation as it was."""
    deals, record = random_record(name)
    n, k, rng = rules_of(name).num_players, sizes(name), np.random.default_rng(2)
    turned = rules_of(name).trump_mode == "turnup"
    turnups = n * k
    if rules_of(name).all_dealt == "dealers_card":
        turnups = np.where(n * k < 52, n * k, (deals.dealers + 1) * k - 1)
    decks, players = deals.decks.copy(), rng.integers(0, n, BATCH)
    for i, player in enumerate(players):
        hidden = [
            place
            for place in range(52)
            if not (player * k[i] <= place < (player + 1) * k[i] or (turned and place == turnups[i]))
        ]
        if rules_of(name).forehead and k[i] == 1:
            hidden = [player, *range(n + turned, 52)]
        decks[i, hidden] = rng.permutation(decks[i, hidden])
    bids = record["action"][:, :n].tolist()
    again = play(name, replace(deals, decks=decks), bids)
    rows = np.arange(BATCH)
    # Until the first card is played, only bids are seen. A card leaves the forehead with its turn.
    for t in range(n if rules_of(name).forehead else n + 1):
        seen = record["observation"][rows, t, players]
        assert np.array_equal(again["observation"][rows, t, players], seen)
