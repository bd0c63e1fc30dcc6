"""Compare the defaults of `ppo` with the former ones: eight minutes of one core for each run.

    python -m experiments.ppo_settings.recipe

Both runs of a pair train at the same time, each on a core of its own (Linux). Each player meets the
other one and the heuristic on duplicate deals; `recipe.json` has the results. If the study is
interrupted, the same command continues it.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from experiments.runs import FORMER, differences, options, read_json, write_json
from jaxcards.training.metrics import read_metrics

RESULT = Path(__file__).parent / "recipe.json"
RUNS = Path("build/settings/recipe")
MINUTES, DEALS = 8, 10_000
SEEDS = {"jass": (0, 1, 2), "belote": (0,), "euchre": (0,), "rikiki": (0,), "sheepshead": (0,)}
LAMBDA = {"rikiki": 0.3, "sheepshead": 0.85}
PAIRS = [("recipe", "former"), ("recipe", "heuristic"), ("former", "heuristic")]


def trained_pair(game: str, seed: int) -> dict[str, Path]:
    """Train a pair of runs, unless both are complete, and return their folders by name."""
    folders = {name: RUNS / f"{name}_{game}_{seed}" for name in ("recipe", "former")}
    if all((folder / "evaluation.json").exists() for folder in folders.values()):
        return folders
    former = FORMER | {"gae-lambda": LAMBDA.get(game, FORMER["gae-lambda"])}
    started = []
    for core, (name, folder) in enumerate(folders.items()):
        shutil.rmtree(folder, ignore_errors=True)
        settings = (former if name == "former" else {}) | {"seed": seed, "minutes": MINUTES}
        words = ("train", game, "--out", folder, *options(settings))
        command = ["taskset", "-c", str(core), sys.executable, "-m", "jaxcards", *map(str, words)]
        started.append(subprocess.Popen(command))
    if any(process.wait() for process in started):
        sys.exit(f"training of {game}, seed {seed}, failed")
    return folders


def compared(game: str, seed: int) -> dict[str, Any]:
    """Return the difference of each pair of players, and the deals that each has learned from."""
    runs = trained_pair(game, seed)
    players = {**runs, "heuristic": "heuristic"}
    found = differences(players, game, DEALS, RUNS / f"{game}_{seed}.json", PAIRS)
    for name, folder in runs.items():
        found[f"deals of {name}"] = read_metrics(folder / "metrics.jsonl")[-1]["deals"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="(default: all)")
    results = read_json(RESULT)
    for game in parser.parse_args().games or SEEDS:
        for seed in SEEDS[game]:
            of_game = results.setdefault(game, {})
            if str(seed) not in of_game:
                of_game[str(seed)] = compared(game, seed)
                write_json(RESULT, results)
            print(game, seed, of_game[str(seed)], flush=True)


if __name__ == "__main__":
    main()
