"""A server in a thread, and a client that plays."""

import asyncio
import json
import random
import threading
import time

import httpx
import uvicorn

from jaxcards.cli.serve import load
from jaxcards.serve.app import make_app
from jaxcards.serve.run import _listen
from jaxcards.serve.settings import ServeSettings

SEATS = ["you", "heuristic", "random", "heuristic"]


def quick_settings(file, **more):
    """Return settings of a server for tests: any port, without pauses and rate limits."""
    usual = {"port": 0, "pause": 0.0, "requests_per_second": 1e6, "burst": 10**6, "hint_worlds": 4}
    usual |= {"trick_stays": 0.02, "nice": 0, "prepare_hints": False}
    return ServeSettings(data=str(file), **(usual | more))


class Running:
    """A server from the beginning to the end of a `with`."""

    def __init__(self, settings, page=None):
        self.settings = settings

    def __enter__(self):
        listener = _listen(self.settings)
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.app = make_app(self.settings, load)
        config = uvicorn.Config(self.app, log_level="critical", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._server.serve(sockets=[listener])), daemon=True
        )
        self._thread.start()
        self.client = httpx.Client(base_url=self.address, timeout=120)
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.02)
        return self

    def __exit__(self, *error):
        self.client.close()
        self._server.should_exit = True
        self._thread.join(30)

    # ---- Playing --------------------------------------------------------------------------------

    def ask(self, method, path, body=None, token=None):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.client.request(method, path, json=body, headers=headers)

    def sit(self, game="euchre", **more):
        """Open a table; return it once it has been dealt."""
        seats = more.pop("seats", SEATS)
        answer = self.ask("POST", "/api/tables", {"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        return self.wait(Seat(self, **{k: answer.json()[k] for k in ("id", "token", "person")}))

    def wait(self, seat):
        while seat.look()["status"] == "preparing":
            time.sleep(0.05)
        return seat


class Seat:
    """A seat at a table, as a client has it."""

    def __init__(self, server, id, token, person=""):
        self.server, self.id, self.token, self.person = server, id, token, person

    def ask(self, method, what="", body=None):
        return self.server.ask(method, f"/api/tables/{self.id}{what}", body, self.token)

    def look(self):
        answer = self.ask("GET")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def my_turn(self):
        """Return the table when it is this seat's turn, or the deal is over."""
        while True:
            state = self.look()
            if (state["view"] and state["view"]["choices"]) or state["status"] != "playing":
                return state
            time.sleep(0.005)

    def act(self, state, action):
        return self.ask("POST", "/actions", {"turn": state["turn"], "action": action})

    def play(self, actions=10**6, seed=0):
        """Play the given number of legal actions, or to the end of the deal; return the last state."""
        source = random.Random(seed)
        for _ in range(actions):
            state = self.my_turn()
            if state["status"] != "playing":
                return state
            legal = [c["action"] for c in state["view"]["choices"] if not c["forbidden"]]
            answer = self.act(state, source.choice(legal))
            assert answer.status_code == 200, answer.text
        return self.my_turn()

    def events(self, last=None):
        """Yield the data of events as they come."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        address = f"/api/tables/{self.id}/events"
        with self.server.client.stream("GET", address, headers=headers) as answer:
            assert answer.status_code == 200
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line[6:])
