"""Splits the time of a training step: network arithmetic, the engine, the rest.

    python benchmarks/training.py

For each game, the script times one dispatch of the learner as `jaxcards train` compiles it, and its
parts alone (benchmarks/step_parts.py), on the same devices and compiled with the same options:

* acting: the policy, for all deals, at every step in which a player has a choice;
* judging: the critic, for all steps;
* learning: gradients of both, and the optimiser;
* engine: dealing, legal actions, features, sampling, packing, score.

These three and the engine, subtracted from the whole, leave the rest: unpacking bits into floats,
gathering rows, advantages, loss, metrics. The evaluations of the networks are counted in the dispatch
itself. All take turns, so that other work of the machine slows all alike, and a share is of consecutive
runs.
"""

import argparse
import json
import shlex
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to
sys.path.insert(0, str(HERE))

NETWORK = ("acting", "judging", "learning")
PARTS = (*NETWORK, "engine", "rest")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", help="ids of games (default: one preset of each)")
    parser.add_argument(
        "--config",
        type=Path,
        help="settings of all games (default: experiments/<game>_ppo/config.toml)",
    )
    parser.add_argument("--repeats", type=int, default=10, help="repeats of each")
    parser.add_argument("--devices", type=int, default=2, help="devices to share a batch")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    parser.add_argument("--machine", help="begins the name of the result (default: the processor)")
    args = parser.parse_args()
    if args.repeats < 1 or args.devices < 1:
        parser.error("--repeats and --devices must be at least 1")
    return args


def subjects(args: argparse.Namespace) -> list[tuple]:
    """Return (game, configuration) of all measurements, before any of them starts."""
    import jaxcards
    from jaxcards import registry
    from jaxcards.training import devices

    found = []
    for id in args.games or registry.defaults():
        game = jaxcards.make(id)
        config = configured(game, args.config, devices=args.devices)
        devices.choose(config)
        found.append((game, config))
    return found


def configured(game, path: Path | None, **changed):
    """Return the settings in a file, or of the usual run of a game, with the given changes."""
    from jaxcards.training.config import learner_of, load_config

    name = game.id.partition("/")[0]
    path = path or HERE.parent / "experiments" / f"{name}_ppo" / "config.toml"
    return load_config(learner_of(path), path, changed)


def measure(game, config, repeats: int) -> dict:
    """Return the row of a game: seconds and shares of all parts."""
    import jax
    import step_parts

    from jaxcards import settings
    from jaxcards.agents.learners.ppo.learner import PPO
    from jaxcards.training.host_learner import CompiledLearner

    ppo = PPO(game, config, config.devices)
    learner, updates = CompiledLearner(ppo), config.updates_per_dispatch
    state = learner.init()
    start = time.perf_counter()
    train = learner.compile(state, updates)
    compile_seconds = time.perf_counter() - start
    state, _ = train(state, step_parts.SCHEDULE)
    begin = jax.device_get(state)  # every repeat is the next dispatch
    counts = step_parts.count(ppo, state)
    parts = step_parts.arithmetic(ppo, state, counts)
    parts["engine"] = step_parts.engine(ppo, int(begin.update))

    seconds = {name: [] for name in ("whole", *PARTS)}
    for repeat in range(repeats + 1):
        state = jax.block_until_ready(learner.place(begin))
        took = {}
        (_, metrics), took["whole"] = timed(lambda state=state: train(state, step_parts.SCHEDULE))
        for name, run in parts.items():
            result, took[name] = timed(run)
        check(counts, metrics, digest=result)
        took["rest"] = took["whole"] - sum(took[name] for name in parts)
        if repeat:  # the first round allocates memory
            for name, value in took.items():
                seconds[name].append(value)
    return {
        "game": game.id,
        "config": settings.to_toml(config).splitlines(),
        "compile_seconds": compile_seconds,
        **summaries(seconds, config, metrics["decisions"]),
        "counted": counted(ppo, counts),
    }


def timed(run) -> tuple:
    """Return the result of a function, once it is on the device, and its duration in seconds."""
    import jax

    start = time.perf_counter()
    result = jax.block_until_ready(run())
    return result, time.perf_counter() - start


def check(counts, metrics: dict, digest) -> None:
    """Exit if the work of the parts differs from that of the dispatch."""
    import numpy as np

    if not np.asarray(digest).all():
        sys.exit("wrong: the engine alone has left out a part of the experience")
    # The programs may round differently, which changes an action now and then.
    if not np.isclose(counts.choices[0].mean(), metrics["choices"], rtol=1e-3):
        sys.exit(f"wrong: {counts.choices[0].mean()} choices counted, not {metrics['choices']}")


def summaries(seconds: dict, config, decisions: float) -> dict:
    """Return speed, seconds and shares of the whole, with medians and quartiles."""
    from jaxcards.bench.timing import summary

    whole, updates = seconds["whole"], config.updates_per_dispatch
    shares = {
        name: [part / all for part, all in zip(seconds[name], whole, strict=True)] for name in PARTS
    }
    outside = [sum(pair) for pair in zip(shares["engine"], shares["rest"], strict=True)]
    return {
        "decisions_per_second": summary([decisions * updates / all for all in whole]),
        "deals_per_second": summary([config.deals_per_update * updates / all for all in whole]),
        "seconds_per_dispatch": {name: summary(values) for name, values in seconds.items()},
        "shares": {name: summary(values) for name, values in shares.items()},
        "share_outside_network": summary(outside),
    }


def counted(ppo, counts) -> dict:
    """Return the numbers of network evaluations, as means over updates and devices."""
    from jaxcards.agents.learners.decisions import part_size

    config, steps = ppo.config, ppo.game.max_steps
    own = config.deals_per_update // config.minibatches // ppo.num_devices
    size = part_size(config.decision_share, steps * own)
    return {
        "steps": steps,
        "steps_in_which_the_policy_was_asked": float(counts.asked.mean()),
        "rows_of_a_part": size,
        "parts_of_a_gradient": float(counts.parts.mean()),
        "decisions_learned_from": float(counts.choices[0].mean()),
        "rows_learned_from": float(counts.parts.sum((0, 2)).mean()) * size,
    }


def main() -> int:
    args = parse_arguments()
    import jax

    jax.config.update("jax_num_cpu_devices", args.devices)

    from jaxcards.bench import machine
    from jaxcards.errors import UserError
    from jaxcards.files import write_text

    rows = []
    try:
        for game, config in subjects(args):
            rows.append(measure(game, config, args.repeats))
            print(line(rows[-1]), flush=True)
            jax.clear_caches()  # the next game cannot use these programs
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    result = {
        "command": shlex.join(["python", "benchmarks/training.py", *sys.argv[1:]]),
        "devices": args.devices,
        "repeats": args.repeats,
        "games": rows,
        "machine": machine.describe(),
    }
    name = args.machine or machine.slug(machine.processor())
    path = args.results / f"{name}-training.json"
    args.results.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    print(path)
    return 0


def line(row: dict) -> str:
    """Return a game's row of the table for people."""
    percent = {name: f"{100 * share['median']:5.1f} %" for name, share in row["shares"].items()}
    return (
        f"{row['game']:20} {row['decisions_per_second']['median']:9,.0f} decisions/s   "
        + "   ".join(f"{name} {text}" for name, text in percent.items())
        + f"   outside network {100 * row['share_outside_network']['median']:5.1f} %"
    )


if __name__ == "__main__":
    sys.exit(main())
