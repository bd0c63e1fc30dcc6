"""Programs that play over HTTP: the same deals as our own players, and every failure in one line."""

import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import xla
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.opponents.names import Opponent, opponent
from jaxcards.players.names import game_of, player

EXAMPLE = Path(__file__).parents[2] / "examples" / "http_player.py"
GAME = jaxcards.make("euchre (allow_alone=False)")


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


@pytest.fixture
def example():
    """Return the address of the example, which plays the lowest legal action."""
    command = [sys.executable, str(EXAMPLE), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        yield program.stdout.readline().strip()
        program.terminate()


@pytest.fixture
def server():
    """Return a function that starts a server with a fixed answer, and returns its address."""
    started = []

    def start(status: int, text: str) -> str:
        class Fixed(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *args):
                pass

        started.append(ThreadingHTTPServer(("127.0.0.1", 0), Fixed))
        threading.Thread(target=started[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{started[-1].server_port}/play"

    yield start
    for one in started:
        one.shutdown()
        one.server_close()


def met(address: str, deals: int = 2):
    """Return the evaluation of a program against the lowest legal action."""
    agents = [opponent(address), Lowest()]
    return evaluate(GAME, agents, [(), np.uint32(0)], [address, "lowest"], deals, seed=5)


def test_a_program_plays_as_the_same_player_of_ours(example):
    found = met(example).pairs[0]
    agents, params = [Lowest(), Lowest()], [np.uint32(0)] * 2
    expected = evaluate(GAME, agents, params, ["a", "b"], 2, seed=5).pairs[0]
    assert found.points_a == expected.points_a and found.difference == expected.difference


@pytest.mark.parametrize(
    "status, text, words",
    [
        (500, "broken", "answers with status 500: b'broken'"),
        (200, "seven", "answers 'seven': it must answer {\"action\": NUMBER}"),
        (200, "[7]", "it must answer"),
        (200, '{"action": "7"}', "it must answer"),
        (200, '{"action": true}', "it must answer"),
    ],
)
def test_wrong_answers(server, status, text, words):
    address = server(status, text)
    with pytest.raises(UserError, match=f"^{address} ") as error:
        met(address)
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("action", [-1, 1000])
def test_an_illegal_action_is_named(server, action):
    with pytest.raises(UserError, match=f"chose action {action}, which is not one of .*: deal 0"):
        met(server(200, f'{{"action": {action}}}'))


def test_a_program_that_does_not_run():
    message = "^http://127.0.0.1:9 does not answer .*: start the program first"
    with pytest.raises(UserError, match=message):
        met("http://127.0.0.1:9")


def test_names():
    address = "http://127.0.0.1:9000/a/b"
    named = player(address)
    assert named.opponent == Opponent("http", address) and str(named.opponent) == address
    assert game_of("skat", [named]) == "skat/isko"


WRONG = ["http", "http:", "http://", "http://:9", "http://a:b", "http://[", "https:x"]


@pytest.mark.parametrize("text", WRONG)
def test_addresses_without_a_host(text):
    message = "write the address of a program, such as http://127.0.0.1:9000"
    with pytest.raises(UserError, match=message):
        player(text)
