"""Jass JSON: there and back with jass-kit, what is missing, what is refused."""

import copy
import dataclasses
import importlib.util
import json
from pathlib import Path

import jax
import numpy as np
import pytest
from games.jass.peers import from_kit, to_kit
from records.played import deal, match

import jaxcards
from jaxcards import records
from jaxcards.agent import RandomAgent
from jaxcards.records import formats, hslu, hslu_writer
from jaxcards.records.items import Read, Refused

ID = "jass/tournament"
REAL = Path(__file__).parents[3] / "shared" / "data" / "jass_real_rounds.jsonl"

needs_kit = pytest.mark.skipif(
    importlib.util.find_spec("jass") is None, reason="jass-kit is not installed"
)


def read(text):
    return list(hslu.read_line(text, "line 1", {"file": "a.hslu"}))


def round_of(record):
    return json.loads(json.dumps(hslu_writer.to_round(record)))


def kit_state(record):
    """Return the state of jass-kit after the actions of a record, played by its simulation."""
    from jass.game.const import PUSH
    from jass.game.game_sim import GameSim
    from jass.game.rule_schieber import RuleSchieber

    hands = np.zeros((4, 36), np.int32)
    for turn in range(4):
        seat = hslu.seat_of((record.dealer + 1 + turn) % 4)
        hands[seat, [to_kit(card) for card in record.deck[9 * turn : 9 * turn + 9]]] = 1
    sim = GameSim(RuleSchieber())
    sim.init_from_cards(hands, hslu.seat_of(record.dealer))
    for action in record.actions:
        if action == hslu.PUSH:
            sim.action_trump(PUSH)
        elif action >= hslu.MODE:
            sim.action_trump(hslu.MODES.index(action - hslu.MODE))
        else:
            sim.action_play_card(to_kit(action))
    return sim.state


@needs_kit
@pytest.mark.differential
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [0, 1, 9, 23, 60])
def test_a_round_is_written_as_jass_kit_writes_it(seed, length):
    record = deal(ID, seed)
    if length < len(record.actions):
        record = dataclasses.replace(record, actions=record.actions[:length], points=None)
    state, written = kit_state(record), round_of(record)
    theirs = state.to_json()
    if len(record.actions) - (hslu.PUSH in record.actions) == 37:
        theirs["tricks"] = [trick for trick in theirs["tricks"] if "cards" in trick]
    assert written == theirs
    if record.points:
        assert state.points.tolist() == list(record.points[:2])


@pytest.mark.slow
@needs_kit
@pytest.mark.differential
def test_jass_kit_reads_what_is_written():
    from jass.game.game_state import GameState

    for seed in range(6):
        written = round_of(deal(ID, seed))
        assert GameState.from_json(written).to_json()["tricks"] == written["tricks"]


@pytest.mark.slow
@needs_kit
@pytest.mark.differential
def test_what_jass_kit_plays_is_read_and_replays():
    """Its random players: it allows an under-ruff after two ruffs, which is the one difference."""
    from jass.agents.agent_random_schieber import AgentRandomSchieber
    from jass.arena.arena import Arena

    np.random.seed(0)
    arena = Arena(nr_games_to_play=40)
    agent = AgentRandomSchieber()
    arena.set_players(agent, agent, agent, agent)
    found = []
    for number in range(40):
        arena.play_game(dealer=number % 4)
        state = arena._game.state
        (item,) = read(json.dumps({"game": state.to_json(), "date": "22.11.26 18:00:00"}))
        assert isinstance(item, Read) and not item.repairs, item
        counted = [points % 157 for points in state.points.tolist()]
        assert counted == [points % 257 % 157 for points in item.record.points[:2]]
        found.append(item.record)
    problems = [problem for problem in records.problems(found) if problem]
    assert len(problems) <= 4 and all("is not legal" in problem for problem in problems)


@pytest.mark.parametrize("seed", range(3))
def test_a_deal_comes_back(seed):
    (item,) = read(hslu_writer.to_line(deal(ID, seed)))
    again = item.record
    assert again.actions == deal(ID, seed).actions and again.points == deal(ID, seed).points
    assert again.players == deal(ID, seed).players and again.dealer == deal(ID, seed).dealer
    for turn in range(4):
        hand = slice(9 * turn, 9 * turn + 9)
        assert sorted(again.deck[hand]) == sorted(deal(ID, seed).deck[hand])
    assert records.problems([again]) == [None]


def test_a_match_is_a_line(tmp_path):
    path = tmp_path / "a.hslu"
    with hslu_writer.Writer(path) as writer:
        writer.write([match(ID), deal(ID)])
    found = formats.format_to_read(path)
    assert found.name == "Jass JSON"
    items = list(found.read(path))
    assert len(items) == len(match(ID).deals) + 1
    assert [item.record.points for item in items[:-1]] == [one.points for one in match(ID).deals]
    assert items[3].place == "line 1, round 3" and items[-1].record.source["line"] == 2


def test_older_files_say_tss_and_hands():
    given = round_of(deal(ID))
    given["tss"] = 1 - given.pop("forehand")
    for name in ("version", "currentPlayer", "jassTyp"):
        del given[name]
    line = json.dumps({"players": ["N", "E", "S", "W"], "rounds": [given]})
    (item,) = read(f"24.12.17 11:30:00,123 | INFO | {line}")
    assert item.record.actions == deal(ID).actions
    assert item.record.players == ("N", "W", "S", "E")
    assert item.record.source["date"] == "24.12.17 11:30:00,123"


def test_what_is_missing_is_counted_and_said():
    given = round_of(deal(ID))
    given["tricks"][8] |= {"points": None, "win": None}
    del given["tricks"][2]["win"]
    (item,) = read(json.dumps(given))
    assert item.record.points == deal(ID).points
    assert item.repairs == ("trick 2 is without win", "trick 8 is without win and points")


def test_points_may_be_counted_several_times():
    given = round_of(deal(ID))
    for trick in given["tricks"]:
        trick["points"] *= 3
    assert read(json.dumps(given))[0].record.points == deal(ID).points


def trick(number, **parts):
    return lambda given: given["tricks"][number].update(parts)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda given: given.update(trump=6), "trump must be from 0 to 5, not 6"),
        (lambda given: given.update(trump=True), "trump must be from 0 to 5, not True"),
        (lambda given: given.update(dealer=None), "dealer must be a seat from 0 to 3, not None"),
        (lambda given: given.update(jassTyp="COIFFEUR"), "jassTyp 'COIFFEUR' is not one of SCHIEBER"),
        (lambda given: given.update(trump=-1), "cards are played without a trump"),
        (lambda given: given.update(tricks={}), "tricks must be a list of up to 9"),
        (
            lambda given: given["tricks"].__setitem__(0, 3),
            "trick 0: a JSON object with a list of cards",
        ),
        (lambda given: given["tricks"][1]["cards"].pop(), "trick 1 has 3 cards"),
        (trick(1, win=7), "trick 1: win is 7, but it is"),
        (trick(1, points="x"), "trick 1: points must be a whole number, not 'x'"),
        (trick(1, points=1000), "points are"),
        (trick(0, cards=["D6", "D7", "D8", "X9"]), "'X9' is not a card from D6 to SA"),
        (lambda given: given.update(player=[{"hand": ["D6"]}] * 4), "cards, played or in hand, not 9"),
        (lambda given: given.update(player=3), "player must be a list of 4, not 3"),
        (lambda given: given.update(player=[3] * 4), "player 0: a JSON object with a list hand"),
    ],
    ids=range(15),
)
def test_a_round_that_cannot_be_is_refused(change, words):
    given = copy.deepcopy(round_of(deal(ID)))
    change(given)
    items = read(json.dumps({"rounds": [given, round_of(deal(ID))]}))
    assert isinstance(items[0], Refused) and words in items[0].reason
    assert isinstance(items[1], Read)


@pytest.mark.parametrize(
    "text, words",
    [
        ("rubbish", "is not valid JSON"),
        ('{"rounds": 3}', "rounds must be a list"),
        ('{"rounds": [3]}', "a round must be a JSON object, not 3"),
        ('{"players": [1], "rounds": []}', "players must be a list of 4"),
    ],
)
def test_a_line_that_is_no_game_is_refused(text, words):
    (item,) = read(text)
    assert isinstance(item, Refused) and words in item.reason


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    "id, words", [("euchre", "euchre"), ("jass", "weis=True"), ("jass/slalom", "slalom")]
)
def test_what_has_no_place_is_not_written(id, words):
    record = records.play_deal(jaxcards.make(id), RandomAgent(), (), jax.random.key(0))
    with pytest.raises(jaxcards.UserError, match=f"Jass JSON cannot express .*{words}"):
        hslu_writer.to_line(record)


@pytest.mark.skipif(not REAL.is_file(), reason=f"there is no {REAL.name} beside the project")
def test_real_rounds_replay():
    for line in REAL.read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        tricks = [
            one | {"cards": [hslu.card_name(from_kit(card)) for card in one["cards"]]}
            for one in given["tricks"]
        ]
        about = {"dealer": given["dealer"], "trump": given["trump"], "tss": given["pushed"]}
        (item,) = read(json.dumps(about | {"tricks": tricks}))
        assert list(item.record.points[:2]) == given["points"]
        assert records.problems([item.record]) == [None]
