"""The server is killed in the middle of a deal, or falls silent: the page comes back by itself."""

import os
import random
import signal
import socket
import subprocess
import sys
import time

import httpx
import pytest

from serve.browser.table import click, play_deal, sit

pytestmark = pytest.mark.web


@pytest.fixture
def start(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = []

    def begin():
        command = [sys.executable, "-m", "jaxcards", "serve", "--port", str(port), "--pause", "0"]
        command += ["--data", str(tmp_path / "tables.sqlite"), "--trick-stays", "0.05"]
        command += ["--burst", "5000", "--no-prepare-hints"]
        began = time.monotonic()
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
        said = started[-1].stdout.readline().decode()
        assert f"http://127.0.0.1:{port}/" in said
        while True:
            try:
                assert httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200
                break
            except httpx.TransportError:
                assert time.monotonic() - began < 120
                time.sleep(0.1)
        return started[-1], f"http://127.0.0.1:{port}"

    yield begin
    for server in started:
        server.kill()
        server.wait()
        server.stdout.close()


_SHOWS = """(faces) => {
  const cards = [...document.querySelectorAll(".hand .card")].map((card) => card.dataset.face);
  return document.querySelector(".status.mine") && cards.join() === faces.join();
}"""


def until_my_turn(page):
    """Wait until this person is to act; deal again where all pass, or the others play alone."""
    mine = "#next, main:not(.sent) .status.mine"
    while page.wait_for_selector(mine).get_attribute("id") == "next":
        page.click("#next")
        page.wait_for_selector("#next", state="detached")


def test_killed_in_the_middle(chromium, start):
    server, address = start()
    context = chromium.new_context(base_url=address, locale="en")
    page = context.new_page()
    page.set_default_timeout(90_000)
    sit(page, "euchre/standard", 4)
    source = random.Random(2)
    for _ in range(3):
        until_my_turn(page)
        click(page, source)
        page.wait_for_timeout(100)
    until_my_turn(page)
    before = [card.get_attribute("data-face") for card in page.query_selector_all(".hand .card")]
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    page.wait_for_selector("main.lost")
    start()
    page.wait_for_selector("main:not(.lost) .felt")
    # The page connects, waits for the table to load, and shows the same hand again.
    page.wait_for_function(_SHOWS, arg=before)
    play_deal(page)
    context.close()


def test_a_connection_that_falls_silent_is_given_up(chromium, start):
    """A network that drops packets closes no connection; the page waits for events and an answer."""
    server, address = start()
    context = chromium.new_context(base_url=address, locale="en")
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.clock.install()
    sit(page, "euchre/standard", 4)
    until_my_turn(page)
    os.kill(server.pid, signal.SIGSTOP)
    click(page, random.Random(2))
    page.wait_for_selector("main.sent:not(.lost)")
    page.clock.fast_forward(45_000)
    page.wait_for_selector("main.lost:not(.sent)")
    os.kill(server.pid, signal.SIGCONT)
    page.wait_for_selector("main:not(.lost) .felt")
    play_deal(page)
    context.close()
