"""Measure what a search gains in one seat, on one side, or in all seats.

    python -m experiments.search_seats.study sheepshead/standard --worlds 128 --deals 1500

Every deal is played with the network in all seats, and with the search in each seat in turn. Partners
also search on each side in turn; where everyone plays alone, all seats search. The gain is the
difference of the searching seats to the same seats of the same deal without a search, per seat. Results
go to result.json.
"""

import argparse
import json
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.runs import read_json, write_json
from jaxcards import xla
from jaxcards.agents.search import Belief
from jaxcards.champions.catalogue import load_agent, load_search
from jaxcards.evaluation.intervals import detectable_difference, mean_interval
from jaxcards.evaluation.seatings import sides
from jaxcards.rollouts import deal_keys, rollout
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "result.json"
KINDS = ("one seat", "one side", "all seats")


def who_searches(game: jaxcards.Game) -> dict[str, np.ndarray]:
    """Return, for each kind of table, the searching seats of its seatings: bool[seatings, players]."""
    one, all = np.eye(game.num_players, dtype=bool), np.ones((1, game.num_players), bool)
    if game.teams is None:
        return {"one seat": one, "all seats": all}
    return {"one seat": one, "one side": sides(game)}


def gains(
    game: jaxcards.Game, search, params, rows: dict[str, np.ndarray], deals: int, seed: int, batch: int
) -> dict:
    """Return the gain of the search, for each kind of table: values of JSON."""
    network, own = load_agent(game)
    tables = np.concatenate([*rows.values(), np.zeros((1, game.num_players), bool)])

    def play(params, key):
        def table(seats):
            return rollout(game, [network, search], params, key, seats=seats.astype(jnp.int32)).returns

        return jax.vmap(table)(jnp.asarray(tables))

    play_batch = xla.jit(jax.vmap(play, in_axes=(None, 0)), split=True)
    parts = []
    for first in range(0, deals, batch):
        keys = deal_keys(jnp.uint32(seed), jnp.arange(first, first + batch, dtype=jnp.uint32))
        parts.append(np.asarray(play_batch((own, params), keys), np.float64))
    returns = np.concatenate(parts)[:deals]  # [deals, tables, players]
    more, found, start = returns[:, :-1] - returns[:, -1:], {}, 0
    for name, searching in rows.items():
        weights = searching / searching.sum()
        gained = (more[:, start : start + len(searching)] * weights).sum(axis=(1, 2))
        interval, sd = mean_interval(gained), float(gained.std(ddof=1))
        found[name] = {
            "gain": interval.mean,
            "low": interval.low,
            "high": interval.high,
            "detectable": detectable_difference(sd, deals),
        }
        start += len(searching)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", help="ids of presets")
    parser.add_argument("--worlds", type=int, default=128, help="of a decision")
    parser.add_argument("--threshold", type=float, default=1.0, help="standard errors of evidence")
    parser.add_argument("--belief", action="store_true", help="weigh the worlds by belief")
    parser.add_argument("--calls", action="store_true", help="search calls as well")
    parser.add_argument("--tables", nargs="+", choices=KINDS, default=KINDS, help="(default: all)")
    parser.add_argument("--deals", type=int, default=1000, help="of each game")
    parser.add_argument("--batch", type=int, default=50, help="deals side by side")
    parser.add_argument("--seed", type=int, default=21, help="of the deals")
    options = parser.parse_args()
    cache.enable()
    for id in options.games:
        game = jaxcards.make(id)
        search, params = load_search(
            game, worlds=options.worlds, threshold=options.threshold,
            belief=Belief() if options.belief else None, calls=options.calls,
        )  # fmt: skip
        began = time.monotonic()
        rows = {kind: row for kind, row in who_searches(game).items() if kind in options.tables}
        found = gains(game, search, params, rows, options.deals, options.seed, options.batch)
        setting = f"{game.id}, {options.worlds} worlds, threshold {options.threshold:g}"
        setting += ", belief" * options.belief + ", calls" * options.calls
        results = read_json(FOUND)  # only now, because other runs may have written to it
        of, before = {"deals": options.deals, "seed": options.seed}, results.get(setting, {})
        results[setting] = (before if of.items() <= before.items() else of) | found
        print(f"{setting}: {json.dumps(found)}, {(time.monotonic() - began) / 60:.1f} min", flush=True)
        write_json(FOUND, results)


if __name__ == "__main__":
    main()
