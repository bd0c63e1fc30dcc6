"""`jaxcards bench`: deals per second of random play."""

import argparse
import json
import statistics
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards import machine
from jaxcards.files import write_text
from jaxcards.throughput import random_play

# Deals side by side, and deals of one timed repeat: a fraction of a second on a slow machine's core,
# enough to fill an accelerator.
_BATCH = {"cpu": 4096}
_BATCH_ELSEWHERE = 1 << 18
_REPEAT = {"cpu": 1 << 18}
_REPEAT_ELSEWHERE = 1 << 23


def run(args: argparse.Namespace) -> int:
    """Prints what was measured; writes `args.json` where it is given. 1 if a deal was not finished."""
    game = jaxcards.make(args.game)
    platform = jax.default_backend()
    batch = args.batch or _BATCH.get(platform, _BATCH_ELSEWHERE)
    num_batches = -(-_REPEAT.get(platform, _REPEAT_ELSEWHERE) // batch)
    result = measure(game, batch, num_batches, args.repeats, args.seed)
    print("\n".join(_to_lines(result)))
    if args.json:
        write_text(args.json, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    return 1 if result["unfinished_deals"] else 0


def measure(game: Any, batch: int, num_batches: int, repeats: int, seed: int) -> dict[str, Any]:
    """Times random play, as values of JSON.

    Args:
      game: what is played.
      batch, num_batches: see `jaxcards.throughput.random_play`.
      repeats: timed repeats, each with deals of its own, after one that is not counted.
      seed: of the first repeat.
    """
    start = time.perf_counter()
    play = random_play(game, batch, num_batches).lower(jnp.uint32(0)).compile()
    compile_seconds = time.perf_counter() - start
    deals = batch * num_batches
    rates, tallies = [], []
    for repeat in range(repeats + 1):
        number = jax.block_until_ready(jnp.uint32((seed + repeat) % 2**32))
        start = time.perf_counter()
        tally = jax.block_until_ready(play(number))
        seconds = time.perf_counter() - start
        if repeat:  # the first one also allocates memory
            rates.append(deals / seconds)
            tallies.append(jax.device_get(tally))
    points = sum(tally.points.astype(np.int64).sum(axis=0) for tally in tallies)
    return {
        "game": game.id,
        "batch": batch,
        "deals_per_repeat": deals,
        "repeats": repeats,
        "seed": seed,
        "deals_per_second": {
            "median": statistics.median(rates),
            "lowest": min(rates),
            "highest": max(rates),
            "all": rates,
        },
        "compile_seconds": compile_seconds,
        "points_per_deal": (points / (deals * repeats)).tolist(),
        "progress_per_deal": {
            "lowest": int(min(tally.lowest for tally in tallies)),
            "highest": int(max(tally.highest for tally in tallies)),
        },
        "unfinished_deals": int(sum(tally.unfinished for tally in tallies)),
        "machine": machine.describe(),
    }


def _to_lines(result: dict[str, Any]) -> list[str]:
    rates, totals = result["deals_per_second"], result["progress_per_deal"]
    points = ", ".join(f"{mean:.2f}" for mean in result["points_per_deal"])
    if totals["lowest"] == totals["highest"]:
        check = f"{totals['lowest']} in every deal"
    else:
        check = f"{totals['lowest']} to {totals['highest']}"
    lines = [
        f"{result['game']}: random play, {result['batch']} deals side by side",
        f"  {rates['median']:,.0f} deals/s, median of {result['repeats']} repeats of "
        f"{result['deals_per_repeat']} deals ({rates['lowest']:,.0f} to {rates['highest']:,.0f})",
        f"  {result['compile_seconds']:.1f} s to compile",
        f"  points per deal by seat: {points}",
        f"  card points or tricks of a deal, summed over the seats: {check}",
    ]
    if result["unfinished_deals"]:
        lines.append(f"  WRONG: {result['unfinished_deals']} deals were not finished")
    return lines + [f"  {line}" for line in machine.to_lines(result["machine"])]
