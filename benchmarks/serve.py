"""How many tables a server holds: `python benchmarks/serve.py --tables 200 --seconds 30`.

It starts `jaxcards serve` without pauses, opens tables, and lets one person at each of them move so
often that every table has one move a second, its players' moves included. An answer is the time from a
person's action to the event with the next player's move. With `--searches N` so many of the tables have
searches (32 worlds) for players.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from jaxcards.bench.machine import describe

RESULTS = Path(__file__).parent / "results"
NETWORK, SEARCH = "champion", "search:32"


class Player:
    """A person at a table, who moves at a pace and writes down how long answers took."""

    def __init__(self, client, game, kind, pace):
        self.client, self.game, self.kind, self.pace = client, game, kind, pace
        self.times, self.moves, self.source = [], 0, random.Random(id(self))

    async def sit(self):
        body = {"game": self.game, "seats": ["you"] + [self.kind] * 3}
        answer = await self.client.post("/api/tables", json=body)
        answer.raise_for_status()
        self.seat = answer.json()
        self.table = f"/api/tables/{self.seat['id']}"
        self.headers = {"Authorization": f"Bearer {self.seat['token']}"}
        while (await self.look())["status"] == "preparing":
            await asyncio.sleep(0.5)

    async def look(self):
        return (await self.client.get(self.table, headers=self.headers)).json()

    async def play(self, until):
        """Plays until a time, as the events of the table ask for it."""
        acted, events = None, f"{self.table}/events"
        await asyncio.sleep(self.source.random() * 4 * self.pace)
        async with self.client.stream("GET", events, headers=self.headers, timeout=120) as stream:
            async for line in stream.aiter_lines():
                if time.monotonic() > until:
                    return
                if not line.startswith("data: "):
                    continue
                state = json.loads(line[6:])
                if acted and state["turn"] > acted[0] + 1:
                    self.times.append(time.monotonic() - acted[1])
                    acted = None
                self.moves += 1
                acted = await self.answer(state) or acted

    async def answer(self, state):
        """Acts where it can; returns the turn and the time of an action that others follow."""
        path, body = "", {"turn": state["turn"]}
        legal = [
            c["action"] for c in (state["view"] or {"choices": []})["choices"] if not c["forbidden"]
        ]
        if legal:
            path, body["action"] = "/actions", self.source.choice(legal)
        elif state["status"] == "deal over":
            path = "/deals"
        if not path:
            return None
        await asyncio.sleep(4 * self.pace)  # four at a table move, each once in its time
        begun = time.monotonic()
        answer = await self.client.post(self.table + path, json=body, headers=self.headers)
        answer.raise_for_status()
        view = answer.json()["view"]
        followed = path == "/actions" and view["to_act"] not in (None, 0)
        return (state["turn"], begun) if followed else None


async def measure(address, args):
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=600) as client:
        kinds = [SEARCH] * args.searches + [NETWORK] * (args.tables - args.searches)
        players = [Player(client, args.game, kind, args.pace) for kind in kinds]
        for kind in sorted(set(kinds)):  # the first of each kind compiles
            await next(player for player in players if player.kind == kind).sit()
        await asyncio.gather(*(player.sit() for player in players))
        for warm in (True, False):  # the larger batches are compiled while the first tables play
            for player in players:
                player.times, player.moves = [], 0
            until = time.monotonic() + (args.warm if warm else args.seconds)
            await asyncio.gather(*(player.play(until) for player in players))
    return players


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
    parser.add_argument("--out", type=Path, help="where the result goes")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "jaxcards", "serve", "--port", "0", "--pause", "0"]
        command += ["--requests-per-second", "1000000", "--burst", "1000000"]
        command += ["--max-tables-of-person", "1000", "--data", f"{folder}/tables.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = server.stdout.readline().split()[4].rstrip("/")
            players = asyncio.run(measure(address, args))
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
