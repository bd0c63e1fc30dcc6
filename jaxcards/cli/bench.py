"""`jaxcards bench`: the speed of this machine."""

import argparse
import contextlib
import dataclasses
import json
import os
import sys

from jaxcards import registry
from jaxcards.bench import workloads
from jaxcards.cli.options import add_outputs, add_seed, add_value, check_outputs
from jaxcards.cli.provenance import provenance

HELP = "measure the speed of this machine"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("games", nargs="+", metavar="game", help="id of a game")
    parser.add_argument(
        "--work",
        default="random",
        metavar="A,B,...",
        help=f"{', '.join(workloads.WORKLOADS)}, or all (default: random)",
    )
    numbers = tuple[int, ...]
    batch = parser.add_mutually_exclusive_group()
    add_value(batch, "batch", int, "deals side by side", "by device", minimum=1)
    add_value(batch, "batches", numbers, "batch sizes, such as 1,64,4096", "one", minimum=1)
    help = "devices that share a batch; 1,2 measures both in turns"
    add_value(parser, "devices", numbers, help, "1", minimum=1)
    add_value(parser, "repeats", int, "timed repeats", 10, minimum=1)
    add_value(parser, "seconds", float, "minimum time of a repeat", 0.25, minimum=0)
    add_seed(parser)
    add_outputs(parser)


def check(args: argparse.Namespace) -> None:
    """Set games: list[str]; works: list[Workload]; batches, devices: tuple[int, ...];
    repeats, seed: int; seconds: float; json, plot: Path | None."""
    args.games = list(dict.fromkeys(registry.canonical_id(game) for game in args.games))
    args.works = workloads.choose(args.work.split(","))
    args.batches = args.batches or ((args.batch,) if args.batch else ())
    args.devices = args.devices or (1,)
    check_outputs(args)


def run(args: argparse.Namespace) -> int:
    """Print the figures, and write the requested files. Return 1 if a result is wrong."""
    import jaxcards
    from jaxcards.bench import measure, report
    from jaxcards.bench.plot import plot
    from jaxcards.files import write_text

    def say(figure: dict) -> None:
        print(report.progress(figure), file=sys.stderr, flush=True)

    _divide_processor(max(args.devices))
    plan = measure.Plan(
        games=[jaxcards.make(game) for game in args.games],
        works=args.works,
        batches=args.batches,
        devices=args.devices,
        repeats=args.repeats,
        seed=args.seed,
        seconds=args.seconds,
    )
    many = len(plan.games) * len(plan.works) * max(1, len(plan.batches)) * len(plan.devices) > 1
    result = measure.run(plan, say if many else lambda figure: None)
    print(report.table(result))
    if args.json:
        rules = {game.id: dataclasses.asdict(game.rules) for game in plan.games}
        result |= {"command": provenance()["command"], "rules": rules}
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    if args.plot:
        plot(result, args.plot)
    return 1 if any(figure["wrong"] for figure in result["figures"]) else 0


def _divide_processor(devices: int) -> None:
    """Divide a processor into this number of devices; GPUs and the like are not divided."""
    import jax

    if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
        with contextlib.suppress(RuntimeError):  # the backend runs already, with its own devices
            jax.config.update("jax_num_cpu_devices", devices)
