"""Tables that wait for invited people: play begins when all seats are taken."""

import pytest

from serve.running import Seat


def guest(server, seat, place, name):
    """Take the seat of an invitation."""
    invitation = seat.look()["seats"][place]["invitation"]
    body = {"invitation": invitation, "name": name}
    answer = server.ask("POST", f"/api/tables/{seat.id}/join", body)
    return Seat(server, seat.id, answer.json()["token"])


def test_the_cards_are_shown_once_all_invited_people_have_come(server):
    seat = server.sit("euchre", seats=["random", "person", "you", "person"], name="Anna")
    state = seat.look()
    assert (state["status"], state["view"], state["log"], state["turn"]) == ("waiting", None, [], 0)
    refused = seat.ask("POST", "/actions", {"turn": 0, "action": 0})
    assert refused.status_code == 409 and "No move is possible" in refused.json()["error"]
    bea = guest(server, seat, 1, "Bea")
    shown = [place["shown"] for place in seat.look()["seats"]]
    assert [text["key"] for text in shown] == ["seat.named"] * 3 + ["seat.invited"]
    assert [text["args"]["name"] for text in shown[:3]] == ["Alma", "Bea", "Anna"]
    assert bea.look()["status"] == "waiting"
    guest(server, seat, 3, "Cleo")
    assert seat.look()["view"] and bea.look()["view"]


def test_only_the_host_fills_the_free_seats(server):
    seat = server.sit("euchre", seats=["you", "person", "person", "random"])
    bea = guest(server, seat, 1, "Bea")
    assert not any(place["invitation"] for place in bea.look()["seats"])
    refused = bea.ask("POST", "/fill")
    assert refused.status_code == 403 and "Only the person who opened" in refused.json()["error"]
    link = seat.look()["seats"][2]["invitation"]
    state = seat.ask("POST", "/fill").json()
    assert [place["kind"] for place in state["seats"]] == ["person", "person", "champion", "random"]
    assert state["status"] == "playing" and state["view"]
    late = {"invitation": link, "name": "Cleo"}
    assert server.ask("POST", f"/api/tables/{seat.id}/join", late).status_code == 403
    again = seat.ask("POST", "/fill").json()
    assert again["seats"] == state["seats"]


@pytest.mark.slow
def test_a_guest_is_the_host_when_the_host_has_left(server):
    seat = server.sit("euchre", seats=["you", "person", "person", "random"])
    bea, link = guest(server, seat, 1, "Bea"), seat.look()["seats"][2]["invitation"]
    assert seat.ask("POST", "/leave").status_code == 204
    assert bea.look()["seats"][2]["invitation"] == link
    asked = server.ask("POST", f"/api/tables/{seat.id}/invitation", {"invitation": link})
    assert asked.json()["host"] == "Bea"
    assert bea.ask("POST", "/fill").json()["status"] == "playing"
