"""Searches in a process of their own: what they get, what they answer, and how they end."""

import asyncio
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import jax
import numpy as np
import pytest
from support import quick
from support.marks import by_cost

import jaxcards
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.host.programs import LOOK, Programs
from jaxcards.play.hints import Hints
from jaxcards.serve import tables as tables_module
from jaxcards.serve.refusals import Unavailable
from jaxcards.serve.searches.games import GameSearches
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.remote import Searches
from jaxcards.serve.searches.requests import LOAD, SearchedGame, Setup
from jaxcards.serve.store import Store
from jaxcards.serve.table import DEAL_OVER, PLAYING, PREPARING
from jaxcards.serve.tables import Tables
from jaxcards.view.text import render
from jaxcards.xla import prng
from serve import odd_players
from serve.odd_players import cheap
from serve.running import quick_settings

EUCHRE, RIKIKI = SearchedGame("euchre", "{}", False), SearchedGame("rikiki/standard3", "{}", False)
LUCK = np.asarray([7, 11], np.uint32)


@pytest.fixture(scope="module")
def process():
    """Return a process whose players may be deadly."""
    made = SearchProcess(Setup(odd_players.load, 2))
    yield made
    made.close()


@pytest.fixture(scope="module")
def programs():
    return Programs(jaxcards.make("euchre"))


@pytest.fixture(scope="module")
def looks(programs):
    """Return a deal of Euchre, before each action."""
    source = np.random.default_rng(3)
    row = programs.one("begin", LUCK)
    found = [programs.look(programs.one("advance", row, LOOK))]
    while not found[-1].over:
        action = source.choice(np.flatnonzero(found[-1].legal))
        found.append(programs.look(programs.one("advance", found[-1].state, np.int32(action))))
    return found[:-1]


class InPlace:
    """Stands for the process, and answers here; keeps what it was asked."""

    def __init__(self, game):
        self.ready, self.asked = set(), []
        self._searches = GameSearches(Setup(cheap, 4), game, False)

    def ask(self, lane, game, method, *args):
        self.asked.append((method, pickle.dumps(args)))
        return getattr(self._searches, method)(*pickle.loads(self.asked[-1][1]))


@pytest.fixture(scope="module")
def here(programs):
    return InPlace(programs.game)


# ---- What they answer ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_search_moves_as_its_agent_does_with_the_key_of_the_table(programs, looks, here):
    searches, game = Searches(here, programs.game, False), programs.game
    agent, params = cheap("search", game)

    @quick.jit
    def direct(deal, number):  # gets the deal itself
        key = prng.wrap(prng.fold(prng.fold(prng.key_words(LUCK), 2), number))
        observation = game.observe(deal, deal.current_player)
        return agent.act(params, observation, game.legal_actions(deal), key)

    for n, look in enumerate(looks):
        action = searches.choose("search", (*look.asked, LUCK, np.uint32(2), np.uint32(n)))
        assert action == direct(programs.state.read(look.state), np.uint32(n))
    assert any(np.count_nonzero(look.legal) > 1 for look in looks)


@pytest.mark.slow  # compiles the same search twice
def test_a_hint_is_that_of_the_terminal(programs, looks, here):
    agent, params = cheap("champion", programs.game)
    hints = Hints(programs.game, agent, params, worlds=4, name="heuristic")
    place = next(n for n in range(len(looks) - 1, -1, -1) if np.count_nonzero(looks[n].legal) > 1)
    state = programs.state.read(looks[place].state)
    found = Searches(here, programs.game, False).hint(looks[place], place)
    assert found == hints.hint(state, place) and len(found.worths) > 1


def test_a_search_gets_nothing_that_its_player_does_not_see(programs, looks, here):
    """The search gets the same request with everything hidden blotted out."""
    searches = Searches(here, programs.game, False)

    def asked(look):
        searches.choose("search", (*look.asked, LUCK, np.uint32(2), np.uint32(0)))
        return here.asked[-1]

    for look in looks:
        seen = np.full_like(look.seen, 0xABCDEF)
        seen[look.player] = look.seen[look.player]
        blind = dict(vars(look)) | {"state": np.zeros_like(look.state), "seen": seen, "points": [9] * 4}
        twin = type(look)(**blind)
        assert asked(look) == asked(twin)
        legal = ActionSet(programs.game.action_layout, list(look.asked[1]))
        np.testing.assert_array_equal(jax.device_get(legal.mask()), look.legal)


# ---- How they end -------------------------------------------------------------------------------


def test_errors_come_back_as_one_line_and_the_process_stays(process, capfd):
    assert process.pid is None  # before the first request
    with pytest.raises(UserError, match="did you mean 'champion'"):
        process.ask(LOAD, EUCHRE, "load", "champoin")
    pid = process.pid
    with pytest.raises(RuntimeError, match="failed by RuntimeError"):
        process.ask(LOAD, EUCHRE, "load", "broken")
    told = capfd.readouterr().err
    assert "odd_players.py" in told and "♥J" not in told  # the log has the place, and no cards
    assert process.ask(LOAD, EUCHRE, "load", "heuristic") is None
    assert process.pid == pid


@pytest.mark.slow
def test_a_process_that_dies_is_started_again_once(process, caplog):
    process.ask(LOAD, EUCHRE, "load", "random")
    pid = process.pid
    with pytest.raises(Unavailable, match="ended twice"):
        process.ask(LOAD, EUCHRE, "load", "deadly")
    assert sum("has ended (status -9)" in line for line in caplog.messages) == 2
    assert process.ask(LOAD, EUCHRE, "load", "random") is None
    assert process.pid != pid


def test_who_waits_hears_when_the_server_ends():
    process, heard = SearchProcess(Setup(odd_players.load, 2)), []

    def wait():
        try:
            process.ask(LOAD, EUCHRE, "load", "slow")
        except Unavailable as error:
            heard.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    while not process.busy:
        time.sleep(0.01)
    process.close()
    thread.join(60)
    assert heard == ["The server is shutting down."] and process.pid is None
    with pytest.raises(Unavailable):
        process.ask(LOAD, EUCHRE, "load", "random")


@pytest.mark.slow
def test_a_new_process_begins_when_one_has_had_its_games(process):
    few = SearchProcess(Setup(odd_players.load, 2), most_begun=2)
    few.ask(LOAD, EUCHRE, "load", "random")
    old = few.pid
    few.ask(LOAD, EUCHRE, "load", "heuristic")
    assert few.pid == old
    few.ask(LOAD, RIKIKI, "load", "random")
    assert few.pid == old
    few.ask(LOAD, EUCHRE, "load", "random")
    assert few.pid != old
    with pytest.raises(ProcessLookupError):
        os.kill(old, 0)
    few.close()


_SERVER = """
import sys, threading, time
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.requests import LOAD, SearchedGame, Setup
from jaxcards.serve.store import Store
from jaxcards.view.text import render
from jaxcards.serve.table import DEAL_OVER, PLAYING, PREPARING
from serve import odd_players
from serve.odd_players import cheap
from serve.running import quick_settings
process, asked = SearchProcess(Setup(odd_players.load, 2)), SearchedGame("euchre", "{}", False)
threading.Thread(target=process.ask, args=(LOAD, asked, "load", sys.argv[1])).start()
while process.pid is None or (sys.argv[1] == "random" and process.busy):
    time.sleep(0.02)
print(process.pid, flush=True)
threading.Event().wait()
"""


@pytest.mark.slow
@pytest.mark.parametrize("doing", by_cost(["random", "slow"], {"random"}))
def test_the_process_ends_with_a_server_that_is_killed(doing):
    """Idle or at work: the last process to die closes the common standard error."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", _SERVER, doing]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, **pipes) as server:
        pid = int(server.stdout.readline())
        assert os.getpgid(pid) != os.getpgid(server.pid)  # Ctrl-C in a terminal is not for it
        if doing == "slow":
            assert server.stderr.readline() == b"asleep\n"
        server.kill()
        try:
            assert server.communicate(timeout=60) == (b"", b"")  # waits for the end of both
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


# ---- At a table ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_table_goes_on_when_the_process_of_its_players_is_killed(tmp_path, here):
    """The deal is that of a server which searches by itself."""
    seats, players = ["you", "search", "search", "search"], ("search",)
    settings = quick_settings(tmp_path / "t.sqlite", players=players)

    async def deal(number, killed):
        tables = Tables(settings, Store(settings.file), odd_players.load)
        if not killed:
            tables.library.process = here
        table, _, _ = await tables.open("euchre", {}, False, seats, "Anna", f"{number}")
        while table.status in (PREPARING, PLAYING):
            await asyncio.sleep(0.005)
            table = await tables.find(table.id)
            if killed and len(table.actions) > 3:
                killed = os.kill(tables.process.pid, signal.SIGKILL)
            if table.status == PLAYING and table.player == 0 and not table.busy:
                await table.act(0, table.turn, int(table.look.legal.nonzero()[0][0]))
        tables.close()
        return table.status, table.actions

    def run(number, killed):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tables_module, "new_key", lambda: bytes(range(16)))
            return asyncio.run(deal(number, killed))

    found = run(1, True)
    assert found == run(2, False) and found[0] == DEAL_OVER


def test_a_table_without_its_search_goes_on_when_it_is_looked_at_again(tmp_path, here):
    class Failing:
        ready, failed = here.ready, False

        def ask(self, lane, game, method, *args):
            if method == "choose" and not self.failed:
                self.failed = True
                raise Unavailable("search_ended")
            return here.ask(lane, game, method, *args)

    async def course():
        settings = quick_settings(tmp_path / "t.sqlite", players=("search",))
        tables = Tables(settings, Store(settings.file), cheap)
        tables.library.process = Failing()
        seats = ["you", "search", "search", "search"]
        table, _, _ = await tables.open("euchre", {}, False, seats, "Anna", "")
        while not table.failure:
            mine = table.status == PLAYING and table.player == 0
            if mine and not (await tables.find(table.id)).busy:
                await table.act(0, table.turn, int(table.look.legal.nonzero()[0][0]))
            await asyncio.sleep(0.005)
        again = await tables.find(table.id)
        while again.busy:
            await asyncio.sleep(0.005)
        tables.close()
        return table, again

    failed, again = asyncio.run(course())
    assert render(failed.failure, (), ()).startswith("The search ended twice") and not again.failure
    assert again.actions[: len(failed.actions)] == failed.actions != again.actions


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("wanted", [True, False])
def test_hints_are_compiled_once_when_the_first_table_of_a_game_is_dealt(tmp_path, here, wanted):
    asked = []

    class Noting:
        ready = here.ready

        def ask(self, lane, game, method, *args):
            asked.append(method)
            raise UserError("euchre has no trained player")

    async def course():
        settings = quick_settings(tmp_path / "t.sqlite", players=("heuristic",), prepare_hints=wanted)
        tables = Tables(settings, Store(settings.file), cheap)
        tables.library.process = Noting()
        for number in range(2):
            seats = ["you", "heuristic", "heuristic", "heuristic"]
            table, _, _ = await tables.open("euchre", {}, False, seats, "Anna", f"{number}")
            while table.status == PREPARING or table.busy:
                await asyncio.sleep(0.005)
            assert not table.failure
        tables.close()

    asyncio.run(course())
    assert asked == (["hint"] if wanted else [])
