"""The gain from several devices and processes, in training and in random play, as ratios in one run.

    python benchmarks/devices.py

The work is an update of training on the same deals, and random play of equally many deals, on one
device and on several. One process has all devices and uses some of them. Two more are joined by
`jax.distributed` over loopback, with one device each. All of them are ready, and take turns, so that
other work of the machine slows all alike; a ratio is of two consecutive runs. More devices than cores
are a simulation: they show the cost of dividing the work, not the gain.
"""

import argparse
import json
import shlex
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to
sys.path.insert(0, str(HERE))

BATCH = 4096  # deals side by side, of random play on one device


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="jass", help="id of the game")
    parser.add_argument("--config", type=Path, default=HERE.parent / "experiments/jass_ppo/config.toml")
    parser.add_argument("--devices", type=int, nargs="+", default=[1, 2, 8], help="1 comes first")
    parser.add_argument("--processes", type=int, default=2, help="processes of one device; 1 = none")
    parser.add_argument("--deals", type=int, default=1 << 21, help="deals of random play in a repeat")
    parser.add_argument("--repeats", type=int, default=7, help="repeats of each")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)  # coordinator, processes, process
    args = parser.parse_args()
    if min(*args.devices, args.processes, args.deals, args.repeats) < 1 or args.devices[0] != 1:
        parser.error("--devices must begin with 1, and all numbers be at least 1")
    if args.deals % (BATCH * max(*args.devices, args.processes)):
        parser.error(f"--deals must be a multiple of {BATCH} times the largest number of devices")
    return args


# ---- A worker: waits for a line, does the work, answers with a line -------------------------------


def work(args: argparse.Namespace) -> None:
    """Read `train N`, `play N` and `describe` from stdin; N is a number of devices."""
    import jax

    from jaxcards.bench import machine
    from jaxcards.training.multihost import processes

    coordinator, count, process = args.worker[0], int(args.worker[1]), int(args.worker[2])
    if count > 1:
        processes.connect(coordinator, count, process)
    jax.config.update("jax_num_cpu_devices", max(args.devices) if count == 1 else 1)
    jobs = {}
    for line in sys.stdin:
        name, _, number = line.strip().partition(" ")
        if name == "describe":
            answer = machine.describe()
        else:
            if line not in jobs:
                make = trainer if name == "train" else player
                jobs[line] = make(args, int(number))
            answer = jobs[line]()
        print(f"answer {json.dumps(answer)}", flush=True)


def trainer(args, number):
    """Return a function that does one dispatch and returns the number of its decisions."""
    import jaxcards
    from jaxcards.agents.learners.ppo.learner import PPO
    from jaxcards.training.config import learner_of, load_config
    from jaxcards.training.host_learner import CompiledLearner

    config = load_config(learner_of(args.config), args.config)
    learner = CompiledLearner(PPO(jaxcards.make(args.game), config, number))
    state = learner.init()
    train = learner.compile(state, config.updates_per_dispatch)

    def dispatch() -> float:
        nonlocal state
        state, metrics = train(state, 1e6)  # waits for the devices
        return metrics["decisions"] * config.updates_per_dispatch

    return dispatch


def player(args, number):
    """Return a function that plays this process's share of the deals and returns their number."""
    import jax
    import jax.numpy as jnp

    import jaxcards
    from jaxcards.throughput import random_play

    own = [d for d in jax.local_devices()][: number // jax.process_count()]
    play = random_play(jaxcards.make(args.game), BATCH, args.deals // number // BATCH)
    first = jax.process_index() * len(own)
    seeds = [jax.device_put(jnp.uint32(first + i), device) for i, device in enumerate(own)]

    def deal() -> float:
        tallies = jax.block_until_ready([play(seed) for seed in seeds])
        assert not any(int(tally.unfinished) for tally in tallies)
        return float(args.deals)

    return deal


# ---- The measurement ------------------------------------------------------------------------------


class Group:
    """Workers that do the same work at the same time."""

    def __init__(self, count: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            coordinator = f"127.0.0.1:{probe.getsockname()[1]}"
        script = [sys.executable, __file__, *sys.argv[1:], "--worker", coordinator, str(count)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.workers = [subprocess.Popen([*script, str(i)], **pipes) for i in range(count)]

    def ask(self, line: str):
        """Return the answer of the first worker, when all have answered."""
        for worker in self.workers:
            print(line, file=worker.stdin, flush=True)
        return [self._answer(worker) for worker in self.workers][0]

    def _answer(self, worker: subprocess.Popen):
        for line in worker.stdout:  # libraries may print lines as well
            if line.startswith("answer "):
                return json.loads(line.removeprefix("answer "))
        raise SystemExit("a worker has ended: see above")

    def end(self) -> None:
        for worker in self.workers:
            worker.stdin.close()
        for worker in self.workers:
            try:
                worker.wait(60)
            except subprocess.TimeoutExpired:
                worker.kill()


def timed(group: Group, line: str) -> tuple[float, float]:
    start = time.perf_counter()
    amount = group.ask(line)
    return amount, time.perf_counter() - start


def measure(args, layouts, what: str) -> dict:
    """Time one kind of work on every layout, in turns.

    Args:
      layouts: name -> (group, number of devices).
      what: "train" or "play".
    """
    first = {name: timed(group, f"{what} {n}")[1] for name, (group, n) in layouts.items()}
    rates: dict[str, list[float]] = {name: [] for name in layouts}
    for repeat in range(args.repeats + 1):
        for name, (group, number) in layouts.items():
            amount, seconds = timed(group, f"{what} {number}")
            if repeat:  # the first round warms up
                rates[name].append(amount / seconds)
    one = rates[next(iter(layouts))]
    result = {}
    for name, own in rates.items():
        ratios = [a / b for a, b in zip(own, one, strict=True)]
        result[name] = {
            "per_second": {"median": statistics.median(own), "all": own},
            "to_one_device": {"median": statistics.median(ratios), "all": ratios},
            "first_call_seconds": first[name],
        }
    return result


def main() -> int:
    args = parse_arguments()
    if args.worker:
        work(args)
        return 0

    from jaxcards import settings
    from jaxcards.bench.machine import slug
    from jaxcards.files import write_text
    from jaxcards.training.config import learner_of, load_config

    config = load_config(learner_of(args.config), args.config)
    alone = Group(1)
    groups = [alone]
    machine = alone.ask("describe")
    numbers = [n for n in args.devices if n <= machine["devices"]]
    layouts = {f"{n} device{'s' * (n > 1)}": (alone, n) for n in numbers}
    if args.processes > 1:
        groups.append(Group(args.processes))
        layouts[f"{args.processes} processes"] = (groups[1], args.processes)
    cores = machine["cores_usable"] if machine["device"].startswith("cpu") else None
    try:
        result = {
            "command": shlex.join(["python", "benchmarks/devices.py", *sys.argv[1:]]),
            "game": args.game,
            "config": settings.to_toml(config).splitlines(),
            "repeats": args.repeats,
            "deals_of_random_play": args.deals,
            "simulated": [name for name, (_, n) in layouts.items() if cores and n > cores],
            "training_decisions": measure(args, layouts, "train"),
            "random_play_deals": measure(args, layouts, "play"),
            "machine": alone.ask("describe"),
        }
    finally:
        for group in groups:
            group.end()
    name = args.machine or slug(machine["processor"])
    path = args.results / f"{name}-devices.json"
    args.results.mkdir(exist_ok=True)
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    for layout in layouts:
        train, play = (result[k][layout] for k in ("training_decisions", "random_play_deals"))
        print(
            f"{layout:12} training {train['per_second']['median']:12,.0f} decisions/s "
            f"{train['to_one_device']['median']:5.2f} x   random play "
            f"{play['per_second']['median']:12,.0f} deals/s {play['to_one_device']['median']:5.2f} x"
            + ("   (simulated)" if layout in result["simulated"] else "")
        )
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
