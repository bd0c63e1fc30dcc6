"""Compare players that learned with products of bfloat16 and of float32 numbers.

    python -m experiments.precision.study

It trains a player in each precision with each seed on the same number of deals. The players meet each
other and the heuristic; the differences go to `result.json`. If the study is interrupted, the same
command continues it.
"""

from pathlib import Path
from typing import Any

from experiments.runs import FORMER, differences, entropy, trained, write_json

FOUND = Path(__file__).parent / "result.json"
RUNS = Path("build/precision")
GAME = "jass/schieber_1000"
PER_UPDATE, UPDATES = 4096, 128
SEEDS = (0, 1, 2)
PRECISIONS = ("bfloat16", "float32")
DEALS = 2000  # duplicate deals of a pair
SETTINGS = FORMER | {
    "deals-per-update": PER_UPDATE,
    "evaluate-minutes": 60,
    "minibatches": 32,
    "critic-hidden": "256,128",
    "average": 0.999,
    "gae-lambda": 0.85,  # this and the next were the defaults when the runs were made
    **entropy(0.01, 0.01),
}


def found(seed: int) -> dict[str, Any]:
    """Return the differences between the players of a seed and the heuristic: values of JSON."""

    def run(precision: str) -> Path:
        settings = SETTINGS | {"precision": precision, "seed": seed}
        return trained(RUNS / f"{precision}_{seed}", GAME, UPDATES, settings)

    players = {precision: run(precision) for precision in PRECISIONS}
    pairs = [PRECISIONS, *((precision, "heuristic") for precision in PRECISIONS)]
    return differences({**players, "heuristic": "heuristic"}, GAME, DEALS, RUNS / f"{seed}.json", pairs)


def main() -> None:
    about = {"game": GAME, "deals": PER_UPDATE * UPDATES, "duplicate_deals": DEALS}
    results = {str(seed): found(seed) for seed in SEEDS}
    write_json(FOUND, about | {"seeds": results})
    for seed, rows in results.items():
        for pair, x in rows.items():
            print(f"seed {seed}, {pair}: {x['mean']:+.1f} ({x['low']:+.1f} to {x['high']:+.1f})")


if __name__ == "__main__":
    main()
