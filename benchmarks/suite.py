"""The whole benchmark: every game and kind of work, one core and all, beside other engines.

    python benchmarks/suite.py             # an hour on two cores; leave the machine alone
    python benchmarks/suite.py --quick     # some minutes: few batches, short repeats

Figures come from `jaxcards bench`, run for each game in a separate process: bound to one core, then on
all devices. Other engines (`peers/`) run on one core, each in a separate process, and take turns with
ours: a ratio is of two consecutive runs. Engines that are not installed are left out with a line that
tells how to get them. Writes `results/<machine>-suite.json` and a picture beside it.
"""

import argparse
import dataclasses
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]  # the checkout that this file belongs to

import peers  # noqa: E402
from turns import compare  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Sweep:
    """Kinds of work and their batches."""

    works: str
    batches: str


# `jaxcards bench` leaves out batches that would take long, and reports them.
_FULL = [
    Sweep("random", "1,8,64,512,4096,32768,262144"),
    Sweep("observations,network,determinization,matches", "1,64,4096,32768,262144"),
    Sweep("training", "64,512,4096,32768,262144"),
]
_QUICK = [
    Sweep("random", "1,64,4096,262144"),
    Sweep("observations,network,determinization,matches", "4096"),
    Sweep("training", "512"),
]
_FULL_ACCELERATOR = [
    Sweep("random", "1,64,4096,32768,262144,2097152"),
    Sweep("observations,network,determinization,matches", "1,64,4096,32768,262144"),
    Sweep("training", "512,4096,32768"),
]
_QUICK_ACCELERATOR = [
    Sweep("random", "4096,262144,2097152"),
    Sweep("observations,network,determinization,matches", "32768"),
    Sweep("training", "4096"),
]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few batches, short repeats")
    parser.add_argument("--games", nargs="+", help="ids (default: one preset of every game)")
    parser.add_argument("--works", nargs="+", help="kinds of work (default: all)")
    parser.add_argument("--batches", help="one sweep for all kinds of work, such as 64,4096")
    parser.add_argument("--repeats", type=int, default=10, help="timed repeats of each figure")
    parser.add_argument("--seconds", type=float, help="least time of a repeat (0.25, quick 0.05)")
    parser.add_argument("--core", type=int, help="core to run on (default: the last one)")
    parser.add_argument("--devices", type=int, help="all of them (default: cores, or accelerators)")
    parser.add_argument("--peers", nargs="*", default=list(peers.NAMES), help="others (default: all)")
    parser.add_argument(
        "--peer-python", default=sys.executable, help="interpreter that runs the others"
    )
    parser.add_argument(
        "--update", action="store_true", help="keep what the result has of other games and works"
    )
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    args = parser.parse_args()
    if args.repeats < 1:
        parser.error("--repeats must be at least 1")
    if args.seconds is None:
        args.seconds = 0.05 if args.quick else 0.25
    if unknown := [name for name in args.peers if name not in peers.NAMES]:
        parser.error(f"unknown peer {unknown[0]!r} (allowed: {', '.join(peers.NAMES)})")
    cores = _cores()
    args.core = max(cores) if args.core is None else args.core
    if args.core not in cores:
        parser.error(f"--core must be one of {cores}")
    return args


def _cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


# ---- Ours ---------------------------------------------------------------------------------------


def platform() -> tuple[str, int]:
    """Return the kind of device that JAX uses here, and how many it has or can make."""
    code = "import jax; print(jax.default_backend(), jax.device_count())"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment()
    )
    kind, count = done.stdout.split()
    return kind, len(_cores()) if kind == "cpu" else int(count)


def environment() -> dict[str, str]:
    """Return the environment of processes that import this checkout."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def sweeps(args: argparse.Namespace, kind: str) -> list[Sweep]:
    """Return the figures of one core, or of one accelerator."""
    if kind == "cpu":
        chosen = _QUICK if args.quick else _FULL
    else:
        chosen = _QUICK_ACCELERATOR if args.quick else _FULL_ACCELERATOR
    asked = []
    for sweep in chosen:
        works = [w for w in sweep.works.split(",") if not args.works or w in args.works]
        if works:
            asked.append(Sweep(",".join(works), args.batches or sweep.batches))
    known = {work for sweep in chosen for work in sweep.works.split(",")}
    others = [work for work in args.works or [] if work not in known]
    if others:  # `jaxcards bench` knows them, or refuses them
        asked.append(Sweep(",".join(others), args.batches or chosen[0].batches))
    return asked


def bench(args: argparse.Namespace, game: str, sweep: Sweep, devices: str, core: int | None) -> dict:
    """Run `jaxcards bench` in a separate process, bound to a core if one is given."""
    command = [sys.executable, "-m", "jaxcards", "bench", game, "--work", sweep.works]
    command += ["--batches", sweep.batches, "--devices", devices]
    command += ["--repeats", str(args.repeats), "--seconds", str(args.seconds)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "result.json")
        binding = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
        done = subprocess.run(
            [*command, "--json", str(path)],
            stdout=subprocess.DEVNULL,
            env=environment(),
            preexec_fn=binding,
        )
        if not path.exists():
            sys.exit(done.returncode or 1)  # it has printed the reason
        return json.loads(path.read_text(encoding="utf-8"))


def ours(args: argparse.Namespace, games: list[str], kind: str, count: int) -> dict:
    """Return the figures of all games: on one core or accelerator, then on all."""
    figures, left_out, costs, processes, machine = [], [], {}, [], {}
    together = 4096 * count if kind == "cpu" else 262144 * count
    for game in games:
        runs = [("1", args.core if kind == "cpu" else None, sweep) for sweep in sweeps(args, kind)]
        if count > 1:
            works = "random" if args.quick else "random,observations,network,determinization,matches"
            works = ",".join(w for w in works.split(",") if not args.works or w in args.works)
            if works:
                batch = args.batches or str(together)
                runs.append((f"1,{count}", None, Sweep(works, batch)))
            if not args.quick and (not args.works or "training" in args.works):
                runs.append((f"1,{count}", None, Sweep("training", args.batches or "1024")))
        for devices, core, sweep in runs:
            print(f"{game}: {sweep.works} at {sweep.batches}, devices {devices}", file=sys.stderr)
            found = bench(args, game, sweep, devices, core)
            machine = found["machine"] if core is None or not machine else machine
            bound = {"core": core} if core is not None else {}
            figures += [figure | bound for figure in found["figures"]]
            left_out += found["left_out"]
            costs |= found["games"]
            processes.append(
                {
                    "game": game,
                    "works": sweep.works,
                    "batches": sweep.batches,
                    "devices": devices,
                    **bound,
                }
                | {name: found[name] for name in ("process_peak_bytes", "device_peak_bytes")}
                | {"load_average": found["machine"]["load_average"]}
            )
    return {
        "games": costs,
        "figures": figures,
        "left_out": left_out,
        "processes": processes,
        "machine": machine | {"cores_usable": len(_cores())},
    }


# ---- All of it ----------------------------------------------------------------------------------


def updated(before: dict, now: dict) -> dict:
    """Return an earlier result with the new figures, by game and kind of work.

    Both must be of the same machine and versions. The commands of all updates are kept.
    """
    for name in ("processor", "cores_usable", "python", "jax", "jaxlib"):
        then, here = before["machine"].get(name), now["machine"].get(name)
        if then != here:
            sys.exit(f"error: cannot update: the result has {name} {then!r}, this is {here!r}")
    again = {(figure["game"], figure["work"]) for figure in now["figures"]}

    def others(rows: list[dict]) -> list[dict]:
        return [row for row in rows if (row["game"], row["work"]) not in again]

    update = {key: now[key] for key in ("command", "repeats", "seconds_per_repeat", "machine")}
    named = {row["name"] for row in now["peers"]}
    return before | {
        "updates": [*before.get("updates", []), update],
        "games": before["games"] | now["games"],
        "figures": [*others(before["figures"]), *now["figures"]],
        "left_out": [*others(before["left_out"]), *now["left_out"]],
        "processes": [*before["processes"], *now["processes"]],
        "peers": [*(row for row in before["peers"] if row["name"] not in named), *now["peers"]],
    }


def main() -> int:
    args = parse_arguments()
    from jaxcards import registry
    from jaxcards.bench import report
    from jaxcards.bench.machine import processor, slug
    from jaxcards.bench.plot import plot
    from jaxcards.files import write_text

    path = args.results / f"{args.machine or slug(processor())}-suite.json"
    if args.update and not path.exists():
        sys.exit(f"error: nothing to update: not found: {path}; leave --update out to write it")
    kind, count = platform()
    games = args.games or registry.defaults()
    result = {
        "command": shlex.join(["python", "benchmarks/suite.py", *sys.argv[1:]]),
        "repeats": args.repeats,
        "seconds_per_repeat": args.seconds,
        "seed": 0,
        **ours(args, games, kind, args.devices or count),
    }
    result["peers"], absent = compare(args)
    args.results.mkdir(exist_ok=True)
    if args.update:
        result = updated(json.loads(path.read_text(encoding="utf-8")), result)
    result["process_peak_bytes"] = max(row["process_peak_bytes"] for row in result["processes"])
    write_text(path, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(report.table(result))
    for row in result["peers"]:
        ratio = row["ratio"]
        low, high = ratio["quartiles"]
        print(f"to {row['title']}: {ratio['median']:,.3g} x ({low:,.3g} to {high:,.3g}), {row['unit']}")
    for line in absent:
        print(f"left out: {line}")
    try:
        plot(result, path.with_suffix(".svg"))
    except ModuleNotFoundError:
        print("no picture: pip install -e '.[train]'")
    print(path)
    return 1 if any(figure["wrong"] for figure in result["figures"]) else 0


if __name__ == "__main__":
    sys.exit(main())
