"""A subject of timing: a compiled workload that takes a seed and returns its work."""

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import jax

from jaxcards.xla.tracing import count_equations

MOST_BATCHES = 1024  # of a program
MOST_ROUNDS = 1 << 20


@dataclasses.dataclass(frozen=True)
class Program:
    """A compiled function, and the cost of compiling it.

    Attributes:
      compiled: the executable.
      equations: of its jaxpr, those inside of loops and calls included once.
      seconds: to trace, lower and compile it.
    """

    compiled: jax.stages.Compiled
    equations: int
    seconds: float

    @classmethod
    def of(cls, function: Any, *args: Any, options: Any = None) -> "Program":
        """Compile a `jax.jit` function for such arguments, with compiler options."""
        start = time.perf_counter()
        traced = function.trace(*args)
        compiled = traced.lower().compile(options)
        seconds = time.perf_counter() - start
        return cls(compiled, count_equations(traced.jaxpr.jaxpr), seconds)

    def __call__(self, *args: Any) -> Any:
        return self.compiled(*args)


@dataclasses.dataclass(frozen=True)
class Done:
    """The work of one timed call.

    Attributes:
      amounts: unit -> number, such as {"deals": 262144.0, "decisions": 9.7e6}; includes the unit of the
        workload.
      facts: checked results, as JSON values; shown beside the figure.
      wrong: errors of the result, in words; empty without errors.
    """

    amounts: dict[str, float]
    facts: dict[str, Any]
    wrong: str = ""


@dataclasses.dataclass
class Subject:
    """A compiled workload.

    Attributes:
      run: (seed, rounds) -> the result, on the device, perhaps before it is ready. New random numbers
        for every seed; a round is a call of the program.
      judge: (result, rounds) -> `Done`; off the clock.
      program: what `run` calls; its cost is shown beside the figure.
      most_rounds: the largest number of rounds of a repeat.
    """

    run: Callable[[int, int], Any]
    judge: Callable[[Any, int], Done]
    program: Program
    most_rounds: int


def seeds(seed: int, rounds: int) -> list[int]:
    """Return the uint32 seeds of the rounds of a call, different for each seed of a benchmark."""
    # Multiples of 2**32 over the golden ratio: seeds of neighbouring calls are far apart.
    return [(seed * 0x9E3779B1 + number) % 2**32 for number in range(rounds)]


def num_batches(batch: int, deals: int) -> int:
    """Return a number of batches in a program that makes the cost of starting it small."""
    return max(1, min(deals // batch, MOST_BATCHES))
