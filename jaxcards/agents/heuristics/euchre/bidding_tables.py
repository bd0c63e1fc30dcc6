"""The worth of the parts of a Euchre hand, in tricks.

`experiments/heuristics/euchre.py` found the numbers in self-play.

Each row has a feature from `bidding` or `hands` and its worth in tricks of the makers. The columns are
for playing together (with the partner, or with the dummy's cards) and for playing alone. If a hand lies
open, a third column is for the same feature in that hand.
"""

from typing import Any

from jaxcards.agents.heuristics.euchre.bidding import PLACE_PARTS, Bids, Defence, Estimate
from jaxcards.agents.heuristics.euchre.hands import HAND_PARTS
from jaxcards.games.euchre.rules import EuchreRules

Row = tuple[Any, ...]

PARTNERS: tuple[Row, ...] = (
    ("any hand", 2.75, 2.29),
    ("dealer", -0.06, 0.11),
    ("partner dealt", 0.38, 0.28),
    ("leads", -0.04, 0.26),
    ("second round", 0.03, 0.00),
    ("partner picks up the right bower", 0.66, 0.34),
    ("partner picks up ace or king", 0.12, 0.08),
    ("partner picks up", 0.26, 0.04),
    ("opponent picks up the right bower", -0.33, -0.04),
    ("opponent picks up ace or king", -0.05, -0.03),
    ("opponent picks up", -0.24, -0.17),
    ("next suit, opponent dealt", 0.31, 0.16),
    ("next suit, own side dealt", -0.26, -0.09),
    ("best trump", 0.60, 0.92),
    ("second trump", 0.21, 0.45),
    ("third trump", 0.11, 0.24),
    ("fourth trump", 0.01, 0.12),
    ("fifth trump", -0.02, 0.06),
    ("lower trumps", -0.07, 0.00),
    ("both best trumps", 0.14, 0.09),
    ("two trumps", 0.16, 0.15),
    ("three trumps", 0.20, 0.02),
    ("four trumps", 0.25, 0.02),
    ("five trumps", 0.15, -0.20),
    ("side aces", 0.07, 0.08),
    ("two side aces", -0.06, 0.00),
    ("side ace with its king", -0.24, -0.48),
    ("guarded side king", -0.17, -0.27),
    ("other side king", -0.24, -0.45),
    ("void suits, one trump", 0.06, 0.03),
    ("void suits, two trumps", 0.15, 0.26),
    ("void suits, more trumps", 0.21, 0.36),
    ("low side cards", -0.26, -0.67),
)
PARTNERS_CHANCES = (
    ((-5.23, 2.01), (-7.28, 1.64)),  # together
    ((-5.94, 2.28), (-9.68, 2.25)),  # alone
)
PARTNERS_PASSING = (
    (0.17, 0.8, 0.88, 0.88),
    (0.0, -0.21, -0.62, 0.38),
)
PARTNERS_STICK_PASSING = (
    (0.17, 0.8, 0.88, 0.88),
    (0.0, -0.21, -0.62, 0.38),
)

TAKER: tuple[Row, ...] = (
    ("any hand", 1.91, 2.40),
    ("dealer", 0.11, 0.10),
    ("partner dealt", 0.00, 0.00),
    ("leads", -0.11, -0.10),
    ("second round", 0.00, 0.00),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.24, -0.28),
    ("opponent picks up ace or king", 0.01, -0.04),
    ("opponent picks up", -0.11, -0.10),
    ("next suit, opponent dealt", 0.00, 0.00),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 0.90, 0.56),
    ("second trump", 0.24, 0.38),
    ("third trump", 0.10, 0.13),
    ("fourth trump", -0.01, 0.00),
    ("fifth trump", -0.02, 0.03),
    ("lower trumps", -0.06, -0.01),
    ("both best trumps", 0.31, -0.05),
    ("two trumps", 0.20, 0.30),
    ("three trumps", 0.47, 0.24),
    ("four trumps", 0.32, 0.12),
    ("five trumps", 0.15, -0.02),
    ("side aces", 0.20, 0.22),
    ("two side aces", -0.21, -0.07),
    ("side ace with its king", -0.32, -0.39),
    ("guarded side king", -0.31, -0.17),
    ("other side king", -0.31, -0.29),
    ("void suits, one trump", -0.08, 0.04),
    ("void suits, two trumps", 0.05, 0.28),
    ("void suits, more trumps", 0.21, 0.32),
    ("low side cards", -0.40, -0.47),
)
TAKER_CHANCES = (
    ((-10.39, 3.79), (-13.92, 3.28)),  # together
    ((-6.07, 2.28), (-9.67, 2.26)),  # alone
)
TAKER_PASSING = (
    (-0.1, -0.71, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

PAIR: tuple[Row, ...] = (
    ("any hand", 3.39, 3.50),
    ("dealer", 0.00, 0.00),
    ("partner dealt", 0.36, 0.20),
    ("leads", -0.06, -0.07),
    ("second round", 0.10, 0.19),
    ("partner picks up the right bower", 0.34, 0.15),
    ("partner picks up ace or king", 0.10, 0.04),
    ("partner picks up", 0.36, 0.20),
    ("opponent picks up the right bower", -0.08, -0.45),
    ("opponent picks up ace or king", 0.05, -0.03),
    ("opponent picks up", -0.47, -0.39),
    ("next suit, opponent dealt", 0.33, 0.34),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 0.30, 0.63),
    ("second trump", 0.10, 0.44),
    ("third trump", 0.00, 0.24),
    ("fourth trump", -0.01, 0.14),
    ("fifth trump", -0.09, 0.10),
    ("lower trumps", -0.07, 0.07),
    ("both best trumps", 0.08, -0.03),
    ("two trumps", 0.17, 0.03),
    ("three trumps", 0.10, -0.17),
    ("four trumps", 0.15, -0.35),
    ("five trumps", 0.03, -0.18),
    ("side aces", 0.07, 0.05),
    ("two side aces", -0.04, -0.01),
    ("side ace with its king", -0.09, -0.58),
    ("guarded side king", -0.03, -0.14),
    ("other side king", -0.08, -0.28),
    ("void suits, one trump", 0.02, -0.16),
    ("void suits, two trumps", 0.12, 0.29),
    ("void suits, more trumps", 0.18, 0.38),
    ("low side cards", -0.10, -0.65),
)
PAIR_CHANCES = (
    ((-6.41, 2.3), (-7.69, 1.79)),  # together
    ((-5.37, 2.02), (-7.67, 1.76)),  # alone
)
PAIR_PASSING = (
    (0.16, -1.17, 1.51, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

CUTTHROAT: tuple[Row, ...] = (
    ("any hand", 1.47, 2.27),
    ("dealer", 0.30, 0.25),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.18, 0.25),
    ("second round", -0.13, 0.05),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.15, -0.38),
    ("opponent picks up ace or king", -0.04, -0.06),
    ("opponent picks up", -0.23, -0.23),
    ("next suit, opponent dealt", 0.45, 0.18),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 1.11, 0.81),
    ("second trump", 0.40, 0.34),
    ("third trump", 0.15, 0.18),
    ("fourth trump", 0.00, 0.03),
    ("fifth trump", -0.04, -0.01),
    ("lower trumps", -0.10, -0.06),
    ("both best trumps", 0.17, 0.12),
    ("two trumps", 0.41, 0.21),
    ("three trumps", 0.56, 0.06),
    ("four trumps", 0.36, 0.13),
    ("five trumps", 0.20, -0.01),
    ("side aces", 0.10, 0.12),
    ("two side aces", -0.15, -0.04),
    ("side ace with its king", -0.39, -0.40),
    ("guarded side king", -0.37, -0.21),
    ("other side king", -0.40, -0.29),
    ("void suits, one trump", 0.00, 0.13),
    ("void suits, two trumps", 0.05, 0.17),
    ("void suits, more trumps", 0.14, 0.33),
    ("low side cards", -0.47, -0.50),
)
CUTTHROAT_CHANCES = (
    ((-7.47, 2.87), (-12.52, 2.93)),  # together
    ((-5.89, 2.25), (-9.74, 2.28)),  # alone
)
CUTTHROAT_PASSING = (
    (-0.3, 0.2, -0.32, 0.0),
    (0.0, 0.11, 0.0, 0.0),
)

OPEN: tuple[Row, ...] = (
    ("any hand", 3.61, 2.60),
    ("dealer", -0.09, 0.07),
    ("partner dealt", 0.00, 0.00),
    ("leads", -0.12, -0.12),
    ("second round", 0.07, 0.10),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.17, -0.18),
    ("opponent picks up ace or king", -0.02, 0.03),
    ("opponent picks up", -0.22, -0.09),
    ("next suit, opponent dealt", 0.13, 0.20),
    ("next suit, own side dealt", 0.03, -0.10),
    ("best trump", 0.69, 0.67, 0.68),
    ("second trump", 0.29, 0.44, 0.29),
    ("third trump", 0.14, 0.16, 0.16),
    ("fourth trump", 0.00, 0.06, 0.10),
    ("fifth trump", -0.04, 0.02, -0.03),
    ("lower trumps", -0.10, 0.01, -0.06),
    ("both best trumps", 0.24, 0.03, 0.23),
    ("two trumps", 0.26, 0.06, 0.10),
    ("three trumps", 0.37, 0.22, 0.41),
    ("four trumps", 0.33, 0.13, 0.24),
    ("five trumps", 0.12, -0.02, 0.04),
    ("side aces", 0.12, 0.13, 0.02),
    ("two side aces", -0.07, -0.08, 0.00),
    ("side ace with its king", -0.24, -0.45, -0.28),
    ("guarded side king", -0.21, -0.20, -0.27),
    ("other side king", -0.31, -0.32, -0.27),
    ("void suits, one trump", 0.10, 0.04, 0.00),
    ("void suits, two trumps", 0.18, 0.27, 0.20),
    ("void suits, more trumps", 0.12, 0.25, 0.12),
    ("low side cards", -0.33, -0.51, -0.33),
)
OPEN_CHANCES = (
    ((-8.08, 3.05), (-9.38, 2.12)),  # together
    ((-6.13, 2.31), (-9.42, 2.2)),  # alone
)
OPEN_PASSING = (
    (-0.06, 1.31, 0.0, 0.81),
    (0.0, 0.04, 0.0, -0.05),
)

AGAINST_OPEN: tuple[Row, ...] = (
    ("any hand", 2.51, 2.28),
    ("dealer", 0.19, -0.06),
    ("partner dealt", 0.23, 0.22),
    ("leads", 0.24, 0.14),
    ("second round", -0.15, 0.09),
    ("partner picks up the right bower", 0.42, 0.19),
    ("partner picks up ace or king", 0.13, 0.07),
    ("partner picks up", 0.47, 0.24),
    ("opponent picks up the right bower", -0.33, -0.37),
    ("opponent picks up ace or king", -0.06, 0.01),
    ("opponent picks up", -0.50, -0.15),
    ("next suit, opponent dealt", 0.38, 0.26),
    ("next suit, own side dealt", 0.25, 0.10),
    ("best trump", 0.39, 0.74, -0.40),
    ("second trump", 0.07, 0.41, -0.13),
    ("third trump", 0.04, 0.25, 0.01),
    ("fourth trump", -0.04, 0.10, 0.10),
    ("fifth trump", -0.11, 0.06, 0.07),
    ("lower trumps", -0.09, 0.02, 0.11),
    ("both best trumps", 0.19, 0.11, -0.10),
    ("two trumps", 0.25, 0.14, -0.38),
    ("three trumps", 0.23, -0.05, -0.46),
    ("four trumps", 0.32, -0.03, -0.20),
    ("five trumps", 0.11, -0.11, 0.00),
    ("side aces", 0.10, 0.07, -0.07),
    ("two side aces", -0.02, -0.01, -0.10),
    ("side ace with its king", -0.15, -0.49, 0.15),
    ("guarded side king", -0.02, -0.24, 0.01),
    ("other side king", -0.10, -0.34, 0.06),
    ("void suits, one trump", 0.09, 0.10, -0.14),
    ("void suits, two trumps", 0.15, 0.24, -0.17),
    ("void suits, more trumps", 0.22, 0.38, -0.18),
    ("low side cards", -0.11, -0.58, 0.08),
)
AGAINST_OPEN_CHANCES = (
    ((-5.16, 1.99), (-7.43, 1.67)),  # together
    ((-5.98, 2.31), (-9.35, 2.13)),  # alone
)
AGAINST_OPEN_PASSING = (
    (0.25, 1.51, 0.88, 0.89),
    (0.0, 0.34, -0.64, -0.17),
)

DEFENCE_ROWS: tuple[Row, ...] = (
    ("any hand", 1.58, 1.49),
    ("best trump", 0.57, 0.70),
    ("second trump", 0.27, 0.27),
    ("third trump", 0.04, 0.11),
    ("fourth trump", -0.07, 0.03),
    ("fifth trump", -0.07, -0.05),
    ("lower trumps", -0.09, -0.05),
    ("both best trumps", -0.07, 0.08),
    ("two trumps", 0.54, 0.28),
    ("three trumps", 0.23, 0.31),
    ("four trumps", 0.23, 0.14),
    ("five trumps", 0.00, 0.00),
    ("side aces", 0.04, 0.07),
    ("two side aces", 0.10, 0.07),
    ("side ace with its king", -0.30, -0.40),
    ("guarded side king", -0.04, -0.12),
    ("other side king", -0.09, -0.21),
    ("void suits, one trump", -0.11, -0.01),
    ("void suits, two trumps", -0.03, 0.14),
    ("void suits, more trumps", 0.29, 0.29),
    ("low side cards", -0.27, -0.34),
)
DEFENCE_LEAST = (
    3.5,  # against a lone maker
    2.2,  # against two
)

LONE_MARGIN = 0.1
"""Margin in points for playing alone. Head to head it does as well as 0, and plays alone less."""


def _bids(rows: tuple[Row, ...], chances: Any, passing: Any) -> Bids:
    assert tuple(row[0] for row in rows) == (*PLACE_PARTS, *HAND_PARTS)
    together, alone = [
        Estimate(tuple(row[column] for row in rows), *chances[column - 1]) for column in (1, 2)
    ]
    opened = tuple(row[3] for row in rows if len(row) > 3)
    return Bids(together, alone, opened, passing, LONE_MARGIN)


def bids_of(rules: EuchreRules) -> tuple[Bids, Bids | None]:
    """Return the numbers for all seats, or for the others and for seat 0 where its role is special."""
    if rules.mode == "dummy_pool":
        return _bids(PAIR, PAIR_CHANCES, PAIR_PASSING), _bids(TAKER, TAKER_CHANCES, TAKER_PASSING)
    if rules.mode in ("dummy_cutthroat", "cutthroat"):
        bids = _bids(CUTTHROAT, CUTTHROAT_CHANCES, CUTTHROAT_PASSING)
        # Without a dummy every maker plays its own five cards, as a lone maker does beside a dummy.
        return (bids if rules.mode == "dummy_cutthroat" else bids._replace(together=bids.alone)), None
    if rules.mode == "dummy_partner":
        against = _bids(AGAINST_OPEN, AGAINST_OPEN_CHANCES, AGAINST_OPEN_PASSING)
        return against, _bids(OPEN, OPEN_CHANCES, OPEN_PASSING)
    passing = PARTNERS_STICK_PASSING if rules.stick_dealer else PARTNERS_PASSING
    return _bids(PARTNERS, PARTNERS_CHANCES, passing), None


DEFENCE = Defence(
    worth=tuple(row[1] for row in DEFENCE_ROWS),
    partner=tuple(row[2] for row in DEFENCE_ROWS),
    least=DEFENCE_LEAST,
)
