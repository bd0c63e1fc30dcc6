"""Measure how many deals variance reduction saves.

    python -m experiments.variance_reduction.study
    python -m experiments.variance_reduction.study euchre --deals 1000

Results go to result.json. Rows that are in there with the same number of deals are skipped.
"""

import argparse
import dataclasses
from pathlib import Path
from typing import Any

import jaxcards
from experiments.runs import read_json, write_json
from jaxcards.evaluation import evaluate
from jaxcards.players.loading import load_player
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "result.json"
PAIRS = (("sampled", "champion"), ("heuristic", "random"))
SEED = 17


def loaded(name: str, game: jaxcards.Game) -> tuple[Any, Any]:
    """Return a player; "sampled" is the champion that draws from its policy."""
    agent, params = load_player("champion" if name == "sampled" else name, game)
    return (dataclasses.replace(agent, greedy=False) if name == "sampled" else agent), params


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=["euchre", "hearts", "jass", "rikiki"])
    parser.add_argument("--deals", type=int, default=1000)
    options = parser.parse_args()
    cache.enable()
    for names in PAIRS:
        for id in options.games:
            key, found = f"{id}: {names[0]} - {names[1]}", read_json(FOUND)
            if found.get(key, {}).get("deals") == options.deals:
                continue
            game = jaxcards.make(id)
            agents, params = zip(*(loaded(name, game) for name in names), strict=True)
            result = evaluate(
                game, agents, params, names, options.deals, SEED, variance_reduction=True
            )
            pair = result.pairs[0]
            row = {"deals": options.deals, "seed": SEED, "deals_saved": pair.deals_saved}
            row |= {"plain": dataclasses.asdict(pair.difference)}
            row |= {"reduced": pair.reduced and dataclasses.asdict(pair.reduced)}
            print(key, row, flush=True)
            write_json(FOUND, dict(sorted((found | {key: row}).items())))


if __name__ == "__main__":
    main()
