"""Measure random play and training on a GPU.

    python benchmarks/gpu.py

Three parts: random play of one game (`jaxcards.throughput`) by batch size, with and without the fences
that XLA needs on a CPU; random play of every game; benchmarks/training.py and benchmarks/sizes.py. The
result is written after each part. If a part fails, `failed` names it and the script returns 1.
"""

import argparse
import contextlib
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to
sys.path.insert(0, str(HERE))

from compile_together import compile_together, first_line  # noqa: E402

from jaxcards import registry  # noqa: E402
from jaxcards.bench.machine import slug  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.xla.fence import without_fences  # noqa: E402

DEFAULT_BATCHES = [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 21]
PARTS = ("xla", "games", "training")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game of the sweeps and of training")
    parser.add_argument("--games", nargs="+", help="ids to compare (default: one preset of each)")
    parser.add_argument(
        "--batches", type=int, nargs="+", default=DEFAULT_BATCHES, help="deals side by side"
    )
    parser.add_argument("--deals", type=int, default=1 << 25, help="deals of one repeat")
    parser.add_argument("--repeats", type=int, default=10, help="repeats of each measurement")
    parser.add_argument("--config", type=Path, help="settings of training (default: those of the game)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="parts to measure")
    parser.add_argument(
        "--update", action="store_true", help="keep the other parts of an earlier result"
    )
    parser.add_argument("--limit", type=float, default=600, help="seconds of each training script")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the GPU)")
    parser.add_argument(
        "--try", dest="without_gpu", action="store_true", help="try the script without a GPU"
    )
    args = parser.parse_args()
    if min(args.deals, args.repeats, *args.batches) < 1:
        parser.error("--deals, --repeats and --batches must be at least 1")
    return args


class Subject:
    """A compiled program that plays random deals."""

    def __init__(self, play, batch: int, deals: int, **facts) -> None:
        import jax.numpy as jnp

        self.num_batches = max(deals // batch, 1)
        self.deals, self.facts = batch * self.num_batches, {"batch": batch, **facts}
        start = time.perf_counter()
        self.play = play(batch, self.num_batches).lower(jnp.uint32(0)).compile()
        self.compile_seconds = time.perf_counter() - start
        print(f"compiled in {self.compile_seconds:.1f} s: {self.facts}", file=sys.stderr)
        self.rates: list[float] = []

    def run(self, seed: int) -> None:
        """Play once. The first time does not count."""
        import jax
        import jax.numpy as jnp

        number = jax.block_until_ready(jnp.uint32(seed))
        start = time.perf_counter()
        tally = jax.block_until_ready(self.play(number))
        rate = self.deals / (time.perf_counter() - start)
        if int(tally.unfinished):
            raise ValueError(f"wrong: {int(tally.unfinished)} deals were not finished ({self.facts})")
        if seed:
            self.rates.append(rate)

    def result(self) -> dict:
        return {
            **self.facts,
            "num_batches": self.num_batches,
            "compile_seconds": self.compile_seconds,
            "deals_per_second": summary(self.rates),
        }


def take_turns(subjects: list[Subject], repeats: int) -> list[dict]:
    """Run all subjects in turns, so that other work of the machine slows all of them alike."""
    for seed in range(repeats + 1):
        for subject in subjects:
            subject.run(seed)
    return [subject.result() for subject in subjects]


def xla(id: str, batch: int, deals: int, fences: bool) -> Subject:
    import jaxcards
    from jaxcards import throughput

    game = jaxcards.make(id)
    with contextlib.nullcontext() if fences else without_fences():
        return Subject(
            lambda *numbers: throughput.random_play(game, *numbers), batch, deals, fences=fences
        )


def median(result: dict) -> float:
    return result["deals_per_second"]["median"]


def xla_part(args: argparse.Namespace, result: dict) -> dict:
    """Return speeds of XLA's loop over the sizes, and the best choice."""
    sizes = itertools.product(args.batches, (True, False))
    loops, failed = compile_together(
        [partial(xla, args.game, size, args.deals, fences) for size, fences in sizes]
    )
    by_xla = take_turns(loops, args.repeats)
    best = max(by_xla, key=median)
    return {
        "xla": by_xla,
        "xla_failed": failed,
        "best_xla": {"batch": best["batch"], "fences": best["fences"]},
    }


def games_part(args: argparse.Namespace, result: dict) -> dict:
    """Return the speed of every game, with the best batch and fences of the first part."""
    if "best_xla" not in result:
        raise ValueError("the best batch is not known: measure xla first")
    best, ids = result["best_xla"], args.games or registry.defaults()
    loops = [partial(xla, id, best["batch"], args.deals, best["fences"]) for id in ids]
    subjects, failed = compile_together(loops)
    if failed:  # the failed game is unknown
        raise ValueError(failed[0])
    speeds = take_turns(subjects, args.repeats)
    return {"games": {registry.make(id).id: {"xla": row} for id, row in zip(ids, speeds, strict=True)}}


def training_part(args: argparse.Namespace, result: dict) -> dict:
    """Return the results of training.py and sizes.py on this GPU."""
    config = ["--config", str(args.config)] if args.config else []
    with tempfile.TemporaryDirectory() as folder:
        out = ["--results", folder, "--machine", "gpu"]
        run("training.py", "--devices", "1", "--games", args.game, *config, *out, limit=args.limit)
        run("sizes.py", "--game", args.game, *config, *out, limit=args.limit)
        return {
            name: json.loads(Path(folder, f"gpu-{name}.json").read_text(encoding="utf-8"))
            for name in ("training", "sizes")
        }


def run(script: str, *arguments: str, limit: float) -> None:
    """Run another script of this folder. Raise `ValueError` with its last line if it fails."""
    command = [sys.executable, str(HERE / script), *arguments]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise ValueError(f"{script} took more than {limit:g} s: give it more with --limit") from None
    if done.returncode:
        raise ValueError(f"{script}: {next(reversed(done.stderr.strip().splitlines()), 'failed')}")


def main() -> int:
    args = parse_arguments()
    # The training step is a separate process and needs memory beside ours.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    from jaxcards.bench import machine
    from jaxcards.errors import UserError
    from jaxcards.files import write_text

    if jax.default_backend() != "gpu" and not args.without_gpu:
        print(
            f"error: no GPU: JAX found only {jax.devices()[0].platform!r}; "
            "pip install 'jax[cuda13]' where there is one",
            file=sys.stderr,
        )
        return 2
    try:
        for id in [args.game, *(args.games or [])]:
            registry.make(id)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    args.results.mkdir(exist_ok=True)
    path = args.results / f"{args.machine or slug(jax.devices()[0].device_kind)}-gpu.json"
    result = {
        "command": shlex.join(["python", "benchmarks/gpu.py", *sys.argv[1:]]),
        "without_gpu": args.without_gpu,
        "repeats": args.repeats,
        "game": args.game,
        "machine": machine.describe(),
    }
    if args.update and path.exists():
        result = json.loads(path.read_text(encoding="utf-8")) | result
    failed = {}
    measure = {"xla": xla_part, "games": games_part, "training": training_part}
    for part in PARTS:
        if part not in args.parts:
            continue
        try:
            result |= measure[part](args, result)
        except Exception as error:  # the other parts are still useful
            failed[part] = f"{type(error).__name__}: {first_line(error)}"
            print(f"{part} failed: {failed[part]}", file=sys.stderr)
        result["failed"] = failed
        write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    report(result)
    print(path)
    return 1 if failed else 0


def report(result: dict) -> None:
    for id, game in result.get("games", {}).items():
        print(f"{id:24} {median(game['xla']) / 1e6:8.1f} M deals/s")
    for game in result.get("training", {}).get("games", []):
        speed, outside = game["decisions_per_second"], game["share_outside_network"]
        print(
            f"training {game['game']}: {speed['median']:,.0f} decisions/s, "
            f"{100 * outside['median']:.0f} % outside network arithmetic"
        )


if __name__ == "__main__":
    sys.exit(main())
