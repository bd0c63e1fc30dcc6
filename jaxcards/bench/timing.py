"""Timing of compiled workloads.

The clock stops when the results are on the device. Compiling and the first calls are not timed. Every
repeat has new random numbers. Compared subjects take turns, so that other work of the machine slows all
of them alike. The result of every repeat is checked, off the clock.
"""

import dataclasses
import itertools
import math
import statistics
import time
from collections.abc import Sequence
from typing import Any

import jax

from jaxcards.bench.program import Done, Subject

_LONGEST_STEP = 32  # largest growth of a trial run in one step
_TRIALS = 99


@dataclasses.dataclass(frozen=True)
class Warm:
    """A subject that has been run, and is ready to be timed.

    Attributes:
      subject: compiled.
      rounds: number of rounds of a repeat.
      seconds: the last time of these rounds.
      done: the work done in them.
    """

    subject: Subject
    rounds: int
    seconds: float
    done: Done


def warm_up(subject: Subject, seed: int, seconds: float) -> Warm:
    """Run a subject until it lasts long enough.

    Args:
      subject: compiled.
      seed: of the first timed repeat; trial runs take the numbers before it.
      seconds: the minimum time of a repeat; determines its number of rounds.
    """
    rounds = 1
    _once(subject, (seed - 1) % 2**32, rounds)  # allocates memory, and fills the caches of `judge`
    for trial in itertools.count(2):
        took, done = _once(subject, (seed - trial) % 2**32, rounds)
        if took >= seconds or rounds == subject.most_rounds or trial == _TRIALS:
            break
        # Aim a tenth above the wanted time. A short trial tells little, so that one step is bounded.
        growth = min(_LONGEST_STEP, 1.1 * seconds / max(took, 1e-9))
        rounds = min(subject.most_rounds, math.ceil(rounds * growth))
    return Warm(subject, rounds, took, done)


def take_turns(ready: Sequence[Warm], repeats: int, seed: int) -> list[list[tuple[float, Done]]]:
    """Time subjects in turns.

    Args:
      ready: the subjects.
      repeats: of each.
      seed: of the first repeat; the others have the numbers after it.

    Returns:
      For each subject and repeat: seconds, and the work done in them.
    """
    taken: list[list[tuple[float, Done]]] = [[] for _ in ready]
    for repeat in range(repeats):
        for warm, results in zip(ready, taken, strict=True):
            results.append(_once(warm.subject, (seed + repeat) % 2**32, warm.rounds))
    return taken


def _once(subject: Subject, seed: int, rounds: int) -> tuple[float, Done]:
    start = time.perf_counter()
    result = jax.block_until_ready(subject.run(seed, rounds))
    took = time.perf_counter() - start
    return took, subject.judge(result, rounds)


def summary(values: Sequence[float]) -> dict[str, Any]:
    """Return median, quartiles and extremes of repeats, and all of them, as JSON values."""
    low, median, high = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return {
        "median": median,
        "quartiles": [low, high],
        "lowest": min(values),
        "highest": max(values),
        "all": list(values),
    }
