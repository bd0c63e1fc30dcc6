"""All measurements of a GPU in one go: the loop of XLA, the kernel, and a training step.

    python benchmarks/gpu.py

Random play by XLA alone (`jaxcards.throughput`) over sizes of a batch, with the fences of the CPU
and without; the kernel (`jaxcards.bench.gpu.kernel`) over sizes of a block and numbers of warps; both
side by side for every game. Every tally of the kernel is compared with that of XLA, entry by entry,
and the script fails if they differ. At last benchmarks/training.py on this GPU.
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
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

from jaxcards import registry  # noqa: E402
from jaxcards.bench import cost  # noqa: E402
from jaxcards.bench.machine import slug  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.xla.fence import without_fences  # noqa: E402

DEFAULT_BATCHES = [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 21]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game of the sweeps and of training")
    parser.add_argument("--games", nargs="+", help="ids to compare (default: one preset of each)")
    parser.add_argument(
        "--batches", type=int, nargs="+", default=DEFAULT_BATCHES, help="deals side by side"
    )
    parser.add_argument("--deals", type=int, default=1 << 25, help="deals of one repeat")
    parser.add_argument("--blocks", type=int, nargs="+", default=[64, 128, 256, 512])
    parser.add_argument("--warps", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--repeats", type=int, default=10, help="repeats of each")
    parser.add_argument("--config", type=Path, help="settings of training (default: those of the game)")
    parser.add_argument("--no-training", action="store_true", help="leave the training step out")
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
            sys.exit(f"wrong: {int(tally.unfinished)} deals were not finished ({self.facts})")
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
    """Exits unless all have the same tally of the same deals."""
    import jax
    import jax.numpy as jnp

    expected = jax.device_get(subjects[0].play(jnp.uint32(7)))
    for subject in subjects[1:]:
        got = jax.device_get(subject.play(jnp.uint32(7)))
        for name, a, b in zip(got._fields, got, expected, strict=True):
            if not (a == b).all():
                sys.exit(f"wrong: {name} of {id} differ from XLA's ({subject.facts})")


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


def sweep(args: argparse.Namespace) -> dict:
    """Returns speeds of one game over the sizes, and the best choice of each."""
    loops = [
        xla(args.game, batch, args.deals, fences)
        for batch, fences in itertools.product(args.batches, (True, False))
    ]
    by_xla = take_turns(loops, args.repeats)
    best_loop = max(by_xla, key=median)
    lanes = max(args.batches)
    choices = [
        (block, warps) for block, warps in itertools.product(args.blocks, args.warps)
        if 32 * warps <= block  # else threads would compute the same twice
    ] or [(min(args.blocks), min(args.warps))]  # fmt: skip
    kernels = [
        whole_kernel(args.game, lanes, args.deals, *choice, interpret=args.interpret)
        for choice in choices
    ]
    reference = xla(args.game, lanes, args.deals, True)
    check_equal(args.game, [reference, *kernels])
    by_kernel = take_turns(kernels, args.repeats)
    best = max(by_kernel, key=median)
    by_lanes = take_turns(
        [
            whole_kernel(
                args.game, batch, args.deals, best["block"], best["num_warps"], interpret=args.interpret
            )
            for batch in args.batches
        ],
        args.repeats,
    )
    return {
        "xla": by_xla,
        "best_xla": {"batch": best_loop["batch"], "fences": best_loop["fences"]},
        "kernel": by_kernel,
        "kernel_by_batch": by_lanes,
        "best_kernel": {
            "block": best["block"],
            "num_warps": best["num_warps"],
            "batch": max(by_lanes, key=median)["batch"],
        },
        "equal_deals_of_every_kernel": reference.deals,
    }


def side_by_side(args: argparse.Namespace, ids: list[str], best: dict) -> dict:
    """Returns both speeds of every game, in turns, at what was best for the game of the sweeps."""
    import jaxcards

    chosen, loop = best["best_kernel"], best["best_xla"]
    games = {}
    for id in ids:
        pair = [
            xla(id, loop["batch"], args.deals, loop["fences"]),
            whole_kernel(
                id, chosen["batch"], args.deals, chosen["block"], chosen["num_warps"],
                interpret=args.interpret,
            ),
        ]  # fmt: skip
        check_equal(id, [xla(id, chosen["batch"], args.deals, True), pair[1]])
        by_xla, by_kernel = take_turns(pair, args.repeats)
        operations = operations_per_deal(id)
        game = jaxcards.make(id)
        games[game.id] = {
            "xla": by_xla,
            "kernel": by_kernel,
            "ratio": summary([b / a for a, b in zip(*(p.rates for p in pair), strict=True)]),
            "sizes": cost.of_game(game),
            "equal_deals": pair[1].deals,
            # XLA reads and writes at most the whole state after each decision.
            "state_bytes_of_a_deal": 2 * game.max_steps * cost.of_game(game)["state_bytes"],
            "kernel_operations_per_deal": operations,
            "kernel_operations_per_second": operations * median(by_kernel),
        }
    return games


def training(args: argparse.Namespace) -> dict:
    """Returns the result of benchmarks/training.py on this GPU, or what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(HERE / "training.py"), "--devices", "1", "--results", folder]
        command += ["--machine", "gpu", "--games", args.game]
        command += ["--config", str(args.config)] if args.config else []
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return {"error": done.stderr.strip().splitlines()[-1:]}
        return json.loads(Path(folder, "gpu-training.json").read_text(encoding="utf-8"))


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
        ids = args.games or registry.defaults()
        best = sweep(args)
        result = {
            "command": shlex.join(["python", "benchmarks/gpu.py", *sys.argv[1:]]),
            "interpreted": args.interpret,
            "repeats": args.repeats,
            "game": args.game,
            **best,
            "games": side_by_side(args, ids, best),
        }
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not args.no_training:
        result["training"] = training(args)
    result["machine"] = machine.describe()
    args.results.mkdir(exist_ok=True)
    path = args.results / f"{args.machine or slug(jax.devices()[0].device_kind)}-gpu.json"
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    report(result)
    print(path)
    return 0


def report(result: dict) -> None:
    for id, game in result["games"].items():
        low, high = game["ratio"]["quartiles"]
        print(
            f"{id:24} XLA {median(game['xla']) / 1e6:8.1f} M deals/s   "
            f"kernel {median(game['kernel']) / 1e6:8.1f} M deals/s   "
            f"ratio {game['ratio']['median']:.2f}, quartiles {low:.2f} to {high:.2f}"
        )
    step = result.get("training", {})
    if "error" in step:
        print(f"training failed: {step['error']}")
    for game in step.get("games", []):
        speed, outside = game["decisions_per_second"], game["share_outside_network"]
        print(
            f"training {game['game']}: {speed['median']:,.0f} decisions/s, "
            f"{100 * outside['median']:.0f} % outside network arithmetic"
        )


if __name__ == "__main__":
    sys.exit(main())
