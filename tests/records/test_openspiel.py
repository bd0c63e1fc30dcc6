"""OpenSpiel's histories: its own random games replay to its returns."""

import importlib.util
import random

import pytest

import jaxcards
from jaxcards import records
from jaxcards.records import formats, openspiel
from jaxcards.records.items import Read, Refused
from jaxcards.records.record import game_of

needs_openspiel = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="open_spiel is not installed"
)
EUCHRE = "euchre() 3, 13, 1, 9, 19, 18, 15, 11, 22, 16, 12, 4, 14, 3, 7, 5, 2, 17, 20, 23, 21, 6"


def played(text, seed):
    """Return a game of OpenSpiel, and a random finished state of it."""
    import pyspiel

    game = pyspiel.load_game(text)
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return game, state


def returns_of(record):
    game = game_of(record)
    points = list(record.points)
    if game.teams is None:
        return points
    return [own - points[1 - side] for own, side in zip(points, game.teams, strict=True)]


@needs_openspiel
@pytest.mark.differential
@pytest.mark.parametrize(
    "text",
    [
        "euchre()",
        "euchre(allow_lone_defender=True,stick_the_dealer=False)",
        pytest.param("oh_hell(num_tricks_fixed=10,players=4)", marks=pytest.mark.slow),
        pytest.param(
            "oh_hell(num_tricks_fixed=3,off_bid_penalty=True,players=5)", marks=pytest.mark.slow
        ),
    ],
)
def test_its_random_games_replay_to_its_returns(text, tmp_path):
    games = [played(text, seed) for seed in range(40)]
    path = tmp_path / "games.openspiel"
    path.write_text("".join(f"{game} {state.history_str()}\n" for game, state in games))
    assert formats.format_to_read(path).name == "OpenSpiel histories"
    found = [item.record for item in formats.format_to_read(path).read(path)]
    assert records.problems(found) == [None] * 40
    assert [returns_of(record) for record in found] == [state.returns() for _, state in games]


@needs_openspiel
@pytest.mark.differential
def test_a_serialized_state_is_read(tmp_path):
    import pyspiel

    game, state = played("euchre()", 1)
    path = tmp_path / "state.txt"
    path.write_text(pyspiel.serialize_game_and_state(game, state))
    (item,) = formats.format_to_read(path).read(path)
    assert item.place == "the state" and returns_of(item.record) == state.returns()


def test_what_is_not_dealt_is_unknown():
    record = openspiel.read_line(EUCHRE)
    deck = jaxcards.make("euchre").deck
    assert record.unknown == (21, 22, 23) and record.actions == () and record.dealer == 3
    # The dealer gets the first card, 13: its ranks change slowest.
    assert deck.name(record.deck[15]) == "Qd" and deck.name(record.deck[20]) == "Th"
    assert records.problems([record]) == [None]


@pytest.mark.parametrize(
    "text, words",
    [
        ("chess() 1", "is not a history of euchre"),
        ("euchre() 1, x", "is not a history of euchre"),
        ("euchre(", "is not a history of euchre"),
        ("euchre(players=3) 1", "euchre has no parameter 'players'; it has allow_lone_defender"),
        ("euchre(stick_the_dealer=1) 1", "stick_the_dealer must be True or False, not '1'"),
        ("oh_hell(players=x) 1", "players must be a whole number, not 'x'"),
        ("oh_hell(num_suits=3) 1", "num_suits=3 is not played here, only 4"),
        ("oh_hell(players=9) 1 1", "must begin with the size of the hands, for 3 to 7 players"),
        ("oh_hell() 5 4 1", "hands of 5 cards and dealer 4 do not fit the game"),
        ("oh_hell() 5 1 1", "the cards are not dealt: there are 3 numbers"),
        ("euchre() 1 2 3", "the cards are not dealt: there are 3 numbers, but 22 deal them"),
        (EUCHRE.replace(" 3, ", " 4, "), "the dealer must be from 0 to 3, not 4"),
        (EUCHRE.replace(" 13, ", " 24, "), "24 is not a card of euchre"),
        (EUCHRE + ", 99", "99 is not an action of euchre"),
        (EUCHRE + ", -1", "'-1' is not an action of OpenSpiel"),
    ],
)
def test_a_history_that_cannot_be_is_refused(text, words):
    with pytest.raises(jaxcards.UserError) as error:
        openspiel.read_line(text)
    assert words in str(error.value)


def test_a_wrong_history_is_refused_and_the_next_is_read(tmp_path):
    path = tmp_path / "a.openspiel"
    twice = EUCHRE.replace(" 13, 1,", " 13, 13,")
    path.write_text(f"{EUCHRE}\n{twice}\nrubbish\n{EUCHRE}, 30\n")
    items = list(openspiel.read(path))
    assert [type(item) for item in items] == [Read, Refused, Refused, Read]
    assert items[1].reason == "a card is dealt twice"
    problems = records.problems([items[0].record, items[3].record])
    assert problems[0] is None and "'team' of player" in problems[1]
