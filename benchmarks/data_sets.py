"""Speed of writing deals as a data set, in turns with playing the same number in memory.

    python benchmarks/data_sets.py --players champion random --deals 400000

The first is `jaxcards simulate GAME --players PLAYER --out FILE.h5`, timed from its first piece to the
end of the file. This leaves compiling out. The second is one compiled loop, stage by stage, which keeps
only sums. Both use all cores. Prints deals per second, and the median ratio.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards import registry, throughput, xla
from jaxcards.bench import machine
from jaxcards.players.loading import load_player
from jaxcards.records import dataset


def seconds(run):
    """Return the duration of a call."""
    start = time.perf_counter()
    jax.block_until_ready(run())
    return time.perf_counter() - start


def write_rate(data, file, devices):
    """Return the deals per second with which a data set is written, after its first piece."""
    pieces = []

    def note(number):
        pieces.append((number, time.perf_counter()))

    dataset.write(data, file, devices, note)
    end = time.perf_counter()
    number, begun = next(piece for piece in pieces if piece[0])
    return (data.num_deals - number) / (end - begun)


def measure(id, player, options, folder, devices):
    """Print the figures of a game and a player."""
    game = jaxcards.make(id)
    agent, params = load_player(player, game)
    batch = throughput.IN_CACHE * devices
    batches = max(1, options.deals // batch)

    def play(params, key, number):
        round = throughput.round_of(game, number)
        done = throughput.staged_rollout(game, agent, params, key, round=round)
        return throughput.tally_of(game, done)

    run = throughput.tallied(play, batch, devices)
    in_memory = xla.jit(lambda params, seed: run(params, seed, batches)[0])
    jax.block_until_ready(in_memory(params, jnp.uint32(0)))
    data = dataset.DataSet(game, [agent], [params], [player], options.deals)
    rates = []
    for number in range(options.repeats):
        file = folder / f"{number}.h5"
        written = write_rate(data, file, devices)
        size = file.stat().st_size / options.deals
        file.unlink()
        played = batch * batches / seconds(lambda: in_memory(params, jnp.uint32(1)))
        rates.append((written, played))
    written, played = map(statistics.median, zip(*rates, strict=True))
    ratio = statistics.median(file / memory for file, memory in rates)
    print(
        f"{game.id}, {player}: {written:,.0f} deals/s to a file of {size:.0f} bytes a deal, "
        f"{played:,.0f} in memory, ratio {ratio:.2f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=registry.defaults(), metavar="ID")
    parser.add_argument("--players", nargs="+", default=["champion", "random"], metavar="PLAYER")
    parser.add_argument("--deals", type=int, default=1 << 19, help="of each data set")
    parser.add_argument("--repeats", type=int, default=3, help="of both, in turns")
    options = parser.parse_args()
    if options.deals < 1 << 18 or options.repeats < 1:
        parser.error("--deals must be at least 262144, as its first piece is not timed; --repeats 1")
    devices = dataset.divide_processor()
    here = machine.describe()
    print(f"{here['processor']}, {here['device']} x {devices}, jax {here['jax']}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            for id in options.games:
                for player in options.players:
                    measure(id, player, options, Path(folder), devices)
    except jaxcards.UserError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
