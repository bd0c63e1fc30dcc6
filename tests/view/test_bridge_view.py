"""The view of Bridge: the auction, the open dummy that the declarer plays, and the result."""

import jax
import numpy as np
import pytest

import jaxcards
from jaxcards.view.look import look as view_of
from jaxcards.view.text import Text

CALLS = ("bid 1S", "pass", "bid 2S", "double", "pass", "pass", "pass")
LEADER = 1


@pytest.fixture(scope="module")
def deal():
    """Return the game, and the states of a deal: seat 0 declares 2S doubled, and seat 1 leads."""
    game = jaxcards.make("bridge/open_spiel")
    states = [game.init_from_deck(np.arange(52), 0)]
    for name in CALLS:
        states.append(game.checked_step(states[-1], name))
    while not states[-1].terminated:
        legal = np.flatnonzero(game.legal_action_mask(states[-1]))
        states.append(game.checked_step(states[-1], int(legal[0])))
    return game, states


def look(deal, number, player):
    game, states = deal
    return view_of(game, states[number], player)


@pytest.mark.slow_after(1)
def test_bridge_calls_are_shown_by_seat(deal):
    view = look(deal, 4, 0)
    assert [call.key for call in view.seats[0].calls] == ["said.contract"]
    assert [call.key for call in view.seats[3].calls] == ["said.double_bid"]
    assert view.say(view.facts[0]) == "2 ♠ doubled" and view.phase == Text("ask.contract")


def test_bridge_dummy_lies_open_after_the_lead_and_the_declarer_plays_it(deal):
    before, after = look(deal, len(CALLS), 0), look(deal, len(CALLS) + 1, 0)
    assert before.seats[2].hand is None and len(after.seats[2].hand) == 13
    assert [role.key for role in after.seats[2].roles] == ["role.dummy"]
    assert after.to_act == 2 and after.phase == Text("ask.play_dummy")
    assert {choice.card for choice in after.choices} == set(after.seats[2].hand)
    for player in (1, 2, 3):
        seen = look(deal, len(CALLS) + 1, player)
        assert len(seen.seats[2].hand) == 13 and not seen.choices
        assert seen.seats[0].hand is None and seen.to_act == 2


def test_bridge_result_names_the_contract_and_both_scores(deal):
    view = look(deal, len(deal[1]) - 1, 0)
    first, *scores = map(view.say, view.result)
    assert first.startswith("2 ♠ doubled by seat 0: ")
    points = jax.device_get(deal[0].points(deal[1][-1]))
    assert [score.partition(": ")[2] for score in scores] == [f"{points[n]} points" for n in (0, 1)]


@pytest.mark.parametrize(
    ("language", "standing", "honours"),
    [
        ("en", "seat 0 and seat 2: 60, seat 1 and seat 3: 30", "honours of seat 0: 150"),
        ("de", "Platz 0 und Platz 2: 60, Platz 1 und Platz 3: 30", "Platz 0: 150 für Honneurs"),
        ("fr", "place 0 et place 2 : 60, place 1 et place 3 : 30", "place 0 : 150 d'honneurs"),
    ],
)
def test_a_rubber_shows_what_is_below_the_line_and_honours(deal, language, standing, honours):
    game, played = jaxcards.make("bridge/rubber"), deal[1][-1]
    state = game.init_from_deck(np.arange(52), 0, part_scores=(6, 3))
    view = view_of(game, state, 1)
    assert [view.say(fact, language) for fact in view.facts] == [standing]
    # The cards and calls of another deal, in which the declarer has all spades.
    over = played.with_public(last=played.public.last | state.public.last)
    view = view_of(game, over, 1)
    assert honours in [view.say(text, language) for text in view.result]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_bridge_texts_have_words(deal, language):
    for number in (0, 4, len(CALLS) + 1, len(deal[1]) - 1):
        view = look(deal, number, 0)
        texts = [view.phase, *view.facts, *view.result, *(choice.text for choice in view.choices)]
        assert all(view.say(text, language) != text.key for text in texts)
