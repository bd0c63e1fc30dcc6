"""Skat by example: bids, discards, announcements, the play, values and scores."""

import dataclasses

import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.page import Page
from jaxcards.cards.sets import CardSet
from jaxcards.games.skat import calls, play
from jaxcards.games.skat.play import DECK
from jaxcards.games.skat.rules import VALUES
from jaxcards.games.skat.score import matadors

PAGE = Page("skat")
GAMES = {"♦": 0, "♥": 1, "♠": 2, "♣": 3, "Grand": play.GRAND, "Null": play.NULL}
LEVELS = {"Schneider": 1, "Schwarz": 2, "Ouvert": 3}
FOREHAND, MIDDLEHAND, REARHAND = 1, 2, 0  # with seat 0 as dealer


def start(*hands, preset="isko", skat="", dealer=0, **rules):
    """Return a deal with these beginnings of hands, of forehand first, and of the skat; filled up."""
    game = jaxcards.make(f"skat/{preset}", **rules)
    given = [DECK.cards(hand) for hand in (*hands, *[""] * 3)[:3]] + [DECK.cards(skat)]
    rest = iter(sorted(set(range(32)) - {card for hand in given for card in hand}))
    sizes = (10, 10, 10, 2)
    deck = [
        card
        for hand, size in zip(given, sizes, strict=True)
        for card in [*hand, *(next(rest) for _ in range(size - len(hand)))]
    ]
    return game, game.init_from_deck(np.array(deck), dealer)


def after(game, state, *actions):
    for action in actions:
        state = game.checked_step(state, action)
    return state


def legal(game, state):
    return {game.action_to_string(int(a)) for a in jnp.flatnonzero(game.legal_action_mask(state))}


def bids_to(value, by="forehand"):
    """Return the calls after which forehand (or middlehand) is the declarer at a value."""
    number = VALUES.index(value) + 1
    if by == "forehand":
        return ["bid", "bid"] * number + ["pass", "pass"]
    return ["bid", "bid"] * (number - 1) + ["bid", "pass", "pass"]


# ---- Bids -----------------------------------------------------------------------------------------


@PAGE.rows("rules | bids so far", 2)
def test_legal_bids_of_the_page(row):
    preset, said, seat, wanted = row
    game, state = start(preset=preset)
    state = after(game, state, *(said.split(", ") if said != "none" else []))
    assert int(state.current_player) == {"forehand": 1, "middlehand": 2, "rearhand": 0}[seat]
    assert legal(game, state) == set(wanted.split(", "))


@pytest.mark.parametrize(
    ("said", "declarer", "value"),
    [
        (["bid", "pass", "pass"], MIDDLEHAND, 18),
        (["bid", "bid", "pass", "pass"], FOREHAND, 18),
        (["bid", "bid", "bid", "pass", "bid", "bid", "pass"], MIDDLEHAND, 22),
        (["pass", "bid", "bid", "bid", "pass"], REARHAND, 20),
        (["pass", "pass", "bid"], FOREHAND, 18),
        (["bid", "bid"] * 10 + ["pass", "bid", "pass"], REARHAND, 40),
    ],
)
def test_the_last_one_who_has_not_passed_declares(said, declarer, value):
    game, state = start()
    state = after(game, state, *said)
    assert int(state.current_player) == int(state.public.declarer) == declarer
    assert int(calls.bid_of(state.public)) == value
    assert legal(game, state) >= {"take", "grand"} and not bool(state.playing)
    told = game.history(game.observe(state, jnp.int32(declarer)))
    names = [game.action_to_string(int(action)) for action in told.actions[: int(told.length)]]
    assert names == said


def test_no_player_can_bid_more_than_the_highest_value():
    game, state = start()
    state = after(game, state, *["bid", "bid"] * 63)
    assert legal(game, state) == {"pass"} and int(calls.bid_of(state.public)) == 264
    state = after(game, state, "pass")
    assert legal(game, state) == {"pass"} and int(state.current_player) == REARHAND


def test_if_all_pass_the_cards_are_thrown_in_or_ramsch_is_played():
    game, state = start()
    state = after(game, state, "pass", "pass", "pass")
    assert bool(state.terminated) and game.points(state).tolist() == [0, 0, 0]
    game, state = start(preset="ramsch")
    state = after(game, state, "pass", "pass", "pass")
    assert bool(state.playing) and int(state.public.game) == play.RAMSCH
    assert int(state.current_player) == FOREHAND and game.sides_of(state).tolist() == [-1] * 3


# ---- The game -------------------------------------------------------------------------------------


@PAGE.rows("bid | with the skat", 1)
def test_null_must_reach_the_bid(row):
    value, *wanted = row
    for hand, names in zip((False, True), wanted, strict=True):
        game, state = start()
        state = after(game, state, *bids_to(int(value)))
        if not hand:
            state = after(game, state, "take", "7d", "8d")
        found = set()
        if "null" in legal(game, state):
            levels = legal(game, after(game, state, "null"))
            found = {{"plain": "Null", "ouvert": "Null Ouvert"}[level] for level in levels}
        assert found == set(names.split(", ")) - {"–"}


def test_a_declarer_discards_two_of_twelve_cards_that_only_it_knows():
    game, state = start("Jc Js Jh", skat="Ad Td")
    state = after(game, state, *bids_to(18), "take")
    seen = game.observe(state, jnp.int32(FOREHAND))
    assert int(seen.hand.count()) == 12 and seen.hand.contains(jnp.uint32(DECK.card("Ad")))
    state = after(game, state, "Td", "Jc")
    assert DECK.names(game.card_places(state).aside.to_list()) == "Td Jc"
    for seat, number in ((FOREHAND, 2), (MIDDLEHAND, 0), (REARHAND, 0)):
        seen = game.observe(state, jnp.int32(seat))
        assert int(seen.buried.count()) == int(seen.skat.count()) == number
    told = game.history(game.observe(state, jnp.int32(REARHAND))).actions
    assert told[4:8].tolist() == [calls.TAKE_ACTION, -1, -1, -1]
    assert legal(game, state) == {*calls.NAMES[3:9]}


def test_ouvert_opens_the_hand_before_the_first_lead():
    game, state = start()
    state = after(game, state, *bids_to(18, by="middlehand"), "grand")
    assert legal(game, state) == {"plain", "schneider", "schwarz", "ouvert"}
    state = after(game, state, "ouvert")
    assert bool(state.playing) and int(state.current_player) == FOREHAND
    hand = state.hand_of(jnp.int32(MIDDLEHAND)).to_list()
    for seat in (FOREHAND, REARHAND):
        assert game.observe(state, jnp.int32(seat)).open.to_list() == hand
    assert game.view(state, FOREHAND).seats[MIDDLEHAND].hand is not None
    assert game.view(state, FOREHAND).seats[REARHAND].hand is None


@pytest.mark.parametrize(
    ("said", "doubled"), [(["pass", "pass"], 0), (["kontra", "pass"], 1), (["pass", "kontra", "re"], 2)]
)
def test_kontra_and_re_double_the_score(said, doubled):
    game, state = start(preset="kontra")
    state = after(game, state, *bids_to(18, by="middlehand"), "grand", "plain")
    assert int(state.current_player) == REARHAND and legal(game, state) == {"pass", "kontra"}
    state = after(game, state, *said)
    assert bool(state.playing) and int(state.public.doubled) == doubled
    plain = after(*start(), *bids_to(18, by="middlehand"), "grand", "plain")
    points = jaxcards.make("skat").points(plain)[MIDDLEHAND]
    assert game.points(state)[MIDDLEHAND] == 2**doubled * points


# ---- The play -------------------------------------------------------------------------------------


def test_jacks_follow_trumps_and_not_their_suit():
    game, state = start("Ad Jd 7c", "Jc 8d 8c", "Td Kd")
    state = after(game, state, *bids_to(18), "clubs", "plain", "Ad")
    assert "8d" in legal(game, state) and "Jc" not in legal(game, state)
    other = after(game, start("Ad Jd 7c", "Jc 8d 8c", "Td Kd")[1], *bids_to(18), "clubs", "plain", "Jd")
    assert legal(game, other) >= {"Jc", "8c"} and "8d" not in legal(game, other)
    null = after(game, start("Ad Jd 7c", "Jc 8d 8c", "Td Kd")[1], *bids_to(18), "null", "plain", "7c")
    assert legal(game, null) >= {"Jc", "8c"}


@pytest.mark.parametrize(
    ("game_name", "cards", "winner"),
    [
        ("clubs", "Ad Td Jd", REARHAND),
        ("clubs", "Jd Jh Js", REARHAND),
        ("diamonds", "7d Ad Jh", REARHAND),
        ("hearts", "Td Kd Qd", FOREHAND),
        ("grand", "9d Kd Td", REARHAND),
        ("null", "Jd Td Qd", REARHAND),
        ("null", "Td Jd 9d", MIDDLEHAND),
    ],
)
def test_the_winner_of_a_trick(game_name, cards, winner):
    hands = cards.split()
    game, state = start(*hands)
    # The cards given need not all follow suit, so they are played without a check.
    state = after(game, state, *bids_to(18, by="middlehand"), game_name, "plain")
    for card in hands:
        state = game.step(state, jnp.int32(DECK.card(card)))
    assert int(state.current_player) == winner
    assert bool(state.terminated) == (game_name == "null" and winner == MIDDLEHAND)


# ---- Values and scores ----------------------------------------------------------------------------


def finished(game, row_game, matadors, said, bid, points, tricks):
    """Return a finished deal of forehand as declarer with these facts."""
    number = GAMES[row_game]
    names = set(said.split(", ")) - {"–"}
    with_, _, length = matadors.partition(" ")
    cards = []
    if length:
        row = [31, 23, 15, 7] + [8 * number + r for r in range(6, -1, -1)] * (number < 4)
        run, following = row[: int(length)], row[int(length) : int(length) + 1]
        cards = run if with_ == "with" else following
        out = following if with_ == "with" else run
    else:
        out = []
    rest = [c for c in range(32) if c not in cards and c not in out]
    mine = [*cards, *rest[: 12 - len(cards)]]
    others = [c for c in range(32) if c not in mine]
    deck = np.array([*mine[:10], *others, *mine[10:]])
    state = game.init_from_deck(deck, 0)
    level = max((LEVELS.get(name, 0) for name in names), default=0)
    contract = FOREHAND | number << 2 | ("Hand" in names) << 5 | level << 6
    aside = CardSet.of(DECK, mine[10:]).points(play.POINTS)
    won = int(points) - int(aside)
    others_points = 120 - int(points)
    tally = max(won, 0) << 7 | others_points << 14
    tally |= (int(tricks) > 0) << 22 | (int(tricks) < 10) << 23
    nothing = state.buried
    level_of = VALUES.index(int(bid)) + 1
    state = state.with_public(
        contract=jnp.uint32(contract), auction=jnp.uint32(level_of), tally=jnp.uint32(tally),
        phase=jnp.uint32(play.DONE), num_played=jnp.uint32(30),
    )  # fmt: skip
    # The discards are the two cards that were the skat.
    buried = nothing if "Hand" in names else state.skat
    return dataclasses.replace(state, buried=buried)


@PAGE.rows("game | matadors", 6)
def test_scores_of_the_page(row):
    *facts, score = row
    game = jaxcards.make("skat")
    state = finished(game, *facts)
    assert game.points(state).tolist() == [0, int(score), 0]


@PAGE.rows("preset | game won", 1)
def test_scores_by_preset(row):
    preset, *wanted = row
    game = jaxcards.make(f"skat/{preset}")
    for points, score in zip(("61", "60"), wanted, strict=True):
        state = finished(game, "♥", "without 1", "–", "18", points, "6")
        own, *others = map(int, score.split(", "))
        assert game.points(state).tolist() == [others[0], own, others[1]]


@PAGE.rows("card points | tricks", 2)
def test_scores_of_ramsch(row):
    points, tricks, wanted = ([int(n) for n in cell.split(", ")] for cell in row)
    game, state = start(preset="ramsch", skat="7d 8d")
    tally = sum(n << (7 * seat) for seat, n in enumerate(points))
    tally |= sum((n > 0) << (21 + seat) for seat, n in enumerate(tricks))
    contract = play.NO_SEAT | play.RAMSCH << 2
    state = state.with_public(contract=jnp.uint32(contract), tally=jnp.uint32(tally))
    assert game.points(state).tolist() == wanted


def test_the_last_trick_of_ramsch_gets_the_skat():
    game, state = start(preset="ramsch", skat="Ad Td")
    state = after(game, state, "pass", "pass", "pass")
    while not state.terminated:
        state = game.step(state, jnp.flatnonzero(game.legal_action_mask(state))[0])
    counted = [int(state.public.points_of(seat)) for seat in range(3)]
    assert sum(counted) == 99
    counted[int(state.current_player)] += 21
    assert game.points(state).min() in (-max(counted), -2 * max(counted))


def test_matadors_count_to_the_end_of_the_trumps():
    trumps = [31, 23, 15, 7, 30, 29, 28, 27, 26, 25, 24]  # of clubs
    for number in range(1, 12):
        held = sum(1 << card for card in trumps[:number])
        assert int(matadors(jnp.uint32(3), jnp.uint32(held))) == number
        missing = held ^ sum(1 << card for card in trumps)
        assert int(matadors(jnp.uint32(3), jnp.uint32(missing))) == number
        assert int(matadors(jnp.uint32(play.GRAND), jnp.uint32(held))) == min(number, 4)
