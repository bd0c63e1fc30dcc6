"""Scores of a deal at two tables: International Match Points and matchpoints (docs/bridge.md, 6)."""

import bisect

# The smallest difference that is worth 1, 2, 3 … points: Law 78B of the Laws of Duplicate Bridge 2017.
SCALE = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip


def imps(difference: int) -> int:
    """Return the International Match Points of a difference of scores, with its sign.

    >>> imps(620 - 170), imps(-10), imps(-50)
    (10, 0, -2)
    """
    points = bisect.bisect_right(SCALE, abs(difference))
    return points if difference > 0 else -points


def matchpoints(difference: int) -> int:
    """Return the matchpoints of the better side less those of the other, with the sign: 1, 0 or -1.

    The better side has 1, and equal sides have half of one each.
    """
    return (difference > 0) - (difference < 0)


TABLE_SCORES = {"imps": imps, "matchpoints": matchpoints}
