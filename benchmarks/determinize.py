"""Speed of `jaxcards.determinize.sample_hidden`: `python benchmarks/determinize.py [--batch 4096]`.

Prints one JSON object a case: deals sampled a second (the slowest and the median of the repeats,
each of which waits for the device), seconds to compile, and the number of jaxpr equations.
"""

import argparse
import functools
import json
import random
import statistics
import time
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.determinize import sample_hidden

# name: (cards of the deck, words, sizes, chance that a holder may have a card that it has not)
CASES = {
    "jass_first_lead": (36, 2, (9, 9, 9), 1.0),
    "jass_some_voids": (36, 2, (9, 9, 9), 0.6),
    "belote": (32, 1, (8, 8, 8), 0.7),
    "euchre_with_talon": (24, 1, (5, 5, 5, 3), 0.7),
}


def situation(
    source: random.Random, num_cards: int, num_words: int, sizes: tuple[int, ...], chance: float
) -> list[list[int]]:
    """Random constraints that a random deal satisfies: for each holder its words."""
    cards = source.sample(range(num_cards), sum(sizes))
    per_word = -(-num_cards // num_words)
    owner = [holder for holder, size in enumerate(sizes) for _ in range(size)]
    allowed = [[0] * num_words for _ in sizes]
    for card, own in zip(cards, owner, strict=True):
        for holder in range(len(sizes)):
            if holder == own or source.random() < chance:
                allowed[holder][card // per_word] |= 1 << card % per_word
    return allowed


def equations(jaxpr: Any) -> int:
    """Equations of a jaxpr and of all jaxprs inside it."""
    total = 0
    for equation in jaxpr.eqns:
        inner = jax.tree.leaves(list(equation.params.values()), is_leaf=lambda x: hasattr(x, "eqns"))
        total += 1 + sum(equations(x) for x in inner if hasattr(x, "eqns"))
    return total


def measure(name: str, batch: int, repeats: int, calls: int) -> dict:
    num_cards, num_words, sizes, chance = CASES[name]
    source = random.Random(0)
    rows = [situation(source, num_cards, num_words, sizes, chance) for _ in range(batch)]
    allowed = [
        [jnp.array([row[holder][word] for row in rows], jnp.uint32) for word in range(num_words)]
        for holder in range(len(sizes))
    ]
    one = functools.partial(sample_hidden, num_cards=num_cards, max_size=sizes)
    traced = jax.make_jaxpr(one)(jax.random.key(0), [[w[0] for w in x] for x in allowed], sizes)

    def many(keys: jax.Array, allowed: list[list[jax.Array]]) -> tuple:
        return jax.vmap(lambda key, words: one(key, words, sizes))(keys, allowed)

    keys = jax.random.split(jax.random.key(1), batch)
    start = time.perf_counter()
    compiled = jax.jit(many).lower(keys, allowed).compile()
    compile_seconds = time.perf_counter() - start
    jax.block_until_ready(compiled(keys, allowed))
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(calls):
            result = compiled(keys, allowed)
        jax.block_until_ready(result)
        seconds.append((time.perf_counter() - start) / calls)
    return {
        "case": name,
        "device": jax.devices()[0].device_kind,
        "batch": batch,
        "samples_per_second": round(batch / statistics.median(seconds)),
        "slowest_samples_per_second": round(batch / max(seconds)),
        "compile_seconds": round(compile_seconds, 2),
        "equations": equations(traced.jaxpr),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--calls", type=int, default=5, help="calls in each repeat")
    parser.add_argument("--case", choices=CASES, nargs="*", default=list(CASES))
    options = parser.parse_args()
    for name in options.case:
        print(json.dumps(measure(name, options.batch, options.repeats, options.calls)))


if __name__ == "__main__":
    main()
