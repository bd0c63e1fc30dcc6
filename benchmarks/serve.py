"""Number of tables that a server can hold: `python benchmarks/serve.py --tables 200 --seconds 30`.

The script starts `jaxcards serve` without pauses, and opens tables. One person at each table moves
often enough that every table has one move a second, including its players' moves. An answer is the time
from a person's action to the event with the next player's move. With `--searches N`, N of the tables
have searches (32 worlds) for players. With `--open GAME ...`, tables of these games are opened
meanwhile: an empty folder in XDG_CACHE_HOME makes sure that they must be compiled.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from jaxcards.bench.machine import describe

RESULTS = Path(__file__).parent / "results"
NETWORK, SEARCH = "champion", "search:32"


class Line:
    """A persistent connection: bare HTTP, because a library would need more time than the server."""

    def __init__(self, port, token=""):
        self.port, self.head = port, f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"

    async def send(self, method, path, body=None):
        if not hasattr(self, "writer"):
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=2**20
            )
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self.head}Content-Type: application/json\r\n"
        self.writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)

    async def ask(self, method, path, body=None):
        """Return the body of an answer, unparsed."""
        await self.send(method, path, body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        answer = await self.reader.readexactly(int(head.partition("content-length: ")[2].split()[0]))
        if head.split()[1][0] != "2":
            raise SystemExit(f"{method} {path}: {answer.decode()}")
        return answer

    async def events(self, path):
        """Yield the data of events, unparsed."""
        await self.send("GET", path)
        while line := await self.reader.readline():
            if line.startswith(b"data: "):
                yield line[6:]


class Player:
    """A person at a table, who moves at a pace and records the times of answers."""

    def __init__(self, port, game, kind, pace):
        self.port, self.game, self.kind, self.pace = port, game, kind, pace
        self.times, self.moves, self.source = [], 0, random.Random(id(self))

    async def sit(self):
        asked = await Line(self.port).ask("POST", "/api/games/check", {"game": self.game})
        others = [self.kind] * (json.loads(asked)["players"] - 1)
        body = {"game": self.game, "seats": ["you", *others]}
        seat = json.loads(await Line(self.port).ask("POST", "/api/tables", body))
        self.table = f"/api/tables/{seat['id']}"
        self.line, self.stream = Line(self.port, seat["token"]), Line(self.port, seat["token"])
        while json.loads(await self.line.ask("GET", self.table))["status"] == "preparing":
            await asyncio.sleep(0.5)
        self.events = self.stream.events(f"{self.table}/events")

    async def play(self, until):
        """Play until a time, in response to the events of the table."""
        acted, late = None, asyncio.get_running_loop().time
        while late() < until:
            try:
                # Do not cancel: the pending event belongs to the next interval.
                self.coming = getattr(self, "coming", None) or asyncio.ensure_future(anext(self.events))
                await asyncio.wait_for(asyncio.shield(self.coming), max(until - late(), 0.01))
            except TimeoutError:
                return
            event, self.coming = self.coming.result(), None
            self.moves += 1
            if acted and int(event.partition(b'"turn":')[2].split(b",")[0]) > acted[0] + 1:
                self.times.append(late() - acted[1])
                acted = None
            if b'"choices":[]' not in event or b'"status":"deal over"' in event:
                acted = await self.answer(json.loads(event)) or acted

    async def answer(self, state):
        """Act if possible; return the turn and the time of an action that others follow."""
        path, body, choices = "/deals", {"turn": state["turn"]}, state["view"]["choices"]
        if choices:
            legal = [choice["action"] for choice in choices if not choice["forbidden"]]
            path, body["action"] = "/actions", self.source.choice(legal)
        await asyncio.sleep(4 * self.pace * self.source.uniform(0.8, 1.2))  # four at a table move
        begun = asyncio.get_running_loop().time()
        answer = await self.line.ask("POST", self.table + path, body)
        followed = choices and b'"to_act":0' not in answer and b'"to_act":null' not in answer
        return (state["turn"], begun) if followed else None


async def measure(port, args):
    kinds = [SEARCH] * args.searches + [NETWORK] * (args.tables - args.searches)
    players = [Player(port, args.game, kind, args.pace) for kind in kinds]
    for kind in sorted(set(kinds)):  # the first of each kind compiles
        await next(player for player in players if player.kind == kind).sit()
    await asyncio.gather(*(player.sit() for player in players))
    for seconds in (args.warm, args.seconds):  # the first compiles larger batches
        for player in players:
            player.times, player.moves = [], 0
        until = asyncio.get_running_loop().time() + seconds
        played = asyncio.gather(*(player.play(until) for player in players))
        if seconds == args.seconds:
            await open_others(port, args)
        await played
    return players


async def open_others(port, args):
    """Open tables of further games one by one, which compiles them while others play."""
    for game in args.open:
        begun = asyncio.get_running_loop().time()
        await Player(port, game, NETWORK, args.pace).sit()
        print(f"{game} took {asyncio.get_running_loop().time() - begun:.1f} s", file=sys.stderr)


def summary(players, kind, seconds):
    mine = [player for player in players if player.kind == kind]
    times = sorted(1000 * taken for player in mine for taken in player.times)
    if len(times) < 20:
        return None
    cuts = statistics.quantiles(times, n=100)
    rounded = {"median": cuts[49], "p95": cuts[94], "p99": cuts[98], "most": times[-1]}
    return {
        "tables": len(mine),
        "moves_per_second": round(sum(player.moves for player in mine) / seconds, 1),
        "answers": len(times),
        "milliseconds": {name: round(value, 1) for name, value in rounded.items()},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--searches", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--warm", type=float, default=20, help="seconds of play before it counts")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds for each move of a table")
    parser.add_argument("--game", default="jass")
    parser.add_argument("--open", nargs="*", default=[], help="games that are opened while it counts")
    parser.add_argument("--out", type=Path, help="where the result goes")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "jaxcards", "serve", "--port", "0", "--pause", "0"]
        command += ["--requests-per-second", "1000000", "--burst", "1000000"]
        command += ["--max-tables-of-person", "1000", "--data", f"{folder}/tables.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = int(server.stdout.readline().split()[4].rstrip("/").rpartition(":")[2])
            players = asyncio.run(measure(port, args))
        finally:
            server.terminate()
            server.wait()
    found = {kind: summary(players, kind, args.seconds) for kind in (NETWORK, SEARCH)}
    result = {"game": args.game, "pace": args.pace, "machine": describe(), "players": found}
    print(json.dumps(result, indent=1))
    if args.out:
        args.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
