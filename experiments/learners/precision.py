"""Whether players learn as much from products of bfloat16 numbers as from products of float32 numbers.

    python experiments/learners/precision.py

It trains a player in each precision with each seed, on as many deals, plays them against each other
and against the heuristic, and writes `precision.json` beside itself. A run that was stopped goes on
with the same command.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from jaxcards.files import write_text
from jaxcards.training.metrics import read_metrics

FOUND = Path(__file__).parent / "precision.json"
RUNS = Path("build/precision")
GAME = "jass/schieber_1000"
PER_UPDATE, UPDATES = 4096, 128
SEEDS = (0, 1, 2)
PRECISIONS = ("bfloat16", "float32")
DEALS = 2000  # duplicate deals of a pair
SETTINGS = {"minibatches": "32", "critic-hidden": "256,128", "average": "0.999"}


def trained(precision: str, seed: int) -> Path:
    """Returns the folder of a run, which is made unless it is there."""
    folder = RUNS / f"{precision}_{seed}"
    command = [sys.executable, "-m", "jaxcards", "train"]
    if (folder / "checkpoints").exists():
        command += ["--resume", str(folder)]
    else:
        command += [GAME, "--out", str(folder), "--seed", str(seed), "--precision", precision]
        command += ["--deals-per-update", str(PER_UPDATE), "--updates", str(UPDATES), "--no-evaluate"]
        command += ["--evaluate-minutes", "60"]
        command += [word for name, value in SETTINGS.items() for word in (f"--{name}", value)]
    metrics = folder / "metrics.jsonl"
    if not metrics.exists() or read_metrics(metrics)[-1]["update"] < UPDATES:
        subprocess.run(command, check=True)
    return folder


def pairs(seed: int) -> dict[str, Any]:
    """Returns the differences between the players of a seed and the heuristic: values of JSON."""
    folders = [str(trained(precision, seed)) for precision in PRECISIONS]
    out = RUNS / f"{seed}.json"
    command = [sys.executable, "-m", "jaxcards", "evaluate", *folders, "heuristic", "--game", GAME]
    subprocess.run([*command, "--deals", str(DEALS), "--json", str(out)], check=True)
    names = dict(zip(folders, PRECISIONS, strict=True))
    found = json.loads(out.read_text("utf-8"))["pairs"]
    said = [(names.get(pair["a"], pair["a"]), names.get(pair["b"], pair["b"])) for pair in found]
    return {f"{a} - {b}": pair["difference"] for (a, b), pair in zip(said, found, strict=True)}


def main() -> None:
    about = {"game": GAME, "deals": PER_UPDATE * UPDATES, "duplicate_deals": DEALS}
    results = {str(seed): pairs(seed) for seed in SEEDS}
    write_text(FOUND, json.dumps(about | {"seeds": results}, indent=1) + "\n")
    for seed, found in results.items():
        for pair, x in found.items():
            print(f"seed {seed}, {pair}: {x['mean']:+.1f} ({x['low']:+.1f} to {x['high']:+.1f})")


if __name__ == "__main__":
    main()
