"""How a network is told how a match between two sides stands."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat

_LEVELS = (
    20, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400, 500, 600, 800, 1000, 1300, 1600, 2000,
)  # fmt: skip


def write_missing_points(
    out: BitWriter, target: int, totals: Sequence[jax.Array], side: jax.Array
) -> None:
    """Writes how many points each side still needs to win: levels that are finer near the end.

    Args:
      out: what is written to.
      target: the total that wins the match.
      totals: of both sides, before the deal.
      side: uint32 scalar, 0 or 1, of the player who is told.
    """
    missing = [target - total.astype(jnp.int32) for total in totals]
    out.levels("own missing points", by_seat(missing, side), _LEVELS)
    out.levels("other side's missing points", by_seat(missing, side ^ 1), _LEVELS)
