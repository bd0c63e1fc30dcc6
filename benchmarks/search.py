"""Time of a search's decision, alone and at 64 tables side by side.

    python benchmarks/search.py

The decisions are choices among cards in the middle of heuristic play. The search is the shipped one
with equally likely worlds, and with its rollout policy if there is one. The products of its networks
are in float32 or in bfloat16. In another row no candidate is dropped, and in the last one the worlds
are weighted by the shipped belief. All take turns, on one core. Time is processor time, so that other
work of the machine has little effect. Compile times on the one core are reported separately. A game
takes one to four minutes of one core, most of them to compile; Bridge, whose full network plays the
worlds on, takes longest. Writes `results/search.json`.
"""

import argparse
import dataclasses
import json
import os
import shlex
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402
import numpy as np  # noqa: E402

import jaxcards  # noqa: E402
from benchmarks.moments import moments  # noqa: E402
from jaxcards import xla  # noqa: E402
from jaxcards.agents.search.rollout_policy import WithRolloutPolicy  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.champions.catalogue import load_search  # noqa: E402
from jaxcards.files import write_text  # noqa: E402

GAMES = ("jass", "belote", "euchre", "rikiki", "sheepshead", "spades")
TABLES = 64
EXACT, HALF = "float32", "bfloat16"
PATIENT, BELIEVING = "float32, no race", "float32, with belief"


def middles(game, seed):
    """Return observations and legal actions of choices among cards; leaves have an axis of `TABLES`.

    Each is the first choice of a deal after half of the cards have been played.
    """
    num_cards = game.deck.num_cards

    def wanted(state):
        mask, places = game.legal_actions(state).mask(), game.card_places(state)
        played, held = (sum(cards.count() for cards in own) for own in (places.played, places.hands))
        choice = (mask[:num_cards].sum() > 1) & ~mask[num_cards:].any()
        return (played >= held) & choice & ~state.terminated

    states = moments(game, wanted, TABLES, seed)
    look = jax.vmap(
        lambda state: (game.observe(state, state.current_player), game.legal_actions(state))
    )
    return xla.jit(look)(states)


def searches(game, worlds):
    """Return the searches by name, and their parameters."""
    agent, params = load_search(game, worlds=worlds)
    plain = dataclasses.replace(agent, belief=None)
    half = dataclasses.replace(plain, base=in_half(plain.base))
    patient = dataclasses.replace(plain, racing=None)
    found = {EXACT: plain, HALF: half, PATIENT: patient}
    return found | ({BELIEVING: agent} if agent.belief else {}), params


def in_half(base):
    """Return a policy, and its rollout policy if it has one, with bfloat16 products."""
    changed = {"precision": HALF}
    if isinstance(base, WithRolloutPolicy):
        changed["rollout"] = in_half(base.rollout)
    return dataclasses.replace(base, **changed)


def measure(id, worlds, repeats, seed):
    """Return milliseconds a decision, alone and in a batch, and the effect of bfloat16."""
    game = jaxcards.make(id)
    agents, params = searches(game, worlds)
    seen, keys = middles(game, seed), jax.random.split(jax.random.key(seed), TABLES)
    made = {name: programs(agent, params, seen, keys) for name, agent in agents.items()}
    compiled = {name: both for name, (both, _) in made.items()}
    times = turns(compiled, seen, keys, repeats)
    played = {name: jax.device_get(compiled[name][1](seen, keys)) for name in (EXACT, PATIENT)}
    exact, half = (
        jax.device_get(xla.jit(jax.vmap(agents[name].analyse, (None, 0, 0, 0)))(params, *seen, keys))
        for name in (EXACT, HALF)
    )
    same = exact.legal & half.legal & (exact.action == half.action)
    return {
        "game": id,
        "worlds": worlds,
        "milliseconds": times,
        "seconds_to_compile": {name: seconds for name, (_, seconds) in made.items()},
        "played_otherwise_than_without_a_race": int((played[EXACT] != played[PATIENT]).sum()),
        "values_differ_by": float(np.abs(exact.value - half.value)[same].mean()),
        "standard_error_of_a_value": float(exact.value_error[same].mean()),
    }


def programs(agent, params, seen, keys):
    """Return an agent as two compiled functions of observations and keys, and the compile times.

    The functions are for one decision and for a batch; the times are in seconds, by function.
    """
    own = jax.tree.map(lambda leaf: leaf[0], (seen, keys))
    acts = {
        "alone": (agent.act, own),
        "side by side": (jax.vmap(agent.act, in_axes=(None, 0, 0, 0)), (seen, keys)),
    }
    functions, seconds = [], {}
    for kind, (act, (first_seen, first_keys)) in acts.items():
        start = time.perf_counter()
        program = xla.jit(act).lower(params, *first_seen, first_keys).compile()
        seconds[kind] = time.perf_counter() - start
        print(f"compiled in {seconds[kind]:.0f} s: {kind}", file=sys.stderr, flush=True)
        functions.append(lambda seen, keys, program=program: program(params, *seen, keys))
        jax.block_until_ready(functions[-1](first_seen, first_keys))
    return tuple(functions), seconds


def turns(compiled, seen, keys, repeats):
    """Return the time of a decision for each agent, measured in turns.

    Args:
      compiled: by name, the result of `programs`.
      seen: the result of `middles`.
      keys: of the decisions.
      repeats: number of turns of each.

    Returns:
      By name milliseconds "alone" and "side by side", as `summary` has them.
    """
    one_by_one = [jax.tree.map(lambda leaf, i=i: leaf[i], (seen, keys)) for i in range(TABLES)]
    times = {name: {"alone": [], "side by side": []} for name in compiled}
    for turn in range(repeats):
        for name, (one, batch) in compiled.items():
            for place in range(8):
                own = one_by_one[(8 * turn + place) % TABLES]
                times[name]["alone"].append(timed(one, own))
            times[name]["side by side"].append(timed(batch, (seen, keys)) / TABLES)
    return {name: {kind: summary(own) for kind, own in both.items()} for name, both in times.items()}


def timed(function, arguments):
    """Return the processor time of a call in milliseconds."""
    start = time.process_time()
    jax.block_until_ready(function(*arguments))
    return 1e3 * (time.process_time() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="ID")
    parser.add_argument("--worlds", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    result = {
        "command": shlex.join(["python", "benchmarks/search.py", *sys.argv[1:]]),
        "machine": machine.describe(),
        "repeats": options.repeats,
        "seed": options.seed,
        "decisions": [],
    }
    try:
        for id in options.games:
            row = measure(id, options.worlds, options.repeats, options.seed)
            for name, both in row["milliseconds"].items():
                medians = (f"{kind} {own['median']:.1f} ms" for kind, own in both.items())
                seconds = row["seconds_to_compile"][name]["alone"]
                print(f"{id}, {name}: {', '.join(medians)}, compiled in {seconds:.0f} s", flush=True)
            result["decisions"].append(row)
            write_text(options.results / "search.json", json.dumps(result, indent=1) + "\n")
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
