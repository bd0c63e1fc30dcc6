"""Features for the score of a match between two sides."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat

# Levels of missing points; the steps grow with the distance from the target.
_FAR = (130, 160, 200, 250, 300, 400, 500, 600, 800, 1000, 1300, 1600, 2000)
_BEFORE_DEAL = (20, 40, 60, 80, 100, *_FAR)
_IN_DEAL = (1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, *_FAR)


def write_missing_points(
    out: BitWriter,
    target: int,
    totals: Sequence[jax.Array],
    side: jax.Array,
    *,
    in_deal: bool = False,
) -> None:
    """Write how many points each side still needs to win: levels that are finer near the end.

    Args:
      out: the features to write to.
      target: the total that wins the match.
      totals: of both sides.
      side: uint32 scalar, 0 or 1, of the observing player.
      in_deal: whether the totals include the points of the current deal, so that a few points matter
        and a side may be past the target; else they are those before the deal.
    """
    missing = [target - total.astype(jnp.int32) for total in totals]
    levels = _IN_DEAL if in_deal else _BEFORE_DEAL
    # The own side first, so that both sides see the same features.
    out.levels("own missing points", by_seat(missing, side), levels)
    out.levels("other side's missing points", by_seat(missing, side ^ 1), levels)
