"""Hints, reviews and costs over HTTP, and tables that have slept."""

import asyncio
import os
import signal
import threading
import time
from types import SimpleNamespace

import pytest

from jaxcards.play.hints import Hint, Worth
from jaxcards.serve import advice as advice_module
from jaxcards.serve import table
from jaxcards.view.structure import Choice, View
from jaxcards.view.text import Text


@pytest.mark.slow
def test_a_hint_comes_though_its_process_is_killed(server):
    seat = server.sit("euchre", seats=["you", "random", "random", "random"])
    state, process, answers = seat.my_turn(), server.app.state.tables.process, []
    ask = lambda: answers.append(seat.ask("POST", "/hint", {"turn": state["turn"]}))  # noqa: E731
    thread = threading.Thread(target=ask)
    thread.start()
    while not process.busy:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    thread.join()
    assert answers[0].status_code == 200 and answers[0].json()["choices"]


@pytest.mark.slow
def test_a_hint_names_the_legal_choices_and_others_thoughts_wait_for_the_end(server, monkeypatch):
    seat = server.sit("euchre", seats=["you", "random", "random", "random"])
    state = seat.my_turn()
    first = seat.ask("POST", "/hint", {"turn": state["turn"], "values": False}).json()
    advice = seat.ask("POST", "/hint", {"turn": state["turn"]}).json()
    assert {c["action"]: c["policy"] for c in first["choices"]} == {
        c["action"]: c["policy"] for c in advice["choices"]
    }
    assert all(c["value"] is None for c in first["choices"])
    assert all(c["value"] is not None for c in advice["choices"])
    assert first["best"] == max(first["choices"], key=lambda c: c["policy"])["action"]
    legal = {c["action"] for c in state["view"]["choices"] if not c["forbidden"]}
    assert {choice["action"] for choice in advice["choices"]} == legal and advice["best"] in legal
    assert abs(sum(choice["policy"] for choice in advice["choices"]) - 1) < 0.01
    state = seat.play(1)
    while state["status"] == "playing" and len(state["log"]) < 3:
        state = seat.play(1)
    if state["status"] == "playing":
        movers = [seat.ask("POST", "/why", {"move": n}).status_code for n in range(len(state["log"]))]
        assert 409 in movers and 200 in movers
        assert seat.ask("GET", "/review").status_code == 409
        assert seat.ask("GET", "/record").status_code == 409
        assert seat.ask("POST", "/costs").status_code == 409
    over = seat.play()
    review = seat.ask("GET", "/review").json()
    assert len(review["views"]) == len(review["moves"]) + 1 == len(over["log"]) + 1
    assert all(place["hand"] for place in review["dealt"]["seats"])
    monkeypatch.setattr(advice_module, "_PATIENCE", 0.02)
    told = []
    while (answer := seat.ask("POST", "/costs")).status_code == 202:
        told.append(answer.json())
    costs = answer.json()
    free = sum(not move["forced"] for move in costs["moves"])
    assert told and sorted(one["done"] for one in told) == [one["done"] for one in told]
    assert {one["all"] for one in told} <= {0, free} and told[-1]["done"] <= free
    assert answer.status_code == 200 and seat.ask("POST", "/costs").json() == costs
    assert [move["played"] for move in costs["moves"]] == [move["action"] for move in review["moves"]]
    assert len(costs["worst"]) <= 3
    other = next(move for move in review["moves"] if move["player"] != 0)
    why = seat.ask("POST", "/why", {"move": other["number"]}).json()
    assert why["played"] == other["action"]


@pytest.mark.slow
def test_a_table_that_slept_shows_its_finished_deal_once_it_is_loaded(server, monkeypatch):
    seat, tables = server.sit("euchre"), server.app.state.tables
    seat.play()
    asked = [("GET", "/review"), ("GET", "/record"), ("POST", "/why", {"move": 0}), ("POST", "/costs")]
    for question in asked:
        del tables._tables[seat.id]  # as `Tables.forget_unused` does
        answer = seat.ask(*question)
        assert answer.status_code in (200, 202), (question, answer.text)

    async def stuck(*args):
        await asyncio.sleep(5)

    monkeypatch.setattr(tables.library, "compile", stuck)
    monkeypatch.setattr(table, "LONGEST_WAIT", 0.05)
    for question in asked:
        tables._tables.pop(seat.id)
        answer = seat.ask(*question)
        assert answer.status_code == 503 and "getting ready" in answer.json()["error"]
        assert answer.headers["retry-after"].isdecimal()


def test_a_hint_counts_penalty_points_as_the_page_does():
    choices = tuple(Choice(card, Text("do.play", card=card), "play", card) for card in (0, 1))
    view = View("g", (), 0, (), 0, None, Text("ask.play"), choices=choices, deal_unit="penalty_points")
    seat = SimpleNamespace(looks=[SimpleNamespace(player=0)], view=lambda player, place: view)
    worths = Worth(1, 0.5, -4.5, 0.5), Worth(0, 0.5, -6.0, 0.5)
    found = advice_module._message(Hint(worths, Text("hint.equal"), 0), seat, 0, 4)
    assert found["unit"] == "penalty_points"
    assert [choice["value"] for choice in found["choices"]] == [4.5, 6.0]
    assert found["reason"]["args"]["other"] == {"key": "{card}", "args": {"card": 0}}
