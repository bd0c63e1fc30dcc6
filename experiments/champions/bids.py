"""How often players of Rikiki make their bids: at a table of their own, and among random players.

    python experiments/champions/bids.py heuristic champion

At a table of their own they play rounds of ten cards down to one; among three random players rounds of
five cards. Four players, the rules of `rikiki/standard`. Results go to bids.json beside this script.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import jax
import numpy as np

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.files import write_text
from jaxcards.games.rikiki.state import bid_of
from jaxcards.players.loading import load_player
from jaxcards.rollouts import rollout
from jaxcards.xla import cache, jit

FOUND = Path(__file__).parent / "bids.json"
TABLES = {
    "own table, ten cards to one": (tuple(range(10, 0, -1)), [0, 0, 0, 0]),
    "among random players, five cards": ((5,), [0, 1, 1, 1]),
}
SEAT = 0  # of the player at both tables; who deals is drawn


def share(
    game: Any,
    agents: list[Any],
    params: list[Any],
    seats: list[int],
    deals: int,
    batch: int | None = None,
) -> np.ndarray:
    """Returns for each deal whether the player at `SEAT` made its bid: 0 or 1.

    Args:
      game, agents, params, seats: as for `rollout`.
      deals: how many.
      batch: how many of them side by side (default: all).
    """

    def made(params: Any, key: jax.Array) -> jax.Array:
        done = rollout(game, agents, params, key, seats=seats)
        bid = bid_of(done.state.public.bids, SEAT, game.num_players)
        return bid == game.progress(done.state)[SEAT]

    play = jit(jax.vmap(made, in_axes=(None, 0)))
    keys = jax.random.split(jax.random.key(3), deals)
    size = batch or deals
    parts = [play(params, keys[first : first + size]) for first in range(0, deals, size)]
    return np.concatenate(parts).astype(np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="+", help="as on the command line of jaxcards evaluate")
    parser.add_argument("--deals", type=int, default=20_000, help="of each table")
    options = parser.parse_args()
    cache.enable()
    found: dict[str, Any] = {"deals": options.deals, "players": {}}
    for name in options.players:
        rows = found["players"][name] = {}
        for table, (schedule, seats) in TABLES.items():
            game = jaxcards.make("rikiki/standard", schedule=schedule)
            agent, params = load_player(name, game)
            made = share(game, [agent, RandomAgent()], [params, ()], seats, options.deals)
            interval = mean_interval(made)
            rows[table] = [round(x, 4) for x in (interval.mean, interval.low, interval.high)]
            print(f"{name}, {table}: {100 * interval.mean:.1f} % of bids made", flush=True)
    write_text(FOUND, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
