"""How time is taken.

The clock stops when the results are on the device; compiling and the first calls are apart; every
repeat has new random numbers; all that is compared takes turns, so that whatever else the machine does
befalls all; what came of every repeat is checked, off the clock.
"""

import math
import statistics
import time
from collections.abc import Sequence
from typing import Any

import jax

from jaxcards.bench.subject import Done, Subject

_LONGEST_STEP = 32  # by how much a trial run may grow at once


def take_turns(
    subjects: Sequence[Subject], repeats: int, seed: int, seconds: float
) -> list[list[tuple[float, Done]]]:
    """Times subjects in turns.

    Args:
      subjects: compiled.
      repeats: of each.
      seed: of the first repeat; the others have the numbers after it.
      seconds: how long a repeat shall last at least; decides its number of rounds.

    Returns:
      For each subject and repeat: seconds, and what was done in them.
    """
    rounds = [_rounds(subject, seed, seconds) for subject in subjects]
    taken: list[list[tuple[float, Done]]] = [[] for _ in subjects]
    for repeat in range(repeats):
        for subject, number, results in zip(subjects, rounds, taken, strict=True):
            results.append(_once(subject, (seed + repeat) % 2**32, number))
    return taken


def _rounds(subject: Subject, seed: int, seconds: float) -> int:
    """Runs a subject until it lasts long enough; this is the warm-up as well."""
    rounds = 1
    _once(subject, (seed - 1) % 2**32, rounds)  # allocates memory, and makes what `judge` needs
    for trial in range(2, 100):
        took, _ = _once(subject, (seed - trial) % 2**32, rounds)
        if took >= seconds or rounds == subject.most_rounds:
            break
        growth = min(_LONGEST_STEP, 1.1 * seconds / max(took, 1e-9))
        rounds = min(subject.most_rounds, math.ceil(rounds * growth))
    return rounds


def _once(subject: Subject, seed: int, rounds: int) -> tuple[float, Done]:
    start = time.perf_counter()
    result = jax.block_until_ready(subject.run(seed, rounds))
    took = time.perf_counter() - start
    return took, subject.judge(result, rounds)


def summary(values: Sequence[float]) -> dict[str, Any]:
    """Returns median, quartiles and extremes of repeats, and all of them, as values of JSON."""
    low, median, high = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return {
        "median": median,
        "quartiles": [low, high],
        "lowest": min(values),
        "highest": max(values),
        "all": list(values),
    }
