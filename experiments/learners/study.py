"""Compare the learners on the same deals of Euchre.

    python -m experiments.learners.study

It trains each learner with each seed, and writes `result.json` and `curve.png`. If it is interrupted,
the same command continues it.
"""

from pathlib import Path
from typing import Any

import numpy as np

from experiments.runs import FORMER, entropy, trained, write_json
from jaxcards.evaluation.picture import picture
from jaxcards.training.metrics import read_metrics

HERE = Path(__file__).parent
RUNS = Path("build/learners")
GAME = "euchre/standard"
DEALS = 1 << 19
PER_UPDATE = {"ppo": 1024, "ppo, entropy 0.01": 1024, "reinforce": 1024, "dqn": 128, "q-table": 1024}
SEEDS = (0,)
EVALUATIONS, EVALUATION_DEALS = 16, 512
OPPONENTS = ("heuristic", "random")


def metrics(learner: str, seed: int) -> list[dict[str, Any]]:
    """Return the metrics of a run; make the run if it is missing."""
    name, *more = learner.split(", ")
    settings: dict[str, object] = {"learner": name, "seed": seed}
    settings |= {"deals-per-update": PER_UPDATE[learner]}
    settings |= FORMER if name == "ppo" else {}
    settings |= entropy(0.01, 0.01) if more else {}
    settings |= {"minutes": EVALUATIONS, "evaluate-minutes": 1, "evaluation-deals": EVALUATION_DEALS}
    folder = RUNS / f"{'_'.join(learner.replace(',', '').split())}_{seed}"
    trained(folder, GAME, DEALS // PER_UPDATE[learner], settings)
    return read_metrics(folder / "metrics.jsonl")


def curve(learner: str) -> dict[str, Any]:
    """Return the deals, and the points per deal against each opponent, of the runs of all seeds."""
    runs = [[row for row in metrics(learner, seed) if "against_heuristic" in row] for seed in SEEDS]
    (deals,) = {tuple(row["deals"] for row in run) for run in runs}
    found: dict[str, Any] = {"deals": deals, "decisions": [run[-1]["decisions"] for run in runs]}
    for name in OPPONENTS:
        found[name] = [[row[f"against_{name}"] for row in run] for run in runs]
        found[f"{name}_half_width"] = [
            [row[f"against_{name}_half_width"] for row in run] for run in runs
        ]
    return found


def draw(results: dict[str, Any]) -> None:
    """Draw the points per deal over deals: a line for each learner, the mean of its seeds."""
    with picture(HERE / "curve.png", (10, 4), GAME, columns=2) as (_, both):
        for axes, name in zip(both, OPPONENTS, strict=True):
            axes.axhline(0, color="0.6", linewidth=1)
            for learner, found in results.items():
                runs, deals = np.array(found[name]), np.array(found["deals"]) / 1000
                (line,) = axes.plot(deals, runs.mean(0), marker=".", label=learner)
                axes.fill_between(deals, runs.min(0), runs.max(0), color=line.get_color(), alpha=0.2)
            axes.set_xlabel("thousand deals")
            axes.set_title(f"against {name}", fontsize="medium")
            axes.grid(alpha=0.3)
        both[0].set_ylabel("points per deal")
        both[1].legend(loc="lower right")


def main() -> None:
    results = {learner: curve(learner) for learner in PER_UPDATE}
    write_json(HERE / "result.json", results)
    draw(results)
    for learner, found in results.items():
        last = [run[-1] for run in found["heuristic"]]
        print(f"{learner}: {np.mean(last):+.2f} against the heuristic, {[round(x, 2) for x in last]}")


if __name__ == "__main__":
    main()
