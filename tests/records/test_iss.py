"""Logs of the International Skat Server: there and back, games that end early, refusals."""

import functools
import random

import jax
import numpy as np
import pytest

import jaxcards
from jaxcards import records
from jaxcards.games.skat.calls import auction_of
from jaxcards.games.skat.rules import VALUES
from jaxcards.records import formats, iss
from jaxcards.records.items import Refused

GAME = jaxcards.make("skat/isko")
CARDS = [suit + rank for suit in "DHSC" for rank in "789QKTAJ"]
DEAL = ".".join(CARDS)
PASSED = f"(;GM[Skat]ID[7]P0[Ann]P1[Ben]P2[Cid]MV[w {DEAL} 1 p 2 p 0 p ]R[d:-1 passed v:0 m:0 ] ;)"
TAKEN = "1 p 2 p 0 18 0 s w CA.CJ"


def read(text):
    return iss.read_line(text, "line 1", {"file": "a.iss"})


def of_moves(moves, deal=DEAL):
    return f"(;GM[Skat]PC[International Skat Server]MV[w {deal} {moves} ]R[d:0 loss v:-36 m:1 ] ;)"


def line_of(record):
    """Return a line of the server for a record in which forehand has seat 0."""
    step, state = jax.jit(GAME.step), GAME.init_from_deck(list(record.deck), record.dealer)
    moves, level, last = [], 0, None
    for number, action in enumerate(record.actions):
        who = int(state.current_player)
        answers = bool(auction_of(state.public).answers)
        if action < 32 and last in (iss.TAKE, "first"):
            # Two discards, which the announcement names.
            last = "first" if last == iss.TAKE else None
        elif action < 32:
            moves.append(f"{who} {CARDS[action]}")
        elif action == iss.PASS:
            moves.append(f"{who} p")
        elif action == iss.BID:
            level += not answers
            moves.append(f"{who} y" if answers else f"{who} {iss.VALUES[level - 1]}")
        elif action == iss.TAKE:
            moves.append(f"{who} s w {CARDS[record.deck[30]]}.{CARDS[record.deck[31]]}")
            last = iss.TAKE
        elif action < iss.LEVEL:
            hand = iss.TAKE not in record.actions
            cards = (
                "" if hand else "".join(f".{CARDS[one]}" for one in record.actions[number - 2 : number])
            )
            following = record.actions[number + 1]
            said = "SZO"[following - 42] if following in (42, 43, 44) else ""
            moves.append(f"{who} {'DHSCGN'[action - iss.GAME]}{'H' * hand}{said}{cards}")
        state = step(state, action)
    declarer = max(range(3), key=lambda seat: abs(record.points[seat]))
    result = f"R[d:{declarer} win v:{record.points[declarer]} m:1 ]"
    deck = ".".join(CARDS[card] for card in record.deck)
    return f"(;GM[Skat]MV[w {deck} {' '.join(moves)} ]{result} ;)"


@functools.cache
def some():
    """Return records of random play with few passes."""
    rng, step, found = random.Random(3), jax.jit(GAME.step), []
    for number in range(12):
        deck = rng.sample(range(32), 32)
        state, actions = GAME.init_from_deck(deck, 2), []
        while not bool(state.terminated):
            legal = np.flatnonzero(GAME.legal_actions(state).mask()).tolist()
            # The auction goes on for a while.
            calls = [action for action in legal if action != iss.PASS or len(actions) > number % 5]
            actions.append(rng.choice(calls or legal))
            state = step(state, actions[-1])
        points, totals = tuple(map(int, GAME.points(state))), {"totals": (0, 0, 0)}
        deal = records.DealRecord(
            "skat/isko", tuple(deck), 2, tuple(actions), facts=totals, points=points
        )
        assert records.problems([deal]) == [None]
        found.append(deal)
    return found


@pytest.mark.slow
def test_deals_come_back(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("".join(line_of(record) + "\n" for record in some()))
    found = formats.format_to_read(path)
    assert found.name == "logs of the International Skat Server"
    back = [item.record for item in found.read(path)]
    assert [deal.deck for deal in back] == [deal.deck for deal in some()]
    assert [deal.actions for deal in back] == [sorted_discards(deal.actions) for deal in some()]
    assert [deal.points for deal in back] == [deal.points for deal in some()]
    assert records.problems(back) == [None] * len(back)
    assert len({iss.TAKE in deal.actions for deal in back}) == 2


def sorted_discards(actions):
    if iss.TAKE not in actions:
        return actions
    first = actions.index(iss.TAKE) + 1
    return (*actions[:first], *sorted(actions[first : first + 2]), *actions[first + 2 :])


def test_the_values_are_those_of_the_game():
    assert tuple(iss.VALUES) == VALUES


def test_all_pass():
    record = read(PASSED).record
    assert record.players == ("Ann", "Ben", "Cid") and record.source["game"] == "7"
    assert record.actions == (iss.PASS,) * 3 and record.points == (0, 0, 0)
    assert records.problems([record]) == [None]


@pytest.mark.parametrize("end", ["w TI.1", "0 RE", "2 SC", "w LE.0"])
def test_a_game_that_ends_early_is_not_finished(end):
    record = read(of_moves(f"{TAKEN} 0 D.D7.D8 0 D9 {end}")).record
    assert record.points is None and record.source["ended"] == end.split()[1]
    assert record.actions[3:] == (iss.TAKE, 0, 1, iss.GAME, 2)
    assert records.problems([record]) == [None]


def test_an_open_game_lists_the_hand():
    moves = "1 p 2 p 0 18 0 s w CA.CJ 0 NO.D7.D8.D9.DQ.DK.DT.DA.DJ.H7.H8"
    assert read(of_moves(moves)).record.actions[3:] == (iss.TAKE, 0, 1, iss.GAME + 5, iss.LEVEL + 3)
    hand = read(of_moves("1 p 2 p 0 18 0 GHZ")).record.actions
    assert hand[3:] == (iss.GAME + 4, iss.LEVEL + 2)


def test_a_bid_that_skips_values():
    item = read(of_moves("1 22 0 p 2 p 1 s 0 RE"))
    assert item.record.actions == (iss.BID,) * 5 + (iss.PASS, iss.PASS, iss.TAKE)
    assert item.repairs == ("the bid 22 skips 2 values, which were added",)
    assert records.problems([item.record]) == [None]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[Go]SZ[19] ;)", "a game of the Skat server has GM[Skat] and MV[...]"),
        ("(;GM[Skat]MV[1 p ] ;)", "MV must begin with the deal, w and 32 cards"),
        (of_moves("1 p", DEAL[3:]), "the deal must have each of the 32 cards once"),
        (of_moves("1 p", DEAL.replace("D7", "D6")), "'D6' is not a card from D7 to CJ"),
        (of_moves("3 p"), "'3' is not a player: use 0, 1, 2 or w"),
        (of_moves("1 19"), "19 cannot be bid here"),
        (of_moves("1 20 0 y 1 18"), "18 cannot be bid here"),
        (of_moves(f"{TAKEN} 0 X.D7.D8"), "'X.D7.D8' is not the announcement of a game"),
        (of_moves(f"{TAKEN} 0 DS.D7.D8"), "only a Hand game or Null can be announced higher"),
    ],
)
def test_refusals(text, reason):
    item = read(text)
    assert isinstance(item, Refused) and reason in item.reason and "\n" not in item.reason


def test_an_illegal_move_does_not_replay():
    (problem,) = records.problems([read(of_moves(f"{TAKEN} 0 D.D7.D8 0 D7")).record])
    assert problem
