"""Complete deals of Jass per second on one core, beside a yardstick in C in the same run.

    python benchmarks/rollout.py

Ours is the whole game (bidding, Weis, Stöck, score) with uniformly random legal actions, through the
public `rollout`; the yardstick (c/jass_cardplay.c) is card play alone. The two take turns, so that
whatever else the machine does befalls both; the ratio is that of neighbours.
"""

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

C_SOURCE = HERE / "c" / "jass_cardplay.c"
C_FLAGS = ["-O3", "-march=native"]
CARD_POINTS = 2 * 157  # every seat shows the points of its side


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of a game of Jass with teams")
    parser.add_argument("--batch", type=int, default=4096, help="deals side by side")
    parser.add_argument("--num-batches", type=int, default=256, help="batches of one repeat")
    parser.add_argument("--c-deals", type=int, default=500_000, help="deals of one repeat in C")
    parser.add_argument("--repeats", type=int, default=15, help="repeats of each")
    parser.add_argument("--core", type=int, help="core to run on (default: the last one)")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    args = parser.parse_args()
    for name in ("batch", "num_batches", "c_deals", "repeats"):
        if getattr(args, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")
    if args.core is not None and args.core not in os.sched_getaffinity(0):
        parser.error(f"--core must be one of {sorted(os.sched_getaffinity(0))}")
    return args


def stay_on_one_core(core: int | None) -> int:
    """Binds this process and its children to a core; JAX has to be imported after that."""
    core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {core})
    os.environ["JAX_PLATFORMS"] = "cpu"
    return core


def compile_yardstick(folder: str) -> list[str] | None:
    """Returns the command of the yardstick, or None where it does not compile."""
    compiler = os.environ.get("CC", "cc")
    program = str(Path(folder, "jass_cardplay"))
    try:
        subprocess.run(
            [compiler, *C_FLAGS, "-o", program, str(C_SOURCE)], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no yardstick: {compiler} failed ({error})", file=sys.stderr)
        return None
    return [program]


def run_yardstick(command: list[str], deals: int, seed: int) -> float:
    """Returns deals per second; the program checks the points of every deal by itself."""
    done = subprocess.run([*command, str(deals), str(seed)], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])


def compiler_version() -> str:
    compiler = os.environ.get("CC", "cc")
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True)
    return done.stdout.splitlines()[0] if done.stdout else compiler


def measure(args: argparse.Namespace, command: list[str] | None) -> dict:
    import jax
    import jax.numpy as jnp

    import jaxcards
    from jaxcards.throughput import random_play

    game = jaxcards.make(args.game)
    start = time.perf_counter()
    play = random_play(game, args.batch, args.num_batches).lower(jnp.uint32(0)).compile()
    compile_seconds = time.perf_counter() - start
    ours, c = [], []
    for repeat in range(args.repeats + 1):
        seed = jax.block_until_ready(jnp.uint32(repeat))
        start = time.perf_counter()
        tally = jax.block_until_ready(play(seed))
        rate = args.batch * args.num_batches / (time.perf_counter() - start)
        totals = int(tally.lowest), int(tally.highest), int(tally.unfinished)
        if totals != (CARD_POINTS, CARD_POINTS, 0):
            sys.exit(f"wrong: card points from {totals[0]} to {totals[1]}, {totals[2]} unfinished")
        c_rate = run_yardstick(command, args.c_deals, repeat) if command else None
        if repeat:  # the first one warms up
            ours.append(rate)
            c.append(c_rate)
    result = {
        "game": game.id,
        "batch": args.batch,
        "deals_per_repeat": args.batch * args.num_batches,
        "repeats": args.repeats,
        "deals_per_second": summary(ours),
        "card_plays_per_second_median": 36 * statistics.median(ours),
        "compile_seconds": compile_seconds,
        "sizes": sizes(game),
    }
    if command:
        result["yardstick"] = {
            "source": C_SOURCE.relative_to(HERE.parent).as_posix(),
            "compiler": compiler_version(),
            "flags": C_FLAGS,
            "deals_per_repeat": args.c_deals,
            "deals_per_second": summary(c),
        }
        result["ratio"] = summary([a / b for a, b in zip(ours, c, strict=True)])
    return result


def summary(values: list[float]) -> dict:
    low, median, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {
        "median": median,
        "quartiles": [low, high],
        "lowest": min(values),
        "highest": max(values),
        "all": values,
    }


def sizes(game) -> dict:
    """What a compiler has to look at, and what a loop has to carry: equations, bytes."""
    import jax
    import jax.numpy as jnp

    key = jax.random.key(0)
    state = game.init(key)
    action = jnp.int32(0)
    bytes_of_state = sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state))
    count = {
        "init": jax.make_jaxpr(game.init)(key),
        "legal_actions": jax.make_jaxpr(game.legal_actions)(state),
        "step": jax.make_jaxpr(game.step)(state, action),
        "observe": jax.make_jaxpr(game.observe)(state, action),
        "points": jax.make_jaxpr(game.points)(state),
    }
    equations = {name: count_equations(jaxpr.jaxpr) for name, jaxpr in count.items()}
    return {"state_bytes": bytes_of_state, "jaxpr_equations": equations}


def count_equations(jaxpr) -> int:
    """Number of equations of a jaxpr, those inside of calls and loops included once."""
    from jax.extend.core import jaxprs_in_params

    total = 0
    for equation in jaxpr.eqns:
        inner = list(jaxprs_in_params(equation.params))
        total += sum(map(count_equations, inner)) if inner else 1
    return total


def main() -> int:
    args = parse_arguments()
    core = stay_on_one_core(args.core)

    from jaxcards import machine
    from jaxcards.files import write_text

    with tempfile.TemporaryDirectory() as folder:
        result = measure(args, compile_yardstick(folder))
    arguments = [*sys.argv[1:]]
    result = {
        "command": shlex.join(["python", "benchmarks/rollout.py", *arguments]),
        "core": core,
        **result,
        "machine": machine.describe(),
    }
    name = args.machine or slug(machine.processor())
    path = args.results / f"{name}-rollout.json"
    args.results.mkdir(exist_ok=True)
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    show("ours", result["deals_per_second"], ",.0f", " deals/s")
    if "ratio" in result:
        show("C", result["yardstick"]["deals_per_second"], ",.0f", " deals/s")
        show("ratio", result["ratio"], ".2f", "")
    print(f"compile {result['compile_seconds']:.1f} s; {result['sizes']}\n{path}")
    return 0


def slug(name: str) -> str:
    """ "Intel(R) Xeon(R) Gold 6130" -> "intel-xeon-gold-6130"."""
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(r"\(\w+\)", "", name.lower())))


def show(title: str, values: dict, form: str, unit: str) -> None:
    low, high = values["quartiles"]
    median = format(values["median"], form)
    print(f"{title:6} {median}{unit}, quartiles {format(low, form)} to {format(high, form)}")


if __name__ == "__main__":
    sys.exit(main())
