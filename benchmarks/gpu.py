"""All measurements of a GPU in one go: the loop of XLA, the kernel, and a training step.

    python benchmarks/gpu.py

In parts: random play by XLA alone (`jaxcards.throughput`) over sizes of a batch, with the fences of
the CPU and without; the kernel (`jaxcards.bench.gpu.kernel`) over sizes of a block and numbers of
warps; both side by side for every game; benchmarks/training.py and benchmarks/sizes.py on this GPU.
Every tally of the kernel is compared with that of XLA, entry by entry. A part that fails costs no other
one: the result is written after each, `failed` says what was wrong, and the script then returns 1.
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
from jaxcards.bench import cost  # noqa: E402
from jaxcards.bench.machine import slug  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.xla.fence import without_fences  # noqa: E402

DEFAULT_BATCHES = [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 21]
PARTS = ("xla", "kernel", "games", "training")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game of the sweeps and of training")
    parser.add_argument("--games", nargs="+", help="ids to compare (default: one preset of each)")
    parser.add_argument(
        "--batches", type=int, nargs="+", default=DEFAULT_BATCHES, help="deals side by side"
    )
    parser.add_argument("--deals", type=int, default=1 << 25, help="deals of one repeat")
    parser.add_argument("--blocks", type=int, nargs="+", default=[32, 64, 128, 256])
    parser.add_argument("--warps", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--repeats", type=int, default=10, help="repeats of each")
    parser.add_argument("--config", type=Path, help="settings of training (default: those of the game)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument(
        "--update", action="store_true", help="keep what an earlier result has of the other parts"
    )
    parser.add_argument("--limit", type=float, default=600, help="seconds of each training script")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the GPU)")
    parser.add_argument(
        "--interpret", action="store_true", help="try the script without a GPU; its speeds mean nothing"
    )
    args = parser.parse_args()
    numbers = [args.deals, args.repeats, *args.batches, *args.blocks, *args.warps]
    if min(numbers) < 1:
        parser.error("--deals, --repeats, --batches, --blocks and --warps must be at least 1")
    return args


class Subject:
    """Something compiled that plays deals at random."""

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
        """Plays once; the first time does not count."""
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
    """Runs all of them in turns, so that other work of the machine slows all alike."""
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


def whole_kernel(
    id: str, batch: int, deals: int, block: int, warps: int, *, interpret: bool
) -> Subject:
    import jaxcards
    from jaxcards.bench.gpu import kernel

    game, how = jaxcards.make(id), {"block": block, "num_warps": warps}
    return Subject(
        lambda *numbers: kernel.random_play(game, *numbers, **how, interpret=interpret),
        batch, deals, **how,
    )  # fmt: skip


def median(result: dict) -> float:
    return result["deals_per_second"]["median"]


def check_equal(id: str, subjects: list[Subject]) -> None:
    """Raises `ValueError` unless all have the same tally of the same deals."""
    import jax
    import jax.numpy as jnp

    expected = jax.device_get(subjects[0].play(jnp.uint32(7)))
    for subject in subjects[1:]:
        got = jax.device_get(subject.play(jnp.uint32(7)))
        for name, a, b in zip(got._fields, got, expected, strict=True):
            if not (a == b).all():
                raise ValueError(f"wrong: {name} of {id} differ from XLA's ({subject.facts})")


def operations_per_deal(id: str) -> int:
    """Elementwise operations of the kernel on a deal, as it is traced; the compiler saves some."""
    import jax
    import jax.numpy as jnp

    import jaxcards
    from jaxcards.bench.gpu import kernel

    function = kernel.tally_of_seed(jaxcards.make(id), 128, 1, block=128, num_warps=4)
    return count_operations(jax.make_jaxpr(function)(jnp.uint32(0)).jaxpr, inside=False)


def count_operations(jaxpr, *, inside: bool) -> int:
    """Counts equations on vectors inside of a kernel, those of a loop as often as it turns."""
    total = 0
    for equation in jaxpr.eqns:
        kernel = inside or equation.primitive.name == "pallas_call"
        bodies = [getattr(value, "jaxpr", value) for value in equation.params.values()]
        bodies = [body for body in bodies if hasattr(body, "eqns")]
        turns = equation.params.get("length", 1)
        if bodies:
            total += turns * sum(count_operations(body, inside=kernel) for body in bodies)
        elif inside and equation.primitive.name not in ("broadcast_in_dim", "get", "swap", "iota"):
            total += bool(equation.outvars[0].aval.shape)
    return total


def xla_part(args: argparse.Namespace, result: dict) -> dict:
    """Returns speeds of XLA's loop over the sizes, and the best choice."""
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


def kernel_part(args: argparse.Namespace, result: dict) -> dict:
    """Returns speeds of the kernel over the sizes, and the best choice."""
    lanes = max(args.batches)
    choices = [
        (block, warps) for block, warps in itertools.product(args.blocks, args.warps)
        if 32 * warps <= block <= 64 * warps  # one or two deals to a thread
    ] or [(min(args.blocks), min(args.warps))]  # fmt: skip
    kernel = partial(whole_kernel, args.game, deals=args.deals, interpret=args.interpret)
    makers = [partial(xla, args.game, lanes, args.deals, True)]
    makers += [partial(kernel, lanes, block=block, warps=warps) for block, warps in choices]
    (reference, *kernels), failed = compile_together(makers)
    if not kernels or "fences" not in reference.facts:
        raise ValueError(f"no kernel, or no loop to compare it with, compiles: {failed[0]}")
    check_equal(args.game, [reference, *kernels])
    by_kernel = take_turns(kernels, args.repeats)
    best = max(by_kernel, key=median)
    how = {"block": best["block"], "warps": best["num_warps"]}
    over_batches, refused = compile_together([partial(kernel, batch, **how) for batch in args.batches])
    by_batch = take_turns(over_batches, args.repeats)
    return {
        "kernel": by_kernel,
        "kernel_failed": failed + refused,
        "kernel_by_batch": by_batch,
        "best_kernel": {
            "block": best["block"],
            "num_warps": best["num_warps"],
            "batch": max(by_batch, key=median)["batch"],
        },
        "equal_deals_of_every_kernel": reference.deals,
    }


def games_part(args: argparse.Namespace, result: dict) -> dict:
    """Returns both speeds of every game, in turns, at what was best for the game of the sweeps."""
    if not {"best_xla", "best_kernel"} <= result.keys():
        raise ValueError("what is best is not known: measure xla and kernel first")
    best, how = result["best_xla"], result["best_kernel"]
    ids = args.games or registry.defaults()
    loops = [partial(xla, id, best["batch"], args.deals, best["fences"]) for id in ids]
    kernels = [
        partial(
            whole_kernel, id, how["batch"], args.deals, how["block"], how["num_warps"],
            interpret=args.interpret,
        )
        for id in ids
    ]  # fmt: skip
    references = []  # a tally has an entry for each place in the batch
    if best["batch"] != how["batch"]:
        references = [partial(xla, id, how["batch"], args.deals, True) for id in ids]
    subjects, failed = compile_together([*loops, *kernels, *references])
    if failed:  # whose they are is not known
        raise ValueError(failed[0])
    games, n = {}, len(ids)
    for number, id in enumerate(ids):
        by_xla, by_kernel = subjects[number], subjects[n + number]
        check_equal(id, [subjects[2 * n + number] if references else by_xla, by_kernel])
        games |= compared(id, by_xla, by_kernel, args.repeats)
    return {"games": games}


def compared(id: str, by_xla: Subject, by_kernel: Subject, repeats: int) -> dict:
    """Returns the speeds of a game both ways, and what bounds them, by its id."""
    import jaxcards

    loop, kernel = take_turns([by_xla, by_kernel], repeats)
    operations, game = operations_per_deal(id), jaxcards.make(id)
    return {
        game.id: {
            "xla": loop,
            "kernel": kernel,
            "ratio": summary([b / a for a, b in zip(by_xla.rates, by_kernel.rates, strict=True)]),
            "sizes": cost.of_game(game),
            "equal_deals": by_kernel.deals,
            # XLA reads and writes at most the whole state after each decision.
            "state_bytes_of_a_deal": 2 * game.max_steps * cost.of_game(game)["state_bytes"],
            "kernel_operations_per_deal": operations,
            "kernel_operations_per_second": operations * median(kernel),
        }
    }


def training_part(args: argparse.Namespace, result: dict) -> dict:
    """Returns the results of training.py and sizes.py on this GPU."""
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
    """Runs another script of this folder; raises `ValueError` with its last line if it fails."""
    command = [sys.executable, str(HERE / script), *arguments]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise ValueError(f"{script} took more than {limit:g} s: give it more with --limit") from None
    if done.returncode:
        raise ValueError(f"{script}: {next(reversed(done.stderr.strip().splitlines()), 'failed')}")


def main() -> int:
    args = parse_arguments()
    # The training step is a process of its own and needs memory beside ours.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    from jaxcards.bench import machine
    from jaxcards.errors import UserError
    from jaxcards.files import write_text

    if jax.default_backend() != "gpu" and not args.interpret:
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
        "interpreted": args.interpret,
        "repeats": args.repeats,
        "game": args.game,
        "machine": machine.describe(),
    }
    if args.update and path.exists():
        result = json.loads(path.read_text(encoding="utf-8")) | result
    failed = {}
    measure = {
        "xla": xla_part, "kernel": kernel_part, "games": games_part, "training": training_part
    }  # fmt: skip
    for part in PARTS:
        if part not in args.parts:
            continue
        try:
            result |= measure[part](args, result)
        except Exception as error:  # the other parts are worth having
            failed[part] = f"{type(error).__name__}: {first_line(error)}"
            print(f"{part} failed: {failed[part]}", file=sys.stderr)
        result["failed"] = failed
        write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    report(result)
    print(path)
    return 1 if failed else 0


def report(result: dict) -> None:
    for id, game in result.get("games", {}).items():
        low, high = game["ratio"]["quartiles"]
        print(
            f"{id:24} XLA {median(game['xla']) / 1e6:8.1f} M deals/s   "
            f"kernel {median(game['kernel']) / 1e6:8.1f} M deals/s   "
            f"ratio {game['ratio']['median']:.2f}, quartiles {low:.2f} to {high:.2f}"
        )
    for game in result.get("training", {}).get("games", []):
        speed, outside = game["decisions_per_second"], game["share_outside_network"]
        print(
            f"training {game['game']}: {speed['median']:,.0f} decisions/s, "
            f"{100 * outside['median']:.0f} % outside network arithmetic"
        )


if __name__ == "__main__":
    sys.exit(main())
