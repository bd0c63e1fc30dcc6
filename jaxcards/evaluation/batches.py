"""Batches of many deals with one fixed size, so that each function is compiled once.

Deal n of a seed has the same key (`rollouts.deal_keys`) in batches of any size, so that a result does
not depend on the batch.
"""

import sys
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.arguments import check_integer
from jaxcards.errors import UserError


def check(num_deals: int, seed: int, batch: int) -> None:
    """Raise `UserError` for numbers that are out of range."""
    for name, number in (("deals", num_deals), ("batch", batch), ("seed", seed)):
        check_integer(name, number)
    if num_deals < 1:
        raise UserError(f"deals must be at least 1, not {num_deals}")
    if batch < 1:
        raise UserError(f"batch must be at least 1, not {batch}")
    if not 0 <= seed < 2**32:
        raise UserError(f"seed must be from 0 to 2**32 - 1, not {seed}")


def numbers(first: Any, size: int) -> jax.Array:
    """Return the numbers of the deals of a batch: uint32[size], from `first` (uint32 scalar) on."""
    return jnp.asarray(first, jnp.uint32) + jnp.arange(size, dtype=jnp.uint32)


def batches(num_deals: int, size: int, title: str = "", begun: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (number of the first deal, how many deals of the batch count), with a progress bar.

    `begun` deals are already played. The last batch is as large as the others; the caller drops the
    deals beyond `num_deals`. The bar is shown only if stderr is a terminal and tqdm is installed.
    """
    bar = _progress_bar(num_deals, title, begun)
    try:
        for first in range(begun, num_deals, size):
            count = min(size, num_deals - first)
            yield first, count
            if bar is not None:
                bar.update(count)
    finally:
        if bar is not None:
            bar.close()


def _progress_bar(total: int, title: str, begun: int) -> Any:
    if not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        return None
    return tqdm(total=total, initial=begun, desc=title, unit=" deals", unit_scale=True, leave=False)
