"""`jaxcards bench`: how fast this machine is."""

import argparse
import contextlib
import json
import os
import sys

import jax

import jaxcards
from jaxcards.bench import measure, report
from jaxcards.bench.plot import plot
from jaxcards.files import write_text


def run(args: argparse.Namespace) -> int:
    """Prints what was measured, and writes files where they are asked for. 1 if a result is wrong."""
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
    result = measure.run(plan, _say if many else lambda figure: None)
    print(report.table(result))
    if args.json:
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    if args.plot:
        plot(result, args.plot)
    return 1 if any(figure["wrong"] for figure in result["figures"]) else 0


def _divide_processor(devices: int) -> None:
    """Makes so many devices of a processor; other devices are what they are."""
    if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
        with contextlib.suppress(RuntimeError):  # the backend runs already, with the devices it has
            jax.config.update("jax_num_cpu_devices", devices)


def _say(figure: dict) -> None:
    print(report.progress(figure), file=sys.stderr, flush=True)
