"""Compare the shipped players with players of other engines.

    python -m experiments.engines.study

It runs each command of `COMMANDS` that result.json lacks, and prints every pair of players. Results of
the same pair on other deals are pooled.
"""

import math
from collections import defaultdict
from pathlib import Path
from typing import Any

from experiments.runs import read_json, run_jaxcards, write_json
from jaxcards.evaluation.intervals import student_quantile

FOUND = Path(__file__).parent / "result.json"
TABLE = Path("build/engines.json")
COMMANDS = (
    "champion heuristic openspiel:ismcts:1000 --game euchre/open_spiel --deals 300",
    "champion openspiel:ismcts:10000 --game euchre/open_spiel --deals 150",
    "search:128 openspiel:ismcts:10000 --game euchre/open_spiel --deals 150",
    "champion openspiel:ismcts:1000 --game rikiki/open_spiel --deals 720 --seed 1",
    "search:128 openspiel:ismcts:10000 --game rikiki/open_spiel --deals 60 --seed 1",
    "search:128 openspiel:ismcts:10000 --game rikiki/open_spiel --deals 100 --seed 2",
    "champion openspiel:ismcts:1000 --game hearts/open_spiel --calls heuristic --deals 70 --seed 1",
    "champion openspiel:ismcts:1000 --game skat/open_spiel --deals 80 --seed 1",
    "champion openspiel:ismcts:1000 --game spades/open_spiel --deals 150 --seed 1",
    "champion pyschieber:challenge --game jass/tournament --deals 4000 --seed 6",
    "champion colver:isdd:20 --game belote/contree --deals 160 --seed 3",
    "search:32 colver:isdd:20 --game belote/contree --deals 240 --seed 4",
    "champion colver:isdd:20 --game belote/contree --calls heuristic --deals 240 --seed 4",
    "search:32 colver:isdd:20 --game belote/contree --calls heuristic --deals 240 --seed 4",
    "search:128 colver:isdd:20 --game belote/contree --calls heuristic --deals 400 --seed 4",
)


def evaluated(command: str) -> dict[str, Any]:
    """Run a command of `jaxcards evaluate`, and return its deals and its pairs."""
    TABLE.parent.mkdir(exist_ok=True)
    run_jaxcards("evaluate", *command.split(), "--json", TABLE, "--force")
    table = read_json(TABLE)
    pairs = [{name: pair[name] for name in ("a", "b", "difference", "sd")} for pair in table["pairs"]]
    return {"deals": table["num_deals"], "pairs": pairs}


def pooled(rows: list[tuple[int, float, float]]) -> str:
    """Return the mean of all deals with its interval, from numbers of deals, means and spreads."""
    number = sum(n for n, _, _ in rows)
    mean = sum(n * one for n, one, _ in rows) / number
    squares = sum((n - 1) * sd**2 + n * (one - mean) ** 2 for n, one, sd in rows)
    half = student_quantile(number - 1) * math.sqrt(squares / (number - 1) / number)
    return f"{mean:+.2f} ({mean - half:+.2f} to {mean + half:+.2f}) in {number} deals"


def main() -> None:
    found = read_json(FOUND)
    for command in COMMANDS:
        if command not in found:
            found[command] = evaluated(command)
            write_json(FOUND, found)
    by_pair = defaultdict(list)
    for command in COMMANDS:
        game = command.partition(" --game ")[2].partition(" --deals")[0]
        for pair in found[command]["pairs"]:
            row = found[command]["deals"], pair["difference"]["mean"], pair["sd"]
            by_pair[f"{pair['a']} - {pair['b']}, {game}"].append(row)
    for name, rows in by_pair.items():
        print(f"{name}: {pooled(rows)}")


if __name__ == "__main__":
    main()
