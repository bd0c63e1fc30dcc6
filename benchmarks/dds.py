"""Exact endings of Bridge and Spades beside DDS, the double-dummy solver of Bo Haglund.

    python benchmarks/dds.py

The endings are those of heuristic play, at the beginning of a trick. The numbers of tricks must be the
same. Bridge is solved for its score, which follows from the tricks. Spades is solved for tricks,
because bags make its score fall, and after the first spade, because spades may be led from then on.
Both solvers take turns with the same endings, on one core, and time is processor time. Writes
`results/dds.json`.
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
sys.path[:0] = [str(HERE.parent), str(HERE)]  # the checkout that this file belongs to

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from moments import moments  # noqa: E402

import jaxcards  # noqa: E402
from jaxcards import xla  # noqa: E402
from jaxcards.agents.search import endgame  # noqa: E402
from jaxcards.bench import machine  # noqa: E402
from jaxcards.bench.timing import summary  # noqa: E402
from jaxcards.files import write_text  # noqa: E402
from jaxcards.games.bridge.play import WON_BITS  # noqa: E402
from jaxcards.games.spades.game import Spades  # noqa: E402
from jaxcards.games.spades.play import BITS, SPADES, spades  # noqa: E402

GAMES = ("bridge/duplicate", "spades/standard")
TURN = 1000
"""Number of endings that a solver takes in its turn."""


class SpadesForTricks(Spades):
    """Spades for the number of tricks."""

    def returns(self, state):
        tricks = self.progress(state)
        return (tricks - tricks[jnp.array([1, 0, 1, 0])]).astype(jnp.float32)


def game_of(id):
    """Return the game that is solved."""
    game = jaxcards.make(id)
    return SpadesForTricks(game.rules) if game.name == "spades" else game


def endings(game, cards, number, seed):
    """Return states in which each hand has this number of cards; leaves have a leading axis."""

    def wanted(state):
        held = game.cards_to_play(state)
        free = (state.played & spades()).any() if game.name == "spades" else True
        return (held.min() == cards) & (held.max() == cards) & free

    return moments(game, wanted, number, seed, spare=2)


def solver(game, cards):
    """Return a compiled function from states to the tricks of the side that leads: int32[n].

    The tricks are -1 if the returns are those of no number of tricks, or of several.
    """
    bits = WON_BITS if game.name == "bridge" else BITS

    def returns(state, tricks):
        # Seats 0 and 1 hold the tricks of their sides in Spades.
        side = state.public.current_player.astype(jnp.uint32) & 1
        more = tricks << (bits * side) | (cards - tricks) << (bits * (1 - side))
        return game.returns(state.with_public(won=state.public.won + more))[0]

    def solve(states):
        found = endgame.best_play(game, states, jnp.ones(states.terminated.shape, bool), cards)
        numbers = jnp.arange(cards + 1, dtype=jnp.uint32)
        same = jax.vmap(jax.vmap(returns, (None, 0)), (0, None))(states, numbers) == found[:, :1]
        return jnp.where(same.sum(1) == 1, same.argmax(1), -1)

    return xla.jit(solve)


def deals(game, states):
    """Return the endings as deals of endplay."""
    from jaxcards.interop import bridge

    @jax.vmap
    def look(state):
        strain = state.public.strain if game.name == "bridge" else SPADES
        hands = jnp.stack([(hand - state.played).mask() for hand in state.hands])
        return hands, jnp.asarray(strain, jnp.int32), state.public.current_player

    hands, strains, leaders = map(np.asarray, look(states))
    cards = [[np.flatnonzero(hand).tolist() for hand in own] for own in hands]
    return list(map(bridge.to_deal, cards, strains.tolist(), leaders.tolist()))


def measure(id, cards, number, seed):
    """Yield, after each turn, the number of endings in which both solvers agree, and their rates."""
    from jaxcards.interop.bridge import best_tricks

    game = game_of(id)
    states = endings(game, cards, number, seed)
    number = len(states.terminated)
    solve, agree, rates = None, 0, {"ours": [], "dds": []}
    for first in range(0, number, TURN):
        # The last turn has the size of the others, because a compiled function has one size.
        rows = np.arange(max(0, min(first, number - TURN)), min(first + TURN, number))
        part = jax.tree.map(lambda leaf, rows=rows: leaf[rows], states)
        theirs = deals(game, part)
        solve = solve or solver(game, cards).lower(part).compile()
        start = time.process_time()
        found = np.asarray(solve(part))
        middle = time.process_time()
        expected = [best_tricks(deal) for deal in theirs]
        end = time.process_time()
        agree += int((found == expected)[rows >= first].sum())
        rates["ours"].append(len(rows) / (middle - start))
        rates["dds"].append(len(rows) / (end - middle))
        ratios = [a / b for a, b in zip(rates["ours"], rates["dds"], strict=True)]
        row = {"game": id, "cards": cards, "endings": int(rows[-1]) + 1, "agree": agree}
        row |= {f"{name}_per_second": summary(own) for name, own in rates.items()}
        yield row | {"ratio": summary(ratios)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--cards", nargs="+", type=int, default=[3, 4, 5, 6])
    parser.add_argument("--endings", type=int, default=10_000, help="of each game and number of cards")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    result = {
        "command": shlex.join(["python", "benchmarks/dds.py", *sys.argv[1:]]),
        "machine": machine.describe(),
        "seed": options.seed,
    }
    rows = []
    try:
        for cards, id in itertools.product(options.cards, options.games):
            for row in measure(id, cards, options.endings, options.seed):
                # An interrupted run keeps its turns.
                text = json.dumps(result | {"rows": [*rows, row]}, indent=1)
                write_text(options.results / "dds.json", text + "\n")
            ours, dds = (row[f"{name}_per_second"]["median"] for name in ("ours", "dds"))
            print(
                f"{id}, {cards} cards: {row['agree']} of {row['endings']} agree; "
                f"ours {ours:,.0f}/s, DDS {dds:,.0f}/s",
                flush=True,
            )
            rows.append(row)
    except jaxcards.UserError as error:
        parser.error(str(error))
    # A difference is an error of a solver.
    return int(any(row["agree"] < row["endings"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
