"""Speed-up of a learner from float32 to bfloat16, in deals per second.

    python benchmarks/precision.py

Both learners are `ppo` with the settings of `make train`, and do their updates in turns. These are the
first updates of a run, which take longest: later the policy is sure of most decisions. Writes
`results/precision.json`.
"""

import argparse
import dataclasses
import json
import shlex
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards.agents.learners.ppo.learner import PPO  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.training.config import load_config  # noqa: E402

GAMES = ("jass", "belote", "euchre", "rikiki", "sheepshead")
PRECISIONS = ("float32", "bfloat16")
UPDATES = 4  # updates per turn
SCHEDULE = jnp.float32(1e6)


def measure(id, repeats):
    """Return deals per second in each precision, and the ratio of each turn."""
    game, learners, states = jaxcards.make(id), {}, {}
    config = load_config("ppo", HERE.parent / "experiments" / f"{game.name}_ppo" / "config.toml")
    for name in PRECISIONS:
        learners[name] = PPO(game, dataclasses.replace(config, precision=name))
        states[name] = learners[name].train(learners[name].init(), UPDATES, SCHEDULE)[0]
        jax.block_until_ready(states[name])
    rates = {name: [] for name in PRECISIONS}
    for _ in range(repeats):
        for name, learner in learners.items():
            start = time.perf_counter()
            states[name] = jax.block_until_ready(learner.train(states[name], UPDATES, SCHEDULE)[0])
            rates[name].append(UPDATES * config.deals_per_update / (time.perf_counter() - start))
    ratios = [half / whole for whole, half in zip(*rates.values(), strict=True)]
    found = {f"{name}_deals_per_second": summary(own) for name, own in rates.items()}
    return {"game": game.id, **found, "ratio": summary(ratios)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="ID")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    options = parser.parse_args()
    result = {
        "command": shlex.join(["python", "benchmarks/precision.py", *sys.argv[1:]]),
        "machine": machine.describe(),
        "repeats": options.repeats,
        "updates_of_a_turn": UPDATES,
        "games": [],
    }
    try:
        for id in options.games:
            row = measure(id, options.repeats)
            print(f"{row['game']}: {row['ratio']['median']:.2f} x the deals", flush=True)
            result["games"].append(row)
            write_text(options.results / "precision.json", json.dumps(result, indent=1) + "\n")
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
