"""How long our search and colver's IS-DD take for a card of contrée, on one core.

    RAYON_NUM_THREADS=1 taskset -c 0 python experiments/search/colver_time.py --worlds 32 256

The heuristic bids for all; the two sides play the same deals in both seatings, and every card that is
chosen among two or more is timed. Times go to colver_time.json beside this script.
"""

import argparse
import itertools
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.bench import machine
from jaxcards.champions.catalogue import load_search
from jaxcards.evaluation.seatings import seatings
from jaxcards.files import write_text
from jaxcards.opponents import names
from jaxcards.opponents.colver import ColverDeal
from jaxcards.opponents.table import Table, engine_of
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "colver_time.json"


class Timed:
    """A function that notes how long each of its calls takes, in milliseconds.

    Args:
      function: what is called.
      counts: of the same arguments, whether the call is one to note.
    """

    def __init__(self, function: Callable[..., Any], counts: Callable[..., bool]) -> None:
        self.function, self.counts, self.times = function, counts, list[float]()

    def __call__(self, *args: Any) -> Any:
        counts, begun = self.counts(*args), time.perf_counter()
        result = self.function(*args)
        if counts:
            self.times.append(1000 * (time.perf_counter() - begun))
        return result

    def seen(self) -> dict[str, float]:
        """Returns mean, median and 95th percentile, without the first calls, which compile."""
        times = self.times[4:]
        low, high = np.percentile(times, [50, 95])
        found = {"mean": np.mean(times), "median": low, "percentile_95": high}
        return {name: round(float(value), 2) for name, value in found.items()} | {"cards": len(times)}


def timed(worlds: int, solved: int, deals: int) -> dict[str, Any]:
    """Returns the times of both players: values of JSON."""
    game = jaxcards.make("belote/contree")
    opponent = names.opponent(f"colver:isdd:{solved}")
    search, params = load_search(game, worlds=worlds)
    caller = make_player("heuristic", game)
    table = Table(engine_of(opponent, game), [search, opponent], [params, ()], 0, (caller, ()))
    act, choose = table._acting[0], ColverDeal.choose
    ours = Timed(lambda *args: int(act(*args)), lambda *args: np.bitwise_count(args[-1]).sum() > 1)
    theirs = Timed(choose, lambda deal: len(deal.legal()) > 1)
    table._acting[0] = ours
    ColverDeal.choose = lambda deal: theirs(deal)  # type: ignore[method-assign]
    try:
        for number in range(deals):
            for seating, seats in enumerate(seatings(game).tolist()):
                table.play(number, seats, seating)
    finally:
        ColverDeal.choose = choose  # type: ignore[method-assign]
    return {"search": ours.seen(), "isdd": theirs.seen()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, nargs="+", default=[32, 256], help="of our search")
    parser.add_argument("--solved", type=int, nargs="+", default=[20], help="deals that IS-DD solves")
    parser.add_argument("--deals", type=int, default=20, help="each in both seatings")
    options = parser.parse_args()
    cache.enable()
    found = {
        "machine": machine.describe(),
        "cores": len(os.sched_getaffinity(0)),
        "deals": options.deals,
        "milliseconds": {},
    }
    for worlds, solved in itertools.product(options.worlds, options.solved):
        pair = timed(worlds, solved, options.deals)
        found["milliseconds"][f"search:{worlds} and isdd:{solved}"] = pair
        print(f"{worlds} worlds, {solved} solved: {pair}", flush=True)
    write_text(FOUND, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
