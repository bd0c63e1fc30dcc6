"""Compile several programs at the same time, for benchmarks/gpu.py and sizes.py."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Subject = TypeVar("Subject")


def first_line(error: Exception) -> str:
    """Return the first line of an error, or its type if it is empty."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def compile_together(makers: Sequence[Callable[[], Subject]]) -> tuple[list[Subject], list[str]]:
    """Return the results of the makers, in their order, and a line for each that failed.

    XLA compiles without the interpreter, so a thread for each core is enough. A failed maker does not
    affect the others: for example, a device may refuse one of several sizes.
    """

    def attempt(maker: Callable[[], Subject]) -> Subject | str:
        try:
            return maker()
        except Exception as error:  # any part of a compiler may raise
            line = first_line(error)
            print(f"failed: {line}", file=sys.stderr)
            return line

    with ThreadPoolExecutor(min(len(makers), os.cpu_count() or 1)) as threads:
        found = list(threads.map(attempt, makers))
    return [x for x in found if not isinstance(x, str)], [x for x in found if isinstance(x, str)]
