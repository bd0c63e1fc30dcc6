"""What single settings of ppo gain: each against the same run without it, with three seeds.

    python experiments/learners/settings.py

It trains a player for each variant and seed on as many deals, plays each against the one that it is
compared with and against the heuristic, and writes `settings.json` beside itself. A study that was
stopped goes on with the same command.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jaxcards.files import write_text

sys.path.append(str(Path(__file__).parents[1]))

from common.runs import differences, jaxcards, trained

FOUND = Path(__file__).parent / "settings.json"
RUNS = Path("build/settings")
GAME = "euchre/standard"
PER_UPDATE, UPDATES = 1024, 512
SEEDS = (0, 1, 2)
DEALS = 10_000  # duplicate deals of a pair
SETTINGS = {"deals-per-update": PER_UPDATE, "precision": "bfloat16", "evaluate-minutes": 60}
COPY = RUNS / "heuristic"
COPIED_DEALS = 20_000


class Variant(NamedTuple):
    """A run that differs in some settings from another one.

    Attributes:
      settings: all that it has of its own.
      of: name of the variant that it is compared with; "" for none.
    """

    settings: dict[str, object]
    of: str = "plain"


START = {"start": COPY, "learning-rate": 0.001}
VARIANTS = {
    "plain": Variant({}, of=""),
    "average": Variant({"average": 0.999}),
    "large critic": Variant({"critic-hidden": "256,128"}),
    "rate falls to nought": Variant({"final-learning-rate": 0}),
    "start: heuristic": Variant(START),
    "start: heuristic, critic first": Variant(START | {"policy-warmup": 0.1}, of="start: heuristic"),
    "start: heuristic, magnet on calls": Variant(START | {"magnet": 0.1}, of="start: heuristic"),
}


def copied() -> None:
    """Makes a network that imitates the heuristic, unless it is there."""
    if (COPY / "held_out.json").exists():
        return
    deals = RUNS / "heuristic.h5"
    RUNS.mkdir(parents=True, exist_ok=True)
    words = ("--players", "heuristic", "--deals", COPIED_DEALS, "--seed", 5, "--out", deals)
    jaxcards("simulate", GAME, *words)
    jaxcards("imitate", GAME, deals, "--out", COPY)


def run(name: str, seed: int) -> Path:
    """Returns the folder of the run of a variant."""
    words = name.replace(":", "").replace(",", "").split()
    settings = {**SETTINGS, **VARIANTS[name].settings, "seed": seed}
    return trained(RUNS / f"{'_'.join(words)}_{seed}", GAME, UPDATES, settings)


def studied(name: str, seed: int) -> dict[str, Any]:
    """Returns what a variant is ahead of the other one and of the heuristic: values of JSON."""
    other = VARIANTS[name].of
    players: dict[str, str | Path] = {name: run(name, seed)}
    if other:
        players[other] = run(other, seed)
    players["heuristic"] = "heuristic"
    pairs = [(name, opponent) for opponent in players if opponent != name]
    found = differences(players, GAME, DEALS, RUNS / "table.json", pairs)
    return {pair.removeprefix(f"{name} - "): difference for pair, difference in found.items()}


def main() -> None:
    copied()
    about = {"game": GAME, "deals": PER_UPDATE * UPDATES, "duplicate_deals": DEALS}
    found = json.loads(FOUND.read_text("utf-8"))["variants"] if FOUND.exists() else {}
    for name, variant in VARIANTS.items():
        of_name = found.setdefault(name, {})
        for seed in map(str, SEEDS):
            if seed not in of_name:
                of_name[seed] = studied(name, int(seed))
                write_text(FOUND, json.dumps(about | {"variants": found}, indent=1) + "\n")
        for opponent in filter(None, (variant.of, "heuristic")):
            rows = [of_name[str(seed)][opponent] for seed in SEEDS]
            said = ", ".join(f"{x['mean']:+.2f} ({x['low']:+.2f} to {x['high']:+.2f})" for x in rows)
            print(f"{name} - {opponent}: {np.mean([x['mean'] for x in rows]):+.3f}; {said}", flush=True)


if __name__ == "__main__":
    main()
