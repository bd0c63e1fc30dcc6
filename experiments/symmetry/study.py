"""Measure the gain of the mean over all names of the suits over a single answer.

    python -m experiments.symmetry.study
    python -m experiments.symmetry.study jass/tournament --deals 8000

The shipped network of every preset meets itself on duplicate deals. One side plays by the mean of its
answers under all permutations of suits that change nothing, the other side by one answer. Results go to
result.json. Presets that are in there with the same network and number of deals are skipped.
"""

import argparse
import dataclasses
import json
from pathlib import Path

import jaxcards
from experiments.runs import read_json, write_json
from jaxcards.champions.catalogue import cards, load_agent, player_of
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "result.json"
DEALS = {"belote": 10_000, "euchre": 20_000, "jass": 10_000, "rikiki": 2000, "sheepshead": 8000}
MATCHES = 10_000
SEED = 13


def table(id: str, matches: bool) -> jaxcards.Game:
    """Return the game of a preset, or its matches."""
    game = jaxcards.make(id)
    return jaxcards.Match(game) if matches else game


def measured(game: jaxcards.Game, deals: int) -> dict:
    """Return the gain of the mean in a game: values of JSON."""
    agent, params = load_agent(game)
    once, mean = agent.fast_policy, dataclasses.replace(agent, symmetric=True)
    result = evaluate(game, [mean, once], [params, params], ["mean", "once"], deals, SEED)
    pair = json.loads(result.to_json())["pairs"][0]
    return {"permutations": len(game.suit_symmetry.permutations), **pair["difference"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("presets", nargs="*", help="(default: all)")
    parser.add_argument("--matches", action="store_true", help="whole matches, by players of matches")
    parser.add_argument("--deals", type=int, help=f"(default: by game {DEALS}; {MATCHES} matches)")
    options = parser.parse_args()
    cache.enable()
    for id in options.presets or [id for id in jaxcards.games() if "/" in id]:
        name = id.partition("/")[0]
        deals = options.deals or (MATCHES if options.matches else DEALS[name])
        try:
            game = table(id, options.matches)
            player = player_of(game)
        except jaxcards.UserError:
            continue
        card = cards()[player]
        if card["matches"] != options.matches:
            continue
        key = f"{id} match" if options.matches else id
        of = {"player": player, "commit": card["commit"], "deals": deals, "seed": SEED}
        if of.items() <= read_json(FOUND).get(key, {}).items():
            continue
        found = of | measured(game, deals)
        print(key, f"{found['mean']:+.3f} ({found['low']:+.3f} to {found['high']:+.3f})", flush=True)
        write_json(FOUND, dict(sorted((read_json(FOUND) | {key: found}).items())))


if __name__ == "__main__":
    main()
