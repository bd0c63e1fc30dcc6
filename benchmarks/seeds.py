"""Gain of seeds that train in one compiled step over the same seeds one after the other.

    python benchmarks/seeds.py --games jass/tournament --seeds 4 16

The learner is `ppo` with the settings of `make train`, on one device. Both ways do the same updates, in
turns. `--vmap` trains side by side also on a processor. These are the first updates of a run, which
take longest. Prints JSON.
"""

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards.agents.learners import base  # noqa: E402
from jaxcards.agents.learners.ppo.learner import PPO  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.training.config import load_config  # noqa: E402
from jaxcards.training.host_learner import CompiledLearner, RunsLearner  # noqa: E402

SCHEDULE = 1e6


class Subject:
    """A compiled step, and its state."""

    def __init__(self, learner, updates):
        self.learner, self.state = learner, learner.init()
        start = time.perf_counter()
        self.step = learner.compile(self.state, updates)
        self.compile_seconds = time.perf_counter() - start
        self.seconds()  # the first call allocates memory

    def seconds(self):
        """Return the seconds of a call."""
        start = time.perf_counter()
        self.state, _ = self.step(self.state, SCHEDULE)  # waits for the device
        return time.perf_counter() - start


def measure(game, config, seeds, repeats):
    """Return the row of a number of seeds."""
    learner, updates = PPO(game, config), config.updates_per_dispatch
    alone = Subject(CompiledLearner(learner), updates)
    configs = [dataclasses.replace(config, seed=seed) for seed in range(seeds)]
    together = Subject(RunsLearner(learner, configs), updates)
    ratios, seconds = [], []
    for _ in range(repeats):
        # Calls of one seed cost the same, whichever seed it is.
        one_by_one = sum(alone.seconds() for _ in range(seeds))
        seconds.append(together.seconds())
        ratios.append(one_by_one / seconds[-1])
    return {
        "game": game.id,
        "seeds": seeds,
        "deals_per_update": config.deals_per_update,
        "hidden": config.hidden,
        "compile_seconds": [alone.compile_seconds, together.compile_seconds],
        "seconds": summary(seconds),
        "ratio": summary(ratios),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=("jass", "euchre"), metavar="ID")
    parser.add_argument("--seeds", nargs="+", type=int, default=(4, 16), metavar="N")
    parser.add_argument("--deals", nargs="+", type=int, metavar="N", help="deals per update")
    parser.add_argument("--updates", type=int, default=2, help="updates per call")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--vmap", action="store_true", help="side by side also on a processor")
    options = parser.parse_args()
    if options.vmap:
        base.of_each_run = lambda run, *values: jax.vmap(run)(*values)
    rows = []
    for id in options.games:
        game = jaxcards.make(id)
        config = load_config("ppo", None, {"updates_per_dispatch": options.updates}, id)
        for deals in options.deals or [config.deals_per_update]:
            own = dataclasses.replace(config, deals_per_update=deals)
            for seeds in options.seeds:
                rows.append(measure(game, own, seeds, options.repeats))
                line = "{game}, {seeds} seeds, {deals_per_update} deals per update".format(**rows[-1])
                print(f"{line}: {rows[-1]['ratio']['median']:.2f} x as fast", file=sys.stderr)
    print(json.dumps({"machine": machine.describe(), "rows": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
