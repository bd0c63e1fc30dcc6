"""Endings solved per second, by the number of cards in each hand.

    python benchmarks/endings.py

The endings are those of heuristic play, at the beginning of a trick, so that all hands in play have the
same number of cards. They are solved on one core, in turns with the same endings played out by the
shipped network. Playing out is the alternative of a search. Time is processor time, so that other work
of the machine has little effect. Writes `results/endings.json`.
"""

import argparse
import itertools
import json
import os
import shlex
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from moments import moments  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards import xla  # noqa: E402
from jaxcards.agents.search import endgame  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.rollouts import chooser  # noqa: E402
from jaxcards.stages import ANY  # noqa: E402
from jaxcards.xla import prng  # noqa: E402

GAMES = ("jass", "belote", "euchre", "sheepshead", "spades", "bridge")
BATCHES = {1: 4096, 2: 4096, 3: 2048, 4: 512, 5: 64}
"""Number of endings to solve at once, by the number of cards in each hand."""


def endings(game, cards, number, seed):
    """Return states in which all hands in play have this number of cards; leaves have a leading axis.

    Leasters, and deals that all players passed, have no ending with two sides.
    """
    return moments(game, lambda state: endgame.is_solvable(game, state, cards), number, seed)


def players(game, cards):
    """Return two compiled functions of states: one solves them, one plays them out."""
    agent, params = jaxcards.load_agent(game)

    def solve(states):
        wanted = jnp.ones(states.terminated.shape, bool)
        return endgame.best_play(game, states, wanted, cards)

    def play_out(states):
        # A jitted loop over decisions of every seat; endings are over after the last card.
        def one(state):
            key = jax.random.key(0)
            choose = chooser(game, agent, params, key, None)
            carry = state, prng.place(prng.key_words(key), 0)
            left = jax.eval_shape(game.cards_to_play, state).shape[0] * cards

            def once(carry, _):
                state, place = carry
                action, _ = choose(game, carry, ANY)
                return (game.step(state, action), place + jnp.uint32(prng.PLACE_STEP)), None

            (final, _), _ = jax.lax.scan(once, carry, length=left)
            return game.returns(final)

        return jax.vmap(one)(states)

    return xla.jit(solve), xla.jit(play_out)


def measure(id, cards, repeats, seed):
    """Return endings per second of both, and their ratio."""
    game = jaxcards.make(id)
    states = endings(game, cards, BATCHES[cards], seed)
    number = len(states.terminated)
    rates = {"solved": [], "played_out": []}
    both = dict(zip(rates, players(game, cards), strict=True))
    for function in both.values():
        jax.block_until_ready(function(states))
    for _ in range(repeats):
        for name, function in both.items():
            start = time.process_time()
            jax.block_until_ready(function(states))
            rates[name].append(number / (time.process_time() - start))
    ratios = [a / b for a, b in zip(rates["solved"], rates["played_out"], strict=True)]
    found = {f"{name}_per_second": summary(own) for name, own in rates.items()}
    return {"game": id, "cards": cards, "batch": number, **found, "ratio": summary(ratios)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="ID")
    parser.add_argument("--cards", nargs="+", type=int, default=[2, 3], choices=list(BATCHES))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    result = {
        "command": shlex.join(["python", "benchmarks/endings.py", *sys.argv[1:]]),
        "machine": machine.describe(),
        "repeats": options.repeats,
        "seed": options.seed,
        "endings": [],
    }
    try:
        for cards, id in itertools.product(options.cards, options.games):
            row = measure(id, cards, options.repeats, options.seed)
            rate, ratio = row["solved_per_second"]["median"], row["ratio"]["median"]
            print(f"{id}, {cards} cards: {rate:,.0f}/s, {ratio:.2f} x playing out", flush=True)
            result["endings"].append(row)
            # Long ones come last, so that an interrupted run keeps the others.
            write_text(options.results / "endings.json", json.dumps(result, indent=1) + "\n")
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
