"""Test the random words of `jaxcards.xla.prng` with dieharder, beside those of NumPy's PCG64.

    python benchmarks/random_words.py

Needs `dieharder` (Debian: apt install dieharder). Takes some minutes per stream. A p-value below 0.005
or above 0.995 is called WEAK, which happens to one in a hundred of a good generator; one below 10**-6
is FAILED.
"""

import argparse
import collections
import json
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to

from jaxcards.bench import machine  # noqa: E402
from jaxcards.rollouts import deal_keys  # noqa: E402
from jaxcards.xla import prng  # noqa: E402

TESTS = (0, 2, 8, 9, 15, 100, 101, 102, 203, 204, 206, 207, 209)  # dieharder -l names them
_KEYS = 1 << 14  # at a time


def words_of_deals(start: jax.Array) -> jax.Array:
    """48 words for dealing and 48 for decisions of one deal, then those of the next."""
    numbers = start + jnp.arange(_KEYS, dtype=jnp.uint32)
    return jax.vmap(lambda key: _words(key, 48))(deal_keys(jnp.uint32(0), numbers))


def words_of_seeds(start: jax.Array) -> jax.Array:
    """Eight words of `jax.random.key(0)`, then of key 1, 2, and so on."""
    return jax.vmap(lambda key: _words(key, 4))(_seeds(start))


def words_across_seeds(start: jax.Array) -> jax.Array:
    """Return the same word of thousands of neighbouring seeds, then the next word of all of them."""
    return words_of_seeds(start).T


def words_of_streams(start: jax.Array) -> jax.Array:
    """Eight words of one sub-stream of a single key, then of the next."""
    words = prng.key_words(jax.random.key(5))

    def eight(number: jax.Array) -> jax.Array:
        return jnp.stack([prng.random_word(prng.fold(words, number), i) for i in range(8)])

    return jax.vmap(eight)(start + jnp.arange(_KEYS, dtype=jnp.uint32))


def _words(key: jax.Array, number: int) -> jax.Array:
    words = prng.key_words(key)
    dealing = [prng.random_word(words, i) for i in range(number)]
    return jnp.stack(dealing + [prng.fold(words, i)[0] for i in range(number)])


def _seeds(start: jax.Array) -> jax.Array:
    numbers = start + jnp.arange(_KEYS, dtype=jnp.uint32)
    return jnp.stack([jnp.zeros_like(numbers), numbers], axis=1)


def compiled(words: Callable[[jax.Array], jax.Array]) -> Iterator[bytes]:
    """Return the words of key 0, 1, 2, and so on without end."""
    function, start = jax.jit(words), 0
    while True:
        yield np.asarray(function(jnp.uint32(start))).tobytes()
        start += _KEYS


def pcg64() -> Iterator[bytes]:
    """Return the words of a well-tested generator, for comparison."""
    generator = np.random.default_rng(0)
    while True:
        yield generator.integers(1 << 32, size=1 << 20, dtype=np.uint32).tobytes()


STREAMS: dict[str, Callable[[], Iterator[bytes]]] = {
    "deals": lambda: compiled(words_of_deals),
    "seeds": lambda: compiled(words_of_seeds),
    "across seeds": lambda: compiled(words_across_seeds),
    "sub-streams": lambda: compiled(words_of_streams),
    "pcg64": pcg64,
}


def run_test(stream: str, number: int) -> list[dict]:
    """Run a test of dieharder on a stream, which it reads until it has enough."""
    columns = ["test_name", "ntuple", "tsamples", "psamples", "pvalues", "assessment"]
    shown = [part for column in columns for part in ("-D", column)]
    command = ["dieharder", "-g", "200", "-d", str(number), *shown]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout

    def feed() -> None:
        try:
            for block in STREAMS[stream]():
                process.stdin.write(block)
        except BrokenPipeError:
            pass

    feeder = threading.Thread(target=feed)
    feeder.start()
    lines = process.stdout.read().decode().splitlines()
    process.wait()
    feeder.join()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if "|" in line]
    return [
        {"test": name, "ntuple": int(ntuple), "p": float(p), "assessment": assessment}
        for name, ntuple, _, _, p, assessment in rows
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", nargs="+", default=list(STREAMS), choices=list(STREAMS))
    parser.add_argument("--tests", nargs="+", type=int, default=TESTS, help="numbers of dieharder -l")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    args = parser.parse_args()
    if shutil.which("dieharder") is None:
        raise SystemExit("dieharder is not installed; on Debian: apt install dieharder")
    found = {}
    for stream in args.streams:
        rows = [row for number in args.tests for row in run_test(stream, number)]
        found[stream] = rows
        counts = collections.Counter(row["assessment"] for row in rows)
        told = ", ".join(f"{number} {name}" for name, number in counts.items())
        print(f"{stream}: {told}", flush=True)
    result = {
        "command": shlex.join(["python", "benchmarks/random_words.py", *sys.argv[1:]]),
        "machine": machine.describe(),
        "streams": found,
    }
    args.results.mkdir(parents=True, exist_ok=True)
    path = args.results / "random_words.json"
    path.write_text(json.dumps(result, indent=1) + "\n")
    print(f"written to {path}")


if __name__ == "__main__":
    main()
