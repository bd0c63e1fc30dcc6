"""Compiles what is to be measured, several programs at a time: for benchmarks/gpu.py and sizes.py."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Subject = TypeVar("Subject")


def first_line(error: Exception) -> str:
    """Returns what an error says first, or its kind if it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def compile_together(makers: Sequence[Callable[[], Subject]]) -> tuple[list[Subject], list[str]]:
    """Returns what the makers return, in their order, and a line for each that failed.

    XLA compiles without the interpreter, so that a thread for each core is enough. What fails is left
    out: a size that a device refuses costs no other one.
    """

    def attempt(maker: Callable[[], Subject]) -> Subject | str:
        try:
            return maker()
        except Exception as error:  # of any part of a compiler
            line = first_line(error)
            print(f"failed: {line}", file=sys.stderr)
            return line

    with ThreadPoolExecutor(min(len(makers), os.cpu_count() or 1)) as threads:
        found = list(threads.map(attempt, makers))
    return [x for x in found if not isinstance(x, str)], [x for x in found if isinstance(x, str)]
