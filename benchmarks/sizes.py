"""Decisions a second of a training step, by deals of an update and widths of the networks.

    python benchmarks/sizes.py --deals 1024 16384 131072 --widths 256,128 1024,1024,1024,1024

Times one dispatch of PPO as `jaxcards train` compiles it, for every number of deals with every network;
policy and critic have the same widths. All take turns. A device with wide arithmetic needs many deals
before the network dominates the time: this shows how many. Memory bounds the sizes. A size that does
not fit is named in `failed`, and does not affect the others. The script returns 1 if every size fails.
"""

import argparse
import itertools
import json
import shlex
import sys
import time
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to
sys.path.insert(0, str(HERE))

from compile_together import compile_together, first_line  # noqa: E402
from training import configured, timed  # noqa: E402


def widths(text: str) -> tuple[int, ...]:
    """Return the numbers of "256,128". Raise `ValueError` for other texts."""
    found = tuple(int(number) for number in text.split(","))
    if not found or min(found) < 1:
        raise ValueError(text)
    return found


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game")
    parser.add_argument(
        "--config", type=Path, help="settings (default: experiments/<game>_ppo/config.toml)"
    )
    parser.add_argument(
        "--deals", type=int, nargs="+", default=[1024, 8192, 65536], help="deals of an update"
    )
    parser.add_argument(
        "--widths", type=widths, nargs="+", default=[(256, 128), (1024, 1024, 1024, 1024)],
        help="of the layers, with commas",
    )  # fmt: skip
    parser.add_argument("--precision", choices=("float32", "bfloat16"), help="(default: the settings')")
    parser.add_argument("--repeats", type=int, default=5, help="repeats of each")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the device)")
    args = parser.parse_args()
    if min(args.repeats, *args.deals) < 1:
        parser.error("--repeats and --deals must be at least 1")
    return args


class Subject:
    """A compiled step of training."""

    def __init__(self, game, config) -> None:
        from jaxcards.agents.learners.ppo.learner import PPO
        from jaxcards.training.host_learner import CompiledLearner

        self.config = config
        self.learner = CompiledLearner(PPO(game, config, 1))
        self.state = self.learner.init()
        start = time.perf_counter()
        self.train = self.learner.compile(self.state, config.updates_per_dispatch)
        self.compile_seconds = time.perf_counter() - start
        print(f"compiled in {self.compile_seconds:.1f} s: {self.facts()}", file=sys.stderr)
        self.rates: list[float] = []

    def facts(self) -> dict:
        deals, widths = self.config.deals_per_update, self.config.hidden
        return {"deals": deals, "widths": widths, "precision": self.config.precision}

    def run(self) -> float:
        """Do one dispatch; return decisions a second, forced ones included."""
        from step_parts import SCHEDULE

        (self.state, metrics), seconds = timed(lambda: self.train(self.state, SCHEDULE))
        return metrics["decisions"] * self.config.updates_per_dispatch / seconds


def configurations(args: argparse.Namespace, game) -> list:
    """Return the configuration of every size."""
    given = {"precision": args.precision} if args.precision else {}
    return [
        configured(
            game,
            args.config,
            deals_per_update=deals,
            hidden=sizes,
            critic_hidden=sizes,
            devices=1,
            **given,
        )
        for sizes, deals in itertools.product(args.widths, args.deals)
    ]


def measure(game, configs: list, repeats: int) -> dict:
    from jaxcards.bench.timing import summary

    subjects, failed = compile_together([partial(Subject, game, config) for config in configs])
    for repeat in range(repeats + 1):
        for subject in list(subjects):
            try:
                rate = subject.run()
            except Exception as error:  # such as insufficient memory
                failed.append(f"{subject.facts()}: {first_line(error)}")
                subjects.remove(subject)
                continue
            if repeat:  # the first round allocates memory
                subject.rates.append(rate)
    rows = [
        {
            **subject.facts(),
            "compile_seconds": subject.compile_seconds,
            "decisions_per_second": summary(subject.rates),
        }
        for subject in subjects
    ]
    return {"sizes": rows, "failed": failed}


def main() -> int:
    args = parse_arguments()
    import jax

    import jaxcards
    from jaxcards.bench import machine
    from jaxcards.errors import UserError
    from jaxcards.files import write_text

    try:
        game = jaxcards.make(args.game)
        found = measure(game, configurations(args, game), args.repeats)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for row in found["sizes"]:
        speed = row["decisions_per_second"]["median"]
        print(f"{row['deals']:8,} deals, {row['widths']}: {speed:12,.0f} decisions/s", flush=True)
    result = {
        "command": shlex.join(["python", "benchmarks/sizes.py", *sys.argv[1:]]),
        "game": game.id,
        "repeats": args.repeats,
        **found,
        "machine": machine.describe(),
    }
    name = args.machine or machine.slug(jax.devices()[0].device_kind)
    path = args.results / f"{name}-sizes.json"
    args.results.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    print(path)
    return 0 if found["sizes"] else 1


if __name__ == "__main__":
    sys.exit(main())
