"""A progress bar, for use in a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def bar(title: str, total: int | None = None, begun: int = 0) -> Iterator[Any]:
    """Return a function that shows a given number of deals.

    The bar appears only if stderr is a terminal and tqdm is installed.
    """
    shown = _tqdm(title, total, begun) if sys.stderr.isatty() else None
    try:
        yield lambda deals: shown.update(deals - shown.n) if shown is not None else None
    finally:
        if shown is not None:
            shown.close()


def _tqdm(title: str, total: int | None, begun: int) -> Any:
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        return None
    return tqdm(total=total, initial=begun, desc=title, unit=" deals", unit_scale=True, leave=False)
