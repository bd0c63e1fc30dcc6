"""How long a decision of a search takes, alone and at 64 tables side by side.

    python benchmarks/search.py

The decisions are choices among cards in the middle of heuristic play. The search stands on the
shipped network, whose products are of float32 or of bfloat16 numbers; gives up no candidate, in
another row; and, where the shipped search believes, has that belief: in turns, on one core. Time is
that of the processor, so that other work of the machine counts little. Writes `results/search.json`.
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
from moments import moments  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards import xla  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.champions.catalogue import load_search  # noqa: E402
from jaxcards.files import write_text  # noqa: E402

GAMES = ("jass", "belote", "euchre", "rikiki", "sheepshead")
TABLES = 64
EXACT, HALF = "float32", "bfloat16"
PATIENT, BELIEVING = "float32, no race", "float32, with belief"


def middles(game, seed):
    """Returns observations and legal actions of choices among cards; leaves have an axis of `TABLES`.

    Each is the first such choice of a deal with as many cards played as are left in the hands.
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
    """Returns the searches by what they are called, and their parameters."""
    agent, params = load_search(game, worlds=worlds)
    plain = dataclasses.replace(agent, belief=None)
    half = dataclasses.replace(plain, base=dataclasses.replace(plain.base, precision=HALF))
    patient = dataclasses.replace(plain, racing=None)
    found = {EXACT: plain, HALF: half, PATIENT: patient}
    return found | ({BELIEVING: agent} if agent.belief else {}), params


def measure(id, worlds, repeats, seed):
    """Returns milliseconds a decision, alone and in a batch, and what bfloat16 numbers change."""
    game = jaxcards.make(id)
    agents, params = searches(game, worlds)
    seen, keys = middles(game, seed), jax.random.split(jax.random.key(seed), TABLES)
    compiled = {name: programs(agent, params, seen, keys) for name, agent in agents.items()}
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
        "played_otherwise_than_without_a_race": int((played[EXACT] != played[PATIENT]).sum()),
        "values_differ_by": float(np.abs(exact.value - half.value)[same].mean()),
        "standard_error_of_a_value": float(exact.value_error[same].mean()),
    }


def programs(agent, params, seen, keys):
    """Returns an agent as two compiled functions of what is seen and keys: alone, and side by side."""
    one, batch = xla.jit(agent.act), xla.jit(jax.vmap(agent.act, in_axes=(None, 0, 0, 0)))
    alone, together = (lambda seen, keys, act=act: act(params, *seen, keys) for act in (one, batch))
    jax.block_until_ready(
        (alone(*jax.tree.map(lambda leaf: leaf[0], (seen, keys))), together(seen, keys))
    )
    return alone, together


def turns(compiled, seen, keys, repeats):
    """Returns how long a decision takes each agent, in turns.

    Args:
      compiled: by name, what `programs` returns.
      seen: what `middles` returns.
      keys: of the decisions.
      repeats: how often each takes its turn.

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
    """Returns the milliseconds of the processor that a call takes."""
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
                print(f"{id}, {name}: {', '.join(medians)}", flush=True)
            result["decisions"].append(row)
            write_text(options.results / "search.json", json.dumps(result, indent=1) + "\n")
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
