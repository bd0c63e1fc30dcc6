"""Speed of replaying recorded deals, in turns with random play of the same number.

    python benchmarks/replay.py --games jass euchre --core 0

Deals of random play are recorded first. Then one compiled program replays them all, in parts that fit
the cache of a core. The points are compared with those of the records. Random play is
`throughput.random_play`. Prints deals per second of both, and the median of their ratios.
"""

import argparse
import os
import statistics
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards import registry, throughput, xla
from jaxcards.agent import RandomAgent
from jaxcards.records.arrays import replay_points
from jaxcards.records.dataset import packed
from jaxcards.records.making import played
from jaxcards.rollouts import chooser, deal_keys
from jaxcards.xla import prng


def recorded(game, batch, batches):
    """Return arrays of random deals: every leaf has the axes [batches, batch]."""

    def deal(key):
        choose = chooser(game, RandomAgent(), (), key, None)
        done = played(game, choose, game.init(key), prng.place(prng.key_words(key), 0))
        return packed(done.opening, done.actions, done.points)

    def all_deals(numbers):
        return jax.lax.map(lambda some: jax.vmap(deal)(deal_keys(0, some)), numbers)

    numbers = jnp.arange(batch * batches, dtype=jnp.uint32).reshape(batches, batch)
    return jax.block_until_ready(jax.jit(all_deals)(numbers))


def seconds(run):
    """Return the duration of a call, and its result."""
    start = time.perf_counter()
    result = jax.block_until_ready(run())
    return time.perf_counter() - start, result


def measure(id, options):
    """Print the figures of a game. Return whether every deal replayed to its points."""
    game = jaxcards.make(id)
    deals = recorded(game, options.batch, options.batches)
    replay = xla.jit(lambda deals: jax.lax.map(lambda some: replay_points(game, some), deals))
    random = throughput.random_play(game, options.batch, options.batches)
    right = bool((np.asarray(replay(deals)) == np.asarray(deals.points)).all())
    jax.block_until_ready(random(jnp.uint32(0)))
    times = [
        (seconds(lambda: replay(deals))[0], seconds(lambda: random(jnp.uint32(1)))[0])
        for _ in range(options.repeats)
    ]
    number = options.batch * options.batches
    rates = [number / statistics.median(column) for column in zip(*times, strict=True)]
    ratio = statistics.median(other / own for own, other in times)
    print(
        f"{game.id}: replay {rates[0]:,.0f} deals/s, random play {rates[1]:,.0f}, ratio {ratio:.2f}"
        f"{'' if right else '; THE POINTS ARE WRONG'}",
        flush=True,
    )
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=registry.defaults(), metavar="ID")
    parser.add_argument("--batch", type=int, default=throughput.IN_CACHE, help="deals side by side")
    parser.add_argument("--batches", type=int, default=64, help="batches one after the other")
    parser.add_argument("--repeats", type=int, default=11, help="of both, in turns")
    parser.add_argument("--core", type=int, help="the core to run on")
    options = parser.parse_args()
    if min(options.batch, options.batches, options.repeats) < 1:
        parser.error("--batch, --batches and --repeats must be at least 1")
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    try:
        results = [measure(id, options) for id in options.games]
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
