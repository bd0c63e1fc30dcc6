"""Measure what single settings of `ppo` gain, each with three seeds.

    python -m experiments.ppo_settings.study euchre/standard
    python -m experiments.ppo_settings.study sheepshead/standard --variants plain "entropy 0.2"

It trains a player for each variant and seed on the same number of deals. Each player meets the one
that it is compared with, and the heuristic; the differences go to `result.json`. If the study is
interrupted, the same command continues it. Several studies of different games may run at once.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.runs import (
    FORMER,
    differences,
    entropy,
    read_json,
    run_jaxcards,
    trained,
    write_json,
)

FOUND = Path(__file__).parent / "result.json"
RUNS = Path("build/settings")
PER_UPDATE, UPDATES = 1024, 512
SEEDS = (0, 1, 2)
DEALS = 10_000  # duplicate deals of a pair
SETTINGS = FORMER | {
    "deals-per-update": PER_UPDATE,
    "precision": "bfloat16",
    "evaluate-minutes": 60,
    "gae-lambda": 0.85,  # the default when the runs were made
}
# The entropy bonus of all runs but those that study it: what the default of their game was then.
ENTROPY = {
    "jass": entropy(0.01, 0.01),
    "belote": entropy(0.01, 0.01),
    "euchre": entropy(0.15, 0.02),
    "rikiki": entropy(0.1, 0.02),
    "sheepshead": entropy(0.3, 0.02),
}
COPY = "COPY"  # stands for the folder of a network that imitates the heuristic
COPIED_DEALS = 20_000


class Variant(NamedTuple):
    """A run, and the run that it is compared with.

    Attributes:
      settings: those that differ from the common settings.
      of: name of the variant that it is compared with; "" for none.
    """

    settings: dict[str, object]
    of: str = "plain"


START = {"start": COPY, "learning-rate": 0.001}
# Entropy bonuses; variants name the first value.
CARDS = {"card-entropy": 0.02, "final-card-entropy": 0.003}
EXPLORED = entropy(0.2, 0.02)
VARIANTS = {
    "plain": Variant({}, of=""),
    "average": Variant({"average": 0.999}),
    "large critic": Variant({"critic-hidden": "256,128"}),
    "rate falls to nought": Variant({"final-learning-rate": 0}),
    "cards 0.02": Variant(CARDS),
    "cards 0.02, calls 0.1": Variant(CARDS | {"entropy": 0.1, "final-entropy": 0.01}),
    "entropy 0.2": Variant(EXPLORED),
    "entropy 0.2 to 0.005": Variant(entropy(0.2, 0.005), of="entropy 0.2"),
    "entropy 0.4": Variant(entropy(0.4, 0.02), of="entropy 0.2"),
    "learning rate 0.001": Variant(EXPLORED | {"learning-rate": 0.001}, of="entropy 0.2"),
    "learning rate 0.005": Variant(EXPLORED | {"learning-rate": 0.005}, of="entropy 0.2"),
    "lambda 0.3": Variant(EXPLORED | {"gae-lambda": 0.3}, of="entropy 0.2"),
    "lambda 0.5": Variant(EXPLORED | {"gae-lambda": 0.5}, of="entropy 0.2"),
    "lambda 0.7": Variant(EXPLORED | {"gae-lambda": 0.7}, of="entropy 0.2"),
    "lambda 0.95": Variant(EXPLORED | {"gae-lambda": 0.95}, of="entropy 0.2"),
    "two passes": Variant(EXPLORED | {"epochs": 2}, of="entropy 0.2"),
    "minibatches 8": Variant(EXPLORED | {"minibatches": 8}, of="entropy 0.2"),
    "minibatches 32": Variant(EXPLORED | {"minibatches": 32}, of="entropy 0.2"),
    "start: heuristic": Variant(START),
    "start: heuristic, critic first": Variant(START | {"policy-warmup": 0.1}, of="start: heuristic"),
}


def runs_of(game: str) -> Path:
    """Return the folder of all runs of a game."""
    return RUNS / game.replace("/", "_")


def copied(game: str) -> Path:
    """Return the folder of a network that imitates the heuristic; make it if it is missing."""
    copy = runs_of(game) / "heuristic"
    if not (copy / "held_out.json").exists():
        deals = copy.with_suffix(".h5")
        deals.parent.mkdir(parents=True, exist_ok=True)
        words = ("--players", "heuristic", "--deals", COPIED_DEALS, "--seed", 5, "--out", deals)
        run_jaxcards("simulate", game, *words)
        run_jaxcards("imitate", game, deals, "--out", copy)
    return copy


def run(game: str, name: str, seed: int) -> Path:
    """Return the folder of the run of a variant."""
    words = name.replace(":", "").replace(",", "").split()
    of_game = ENTROPY[game.partition("/")[0]]
    settings = {**SETTINGS, **of_game, **VARIANTS[name].settings, "seed": seed}
    if settings.get("start") == COPY:
        settings["start"] = copied(game)
    return trained(runs_of(game) / f"{'_'.join(words)}_{seed}", game, UPDATES, settings)


def studied(game: str, name: str, seed: int) -> dict[str, Any]:
    """Return the lead of a variant over the other one and over the heuristic: values of JSON."""
    other = VARIANTS[name].of
    players: dict[str, str | Path] = {name: run(game, name, seed)}
    if other:
        players[other] = run(game, other, seed)
    players["heuristic"] = "heuristic"
    pairs = [(name, opponent) for opponent in players if opponent != name]
    found = differences(players, game, DEALS, runs_of(game) / "table.json", pairs)
    return {pair.removeprefix(f"{name} - "): difference for pair, difference in found.items()}


def read() -> dict[str, Any]:
    """Return the results so far: by game, variant, seed and opponent."""
    return read_json(FOUND).get("games", {})


def keep(game: str, name: str, seed: str, row: dict[str, Any]) -> None:
    """Add a row to the file."""
    games = read()
    games.setdefault(game, {}).setdefault(name, {})[seed] = row
    about = {"deals": PER_UPDATE * UPDATES, "duplicate_deals": DEALS}
    write_json(FOUND, about | {"games": games})


def say(game: str, name: str) -> None:
    """Print the lead of a variant: the mean of the seeds, and each with its interval."""
    for opponent in filter(None, (VARIANTS[name].of, "heuristic")):
        rows = [read()[game][name][str(seed)][opponent] for seed in SEEDS]
        each = ", ".join(f"{x['mean']:+.2f} ({x['low']:+.2f} to {x['high']:+.2f})" for x in rows)
        mean = np.mean([x["mean"] for x in rows])
        print(f"{game}: {name} - {opponent}: {mean:+.3f}; {each}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", help="ids of presets")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    options = parser.parse_args()
    for game in options.games:
        for name in options.variants:
            for seed in map(str, SEEDS):
                if seed not in read().get(game, {}).get(name, {}):
                    keep(game, name, seed, studied(game, name, int(seed)))
            say(game, name)


if __name__ == "__main__":
    main()
