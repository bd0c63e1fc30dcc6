"""Requests that the API grants and refuses; a refusal leaves the table as it was."""

import json
import socket

import httpx
import pytest

from jaxcards.records import check, from_line
from serve.running import SEATS, Running, Seat, quick_settings


@pytest.fixture(scope="module")
def seat(server):
    """Return a table of Euchre at which it is this seat's turn."""
    seat = server.sit("euchre", seats=["you", "random", "random", "random"])
    seat.play(actions=1)
    return seat


def untouched(seat, before):
    assert seat.look() == before


# ---- Playing ------------------------------------------------------------------------------------


def check_results_agree(seat, over):
    """Table, review and record of a finished deal agree on its result."""
    view, record = over["view"], from_line(seat.ask("GET", "/record").text)
    review = seat.ask("GET", "/review").json()
    assert view["outcome"] and view["result"]
    for part in ("outcome", "verdict", "result", "scores"):
        assert review[part] == view[part], part
    assert review["points"] == list(record.points)
    assert review["dealt"]["seats"][0]["name"] == view["seats"][0]["name"], "you, as at the table"
    for scores in (review["scores"], review["views"][-1]["scores"]):
        for score in scores:
            owners = {view["seats"][number]["player"] for number in score["seats"]}
            assert {record.points[player] for player in owners} == {score["result"]}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["euchre/three_handed", "rikiki/standard3"])
def test_table_review_and_record_agree_on_the_result_of_a_deal(server, game):
    seat = server.sit(game, seats=["you", "random", "random"])
    check_results_agree(seat, seat.play())


def test_a_deal_is_played_to_its_end_and_its_record_replays(server):
    seat = server.sit("euchre")
    over = seat.play()
    assert over["status"] == "deal over" and over["view"]["result"]
    record = from_line(seat.ask("GET", "/record").text)
    check(record)  # plays it again by the engine, and compares the points
    results = [score["result"] for score in over["view"]["scores"]]
    assert results == [record.points[0], record.points[1]]
    assert seat.ask("POST", "/deals", {"turn": over["turn"]}).status_code == 200
    following = seat.my_turn()
    assert following["number"] == 1 and following["turn"] > over["turn"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "game, totals, deals, shown",
    [("euchre", [9, 7], 12, [9, 7]), ("jass/schieber_1000", [900, 40], 0, [900, 40]),
     ("rikiki", [1, -2, 3, 4], 18, [1, -2, 3, 4])],
)  # fmt: skip
def test_a_match_begins_at_any_standing(server, game, totals, deals, shown):
    seat = server.sit(game, match=True, totals=totals, deals_before=deals)
    told = seat.look()
    assert told["number"] == deals
    assert [score["total"] for score in told["view"]["scores"]] == shown
    while (over := seat.play())["status"] != "over":
        assert seat.ask("POST", "/deals", {"turn": over["turn"]}).status_code == 200
    assert over["number"] <= deals + 6
    kinds = {found["kind"] for found in results_of(server, seat)}
    assert kinds == {"deal"}  # the match began elsewhere


def results_of(server, seat):
    return server.ask("GET", "/api/statistics", token=seat.person).json()["results"]


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"totals": [9, 7]}, "totals and deals_before are of a match"),
        ({"match": True, "totals": [9, 7, 1]}, "totals must be 2 numbers"),
        ({"match": True, "totals": [10, 7]}, "totals"),
        ({"match": True, "deals_before": 10**9}, "num_deals"),
    ],
)
def test_an_impossible_standing_is_refused(server, wrong, said):
    answer = server.ask("POST", "/api/tables", {"game": "euchre", "seats": SEATS, **wrong})
    assert answer.status_code == 400 and said in answer.json()["error"]


def sit_at_record(server, line, **more):
    answer = server.ask("POST", "/api/records", {"record": line, **more})
    assert answer.status_code == 201, answer.text
    return server.wait(Seat(server, **{k: answer.json()[k] for k in ("id", "token", "person")}))


def test_a_saved_deal_is_opened_again_and_played_on_from_any_move(server):
    played = server.sit("euchre")
    played.play()
    line = played.ask("GET", "/record").text
    record = from_line(line)
    again = sit_at_record(server, line)
    assert again.look()["status"] == "deal over"
    found = again.ask("GET", "/review").json()
    assert [move["action"] for move in found["moves"]] == list(record.actions)
    you, *others = (seat["name"] for seat in found["dealt"]["seats"])
    assert record.players == ("guest", "heuristic", "random", "heuristic 2")
    assert you["key"] == "seat.you", "as at the table, not the guest of the record"
    assert [name["args"]["name"] for name in others] == ["Hugo", "Nora", "Oscar"]
    assert from_line(again.ask("GET", "/record").text) == record

    place = len(record.actions) - 6
    on = sit_at_record(server, line, move=place, player=2, others="random")
    assert on.look()["player"] == 2 and on.look()["turn"] >= place
    assert on.play(seed=3)["status"] == "deal over"
    after = from_line(on.ask("GET", "/record").text)
    check(after)
    assert after.deck == record.deck and after.actions[:place] == record.actions[:place]
    assert after.players[2] == "guest" and "random" in after.players
    for seat in (again, on):  # all hands were known
        assert not server.ask("GET", "/api/statistics", token=seat.person).json()["results"]
    assert again.ask("POST", "/deals", {"turn": again.look()["turn"]}).status_code == 200
    assert again.my_turn()["number"] == 1


def test_a_record_that_cannot_be_played_is_refused(server):
    played = server.sit("euchre")
    played.play()
    line = played.ask("GET", "/record").text
    record = json.loads(line)
    common = {name: record[name] for name in ("format", "version", "game")}
    deal = {name: part for name, part in record.items() if name not in (*common, "record")}
    twice = record["deck"][:2] + record["deck"][:2] + record["deck"][4:]
    for body, why in [
        ({"record": "nonsense"}, "the record is not valid JSON"),
        ({"record": json.dumps(record | {"deck": twice})}, "deck"),
        ({"record": json.dumps(common | {"record": "match", "deals": [deal]})}, "this is a match"),
        ({"record": line, "move": 500}, "there is no move 500"),
        ({"record": line, "player": 7}, "there is no player 7"),
        ({"record": line, "others": "runs/secret"}, "unknown player"),
    ]:
        answer = server.ask("POST", "/api/records", body)
        assert answer.status_code == 400 and why in answer.json()["error"], answer.text
        assert "\n" not in answer.json()["error"]
    before = server.app.state.tables.store.counts("")[0]
    other = {"actions": [*record["actions"][:-1], record["actions"][0]]}
    for change, why in [
        (other, "error.record_move"),
        ({"points": [9, 9, 9, 9]}, "error.record_points"),
    ]:
        seat = sit_at_record(server, json.dumps(record | change))
        look = seat.look()
        assert look["status"] == "failed" and look["failure"]["key"] == why
    assert server.app.state.tables.store.counts("")[0] == before


@pytest.mark.slow
def test_a_match_goes_on_until_somebody_has_won(server):
    seat = server.sit("euchre", match=True, rules={"target": 2})
    for deal in range(20):
        state = seat.play(seed=deal)
        if state["status"] == "over":
            break
        assert state["status"] == "deal over"
        assert seat.ask("POST", "/deals", {"turn": state["turn"]}).status_code == 200
    assert state["status"] == "over" and state["view"]["result"][-1]["key"] == "result.match_won"
    assert max(score["total"] + score["result"] for score in state["view"]["scores"]) >= 2
    check_results_agree(seat, state)
    late = seat.ask("POST", "/deals", {"turn": state["turn"]})
    assert late.status_code == 409 and "match is over" in late.json()["error"]
    answer = server.ask("GET", "/api/statistics", token=seat.person).json()
    (match,) = [group for group in answer["groups"] if group["kind"] == "match"]
    assert match["played"] == 1 and match["won"] in (0, 1) and match["opponents"] == "heuristic, random"
    deals = [result for result in answer["results"] if result["kind"] == "deal"]
    assert len(deals) == state["number"] + 1


def test_events_tell_each_action_and_go_on_after_a_dropped_connection(server):
    seat = server.sit("euchre", seats=["you", "random", "random", "random"])
    stream = seat.events()
    first = next(stream)
    stream.close()
    state = seat.play(3)
    missed = []
    for event in seat.events(last=first["turn"]):
        missed.append(event["turn"])
        if event["turn"] == state["turn"]:
            assert event == state
            break
    assert missed == list(range(first["turn"] + 1, state["turn"] + 1))


def test_an_invited_person_sits_down_once(server):
    seat = server.sit("euchre", seats=["you", "random", "person", "random"], name="Anna")
    free = seat.look()["seats"][2]
    assert free["free"] and free["invitation"]
    asked = {"invitation": free["invitation"], "name": "<b>Bea</b>"}
    question = "POST", f"/api/tables/{seat.id}/invitation", {"invitation": free["invitation"]}
    assert server.ask(*question).json() == {"host": "Anna", "game": "euchre/standard"}
    answer = server.ask("POST", f"/api/tables/{seat.id}/join", asked)
    guest = Seat(server, seat.id, answer.json()["token"])
    again = server.ask("POST", f"/api/tables/{seat.id}/join", asked)
    assert again.status_code == 403 and "has been used" in again.json()["error"]
    assert again.json()["text"] == {"key": "error.invitation_used", "args": {}}
    assert server.ask(*question).status_code == 403
    own, theirs = seat.look(), guest.look()
    assert own["view"]["seats"][2]["name"]["args"] == {"name": "<b>Bea</b>"}
    assert theirs["view"]["seats"][0]["name"]["args"] == {"name": "Anna"}
    assert theirs["player"] == 2 and not any(place["invitation"] for place in theirs["seats"])
    hands = [state["view"]["seats"][n]["hand"] for state, n in ((own, 0), (theirs, 2))]
    assert all(hands) and own["view"]["seats"][2]["hand"] is theirs["view"]["seats"][0]["hand"] is None
    assert guest.ask("POST", "/leave").status_code == 204
    assert seat.look()["seats"][2]["name"] == "heuristic for <b>Bea</b>"
    assert guest.ask("GET").status_code == 403
    assert seat.ask("POST", "/leave").status_code == 204 and seat.ask("GET").status_code == 404


# ---- Refusals -----------------------------------------------------------------------------------


def test_actions_that_are_late_repeated_illegal_or_not_ones_own_change_nothing(server, seat):
    state = seat.my_turn()
    legal = [c["action"] for c in state["view"]["choices"] if not c["forbidden"]]
    for turn, action, why in [
        (state["turn"] - 1, legal[0], "The table is at turn"),
        (state["turn"] + 1, legal[0], "The table is at turn"),
        (state["turn"], next(a for a in range(100) if a not in legal), "not legal now"),
        (state["turn"], 10**6, "not legal now"),
    ]:
        answer = seat.ask("POST", "/actions", {"turn": turn, "action": action})
        assert answer.status_code == 409 and why in answer.json()["error"]
    other = server.sit("euchre")
    for token in (other.token, "x" * 32, seat.token[:-1]):
        stranger = Seat(server, seat.id, token)
        calls = [("GET", "", None), ("POST", "/actions", {"turn": state["turn"], "action": legal[0]})]
        calls += [("POST", "/leave", None), ("GET", "/events", None), ("GET", "/review", None)]
        calls += [("POST", "/hint", {"turn": state["turn"]}), ("POST", "/deals", {"turn": 0})]
        assert {stranger.ask(*call).status_code for call in calls} == {403}
    assert server.ask("GET", f"/api/tables/{seat.id}").status_code == 401
    assert server.ask("GET", "/api/tables/unknown", token=seat.token).status_code == 404
    untouched(seat, state)
    assert seat.act(state, legal[0]).status_code == 200
    repeated = seat.act(state, legal[0])
    assert repeated.status_code == 409


@pytest.mark.parametrize(
    "body, status, why",
    [
        (b"{", 422, "JSON"),
        (b'{"turn": 1}', 422, "action"),
        (b'{"turn": "1", "action": 2}', 422, "turn"),
        (b'{"turn": 1, "action": true}', 422, "action"),
        (b'{"turn": 1, "action": 1e300}', 422, "action"),
        (b'{"turn": 1, "action": 2, "token": 3}', 422, "token"),
        (b'{"turn": NaN, "action": 2}', 422, ""),
        (b"[" * 10_000, 400, ""),
        (b"\xff\xfe", 422, ""),
        (b" " * 20_000, 413, "at most 16384 bytes"),
    ],
)
def test_malformed_actions_are_refused_in_one_line(server, seat, body, status, why):
    before = seat.look()
    headers = {"Authorization": f"Bearer {seat.token}", "Content-Type": "application/json"}
    address = f"/api/tables/{seat.id}/actions"
    answer = server.client.post(address, content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) <= {"error", "text"} and why in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    untouched(seat, before)


def test_a_huge_body_in_pieces_is_broken_off(server):
    pieces = (b" " * 4096 for _ in range(100))
    answer = server.client.post("/api/tables", content=pieces)
    assert answer.status_code == 413


def test_a_body_with_two_lengths_is_refused_and_the_connection_closed(server):
    """A proxy that believes `Content-Length` would pass the rest on as a request of its own."""
    host, _, port = server.address.removeprefix("http://").partition(":")
    body = "0\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = f"POST /api/games/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n{body}".encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    assert answer.startswith("HTTP/1.1 400") and answer.count("HTTP/1.1 ") == 1
    assert "either Content-Length or Transfer-Encoding" in answer


@pytest.mark.parametrize(
    "change, why",
    [
        ({"game": "eucher"}, "did you mean 'euchre'"),
        ({"game": "euchre/x"}, "unknown preset"),
        ({"rules": {"targte": 5}}, "did you mean 'target'"),
        ({"rules": {"target": -5}}, "target"),
        ({"seats": ["you", "random"]}, "has 4 players"),
        ({"seats": ["you", "you", "random", "random"]}, "one of the seats"),
        ({"seats": ["you", "runs/secret", "random", "random"]}, "unknown player"),
        ({"name": ""}, "A name has"),
        ({"name": "a\u202eb"}, "A name has"),
        ({"game": "sheepshead", "match": True, "seats": ["you"] + ["random"] * 5}, "players"),
    ],
)
def test_tables_that_cannot_be_are_refused(server, change, why):
    body = {"game": "euchre", "seats": ["you", "random", "random", "random"], **change}
    answer = server.ask("POST", "/api/tables", body)
    assert answer.status_code == 400 and why in answer.json()["error"]


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": "127.0.0.1.evil.example"}, 400),
        ({"Host": "localhost"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_other_hosts_and_origins_are_refused(server, headers, status):
    assert server.client.get("/api/games", headers=headers).status_code == status


def test_answers_forbid_scripts_from_elsewhere(server):
    for path in ("/", "/api/games", "/nowhere", "/cards.svg"):
        headers = server.client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert server.client.get("/api/games").headers["cache-control"] == "no-store"


def test_floods_and_too_many_tables_are_refused(tmp_path):
    limits = {"requests_per_second": 0.001, "burst": 12, "max_tables_of_person": 1, "max_tables": 2}
    with Running(quick_settings(tmp_path / "x.sqlite", **limits)) as server:
        body = {"game": "rikiki/standard3", "seats": ["you", "random", "random"]}
        first = server.ask("POST", "/api/tables", body).json()
        answer = server.ask("POST", "/api/tables", body | {"person": first["person"]})
        assert answer.status_code == 429 and "Leave one" in answer.json()["error"]
        server.ask("POST", "/api/tables", body)
        assert server.ask("POST", "/api/tables", body).json()["error"].startswith("All tables")
        statuses = [server.client.get("/health").status_code for _ in range(12)]
        assert statuses[0] == 200 and statuses[-1] == 429
        httpx.get(f"{server.address}/health")


def test_the_api_describes_itself(server):
    schema = server.client.get("/openapi.json").json()
    paths = {path for path in schema["paths"] if path.startswith("/api/tables/{id}")}
    names = "actions deals fill hint events review leave invitation join why record costs".split()
    assert paths == {"/api/tables/{id}", *(f"/api/tables/{{id}}/{name}" for name in names)}
    for path, methods in schema["paths"].items():
        for method, call in methods.items():
            assert call["summary"], (path, method)
    assert "http" not in json.dumps(schema).replace("HTTP", "")
