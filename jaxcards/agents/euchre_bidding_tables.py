"""What the parts of a Euchre hand are worth, in tricks.

`PARTNERS` and the worths of `TAKER` were found by `experiments/euchre_rules/fit.py`; the others are
what a person would say, and where `fit.py` goes on from.

Each row has a part that `euchre_bidding` or `euchre_hand` counts, its worth in tricks of the makers
when played together (with the partner, or with the dummy's cards) and alone, and, where a hand lies
open, the worth of the same part in that hand.
"""

from typing import Any

from jaxcards.agents.euchre_bidding import PLACE_PARTS, Bids, Defence, Estimate
from jaxcards.agents.euchre_hand import HAND_PARTS
from jaxcards.games.euchre.rules import EuchreRules

Row = tuple[Any, ...]

PARTNERS: tuple[Row, ...] = (
    ("any hand", 2.69, 1.92),
    ("dealer", 0.05, 0.14),
    ("partner dealt", 0.26, 0.21),
    ("leads", -0.04, 0.03),
    ("second round", 0.15, 0.07),
    ("partner picks up the right bower", 0.62, 0.37),
    ("partner picks up ace or king", 0.13, 0.04),
    ("partner picks up", 0.55, 0.14),
    ("opponent picks up the right bower", -0.29, -0.19),
    ("opponent picks up ace or king", -0.01, -0.03),
    ("opponent picks up", -0.19, -0.13),
    ("next suit, opponent dealt", 0.30, 0.26),
    ("next suit, own side dealt", -0.23, 0.03),
    ("best trump", 0.62, 0.86),
    ("second trump", 0.22, 0.30),
    ("third trump", 0.09, -0.01),
    ("fourth trump", 0.03, -0.04),
    ("fifth trump", -0.03, -0.08),
    ("lower trumps", -0.07, -0.10),
    ("both best trumps", 0.11, 0.06),
    ("two trumps", 0.15, 0.43),
    ("three trumps", 0.19, 0.20),
    ("four trumps", 0.24, 0.23),
    ("five trumps", 0.17, 0.13),
    ("side aces", 0.08, 0.23),
    ("two side aces", -0.08, -0.01),
    ("side ace with its king", -0.23, -0.28),
    ("guarded side king", -0.17, -0.17),
    ("other side king", -0.25, -0.22),
    ("void suits, one trump", 0.05, -0.16),
    ("void suits, two trumps", 0.12, 0.21),
    ("void suits, more trumps", 0.18, 0.34),
    ("low side cards", -0.28, -0.48),
)
PARTNERS_CHANCES = (
    ((-5.21, 2.04), (-7.71, 1.72)),  # together
    ((-6.14, 2.4), (-10.92, 2.49)),  # alone
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
    ("any hand", 1.99, 2.54),
    ("dealer", 0.14, 0.04),
    ("partner dealt", 0.00, 0.00),
    ("leads", -0.02, -0.08),
    ("second round", 0.05, 0.10),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.09, 0.00),
    ("opponent picks up ace or king", -0.08, -0.04),
    ("opponent picks up", -0.15, -0.03),
    ("next suit, opponent dealt", 0.19, 0.10),
    ("next suit, own side dealt", 0.04, 0.00),
    ("best trump", 0.89, 0.49),
    ("second trump", 0.14, 0.22),
    ("third trump", 0.09, 0.11),
    ("fourth trump", -0.05, -0.03),
    ("fifth trump", -0.10, 0.00),
    ("lower trumps", -0.14, -0.08),
    ("both best trumps", 0.33, 0.08),
    ("two trumps", 0.17, 0.32),
    ("three trumps", 0.29, 0.02),
    ("four trumps", 0.23, 0.19),
    ("five trumps", 0.14, 0.01),
    ("side aces", 0.16, 0.24),
    ("two side aces", -0.13, -0.07),
    ("side ace with its king", -0.30, -0.35),
    ("guarded side king", -0.09, -0.03),
    ("other side king", -0.29, -0.07),
    ("void suits, one trump", 0.00, 0.07),
    ("void suits, two trumps", 0.07, 0.24),
    ("void suits, more trumps", 0.36, 0.42),
    ("low side cards", -0.31, -0.49),
)
TAKER_CHANCES = (
    ((-9.69, 3.64), (-13.64, 3.15)),  # together
    ((-5.67, 2.17), (-10.49, 2.47)),  # alone
)
TAKER_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

PAIR: tuple[Row, ...] = (
    ("any hand", 3.42, 3.20),
    ("dealer", 0.20, 0.12),
    ("partner dealt", 0.34, 0.08),
    ("leads", -0.15, -0.15),
    ("second round", -0.06, 0.03),
    ("partner picks up the right bower", 0.34, 0.18),
    ("partner picks up ace or king", 0.05, 0.00),
    ("partner picks up", 0.29, 0.17),
    ("opponent picks up the right bower", -0.47, -0.35),
    ("opponent picks up ace or king", -0.11, 0.00),
    ("opponent picks up", -0.45, -0.32),
    ("next suit, opponent dealt", 0.33, 0.21),
    ("next suit, own side dealt", 0.07, -0.04),
    ("best trump", 0.23, 0.44),
    ("second trump", 0.03, 0.11),
    ("third trump", -0.02, -0.01),
    ("fourth trump", -0.03, -0.01),
    ("fifth trump", -0.08, -0.07),
    ("lower trumps", -0.06, -0.02),
    ("both best trumps", 0.06, 0.07),
    ("two trumps", 0.26, 0.23),
    ("three trumps", 0.12, 0.04),
    ("four trumps", 0.18, -0.06),
    ("five trumps", 0.16, -0.04),
    ("side aces", 0.12, 0.19),
    ("two side aces", -0.07, 0.02),
    ("side ace with its king", -0.08, -0.33),
    ("guarded side king", 0.03, 0.15),
    ("other side king", -0.02, -0.03),
    ("void suits, one trump", 0.03, -0.12),
    ("void suits, two trumps", 0.13, 0.34),
    ("void suits, more trumps", 0.15, 0.39),
    ("low side cards", -0.13, -0.40),
)
PAIR_CHANCES = (
    ((-6.35, 2.4), (-8.4, 1.91)),  # together
    ((-8.17, 2.88), (-9.04, 2.08)),  # alone
)
PAIR_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

CUTTHROAT: tuple[Row, ...] = (
    ("any hand", 1.64, 2.40),
    ("dealer", 0.24, 0.21),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.06, 0.17),
    ("second round", -0.06, -0.04),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.07, -0.26),
    ("opponent picks up ace or king", -0.05, -0.05),
    ("opponent picks up", -0.21, -0.10),
    ("next suit, opponent dealt", 0.24, 0.02),
    ("next suit, own side dealt", -0.03, 0.01),
    ("best trump", 1.07, 0.71),
    ("second trump", 0.32, 0.29),
    ("third trump", 0.10, 0.08),
    ("fourth trump", -0.02, 0.03),
    ("fifth trump", -0.06, -0.06),
    ("lower trumps", -0.08, -0.03),
    ("both best trumps", 0.23, 0.05),
    ("two trumps", 0.31, 0.33),
    ("three trumps", 0.47, -0.07),
    ("four trumps", 0.32, 0.02),
    ("five trumps", 0.24, -0.06),
    ("side aces", 0.14, 0.11),
    ("two side aces", -0.11, -0.04),
    ("side ace with its king", -0.34, -0.36),
    ("guarded side king", -0.38, -0.12),
    ("other side king", -0.32, -0.13),
    ("void suits, one trump", -0.03, 0.12),
    ("void suits, two trumps", 0.12, 0.22),
    ("void suits, more trumps", 0.20, 0.41),
    ("low side cards", -0.43, -0.51),
)
CUTTHROAT_CHANCES = (
    ((-8.0, 3.08), (-12.64, 2.93)),  # together
    ((-6.41, 2.47), (-10.49, 2.41)),  # alone
)
CUTTHROAT_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

OPEN: tuple[Row, ...] = (
    ("any hand", 3.27, 2.49),
    ("dealer", 0.03, 0.03),
    ("partner dealt", 0.00, 0.00),
    ("leads", -0.06, -0.08),
    ("second round", 0.09, 0.02),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.12, -0.20),
    ("opponent picks up ace or king", -0.03, 0.15),
    ("opponent picks up", -0.17, -0.08),
    ("next suit, opponent dealt", 0.17, 0.15),
    ("next suit, own side dealt", -0.12, -0.06),
    ("best trump", 0.68, 0.49, 0.76),
    ("second trump", 0.20, 0.23, 0.29),
    ("third trump", 0.07, 0.11, 0.09),
    ("fourth trump", 0.00, -0.07, 0.09),
    ("fifth trump", -0.04, -0.06, -0.02),
    ("lower trumps", -0.12, -0.08, -0.03),
    ("both best trumps", 0.30, 0.12, 0.14),
    ("two trumps", 0.35, 0.33, 0.20),
    ("three trumps", 0.26, 0.19, 0.27),
    ("four trumps", 0.29, 0.19, 0.08),
    ("five trumps", 0.01, 0.03, 0.00),
    ("side aces", 0.14, 0.14, -0.01),
    ("two side aces", -0.09, -0.13, 0.11),
    ("side ace with its king", -0.26, -0.29, -0.29),
    ("guarded side king", -0.19, 0.05, -0.24),
    ("other side king", -0.18, -0.08, -0.27),
    ("void suits, one trump", 0.15, 0.07, 0.04),
    ("void suits, two trumps", 0.20, 0.20, 0.13),
    ("void suits, more trumps", 0.26, 0.31, 0.17),
    ("low side cards", -0.30, -0.47, -0.36),
)
OPEN_CHANCES = (
    ((-7.02, 2.75), (-10.36, 2.32)),  # together
    ((-5.96, 2.28), (-9.54, 2.23)),  # alone
)
OPEN_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

AGAINST_OPEN: tuple[Row, ...] = (
    ("any hand", 2.82, 2.42),
    ("dealer", 0.23, 0.08),
    ("partner dealt", 0.20, 0.14),
    ("leads", 0.06, -0.03),
    ("second round", -0.02, -0.08),
    ("partner picks up the right bower", 0.43, 0.26),
    ("partner picks up ace or king", 0.14, 0.09),
    ("partner picks up", 0.47, 0.08),
    ("opponent picks up the right bower", -0.48, -0.29),
    ("opponent picks up ace or king", -0.03, 0.11),
    ("opponent picks up", -0.34, -0.25),
    ("next suit, opponent dealt", 0.42, 0.36),
    ("next suit, own side dealt", -0.12, 0.00),
    ("best trump", 0.38, 0.71, -0.40),
    ("second trump", 0.11, 0.32, -0.15),
    ("third trump", 0.00, 0.05, 0.01),
    ("fourth trump", -0.01, -0.06, 0.15),
    ("fifth trump", -0.07, -0.06, 0.14),
    ("lower trumps", -0.07, -0.08, 0.15),
    ("both best trumps", 0.11, -0.10, 0.04),
    ("two trumps", 0.15, 0.24, -0.43),
    ("three trumps", 0.21, 0.12, -0.29),
    ("four trumps", 0.27, 0.08, -0.20),
    ("five trumps", 0.18, 0.05, 0.00),
    ("side aces", 0.12, 0.20, -0.08),
    ("two side aces", -0.03, -0.02, -0.06),
    ("side ace with its king", -0.14, -0.33, 0.09),
    ("guarded side king", -0.04, -0.08, -0.02),
    ("other side king", -0.10, -0.17, 0.05),
    ("void suits, one trump", 0.07, 0.15, -0.10),
    ("void suits, two trumps", 0.16, 0.24, -0.09),
    ("void suits, more trumps", 0.20, 0.41, -0.31),
    ("low side cards", -0.19, -0.49, 0.04),
)
AGAINST_OPEN_CHANCES = (
    ((-5.28, 2.08), (-8.93, 2.03)),  # together
    ((-6.23, 2.4), (-9.91, 2.27)),  # alone
)
AGAINST_OPEN_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

DEFENCE_ROWS: tuple[Row, ...] = (
    ("any hand", 0.00, 0.00),
    ("best trump", 1.00, 1.00),
    ("second trump", 0.80, 0.80),
    ("third trump", 0.60, 0.60),
    ("fourth trump", 0.50, 0.50),
    ("fifth trump", 0.40, 0.40),
    ("lower trumps", 0.35, 0.35),
    ("both best trumps", 0.00, 0.00),
    ("two trumps", 0.00, 0.00),
    ("three trumps", 0.00, 0.00),
    ("four trumps", 0.00, 0.00),
    ("five trumps", 0.00, 0.00),
    ("side aces", 0.60, 0.60),
    ("two side aces", 0.00, 0.00),
    ("side ace with its king", 0.00, 0.00),
    ("guarded side king", 0.00, 0.00),
    ("other side king", 0.00, 0.00),
    ("void suits, one trump", 0.00, 0.00),
    ("void suits, two trumps", 0.20, 0.20),
    ("void suits, more trumps", 0.20, 0.20),
    ("low side cards", 0.00, 0.00),
)
DEFENCE_LEAST = (
    3.5,  # against a lone maker
    9.0,  # against two
)


def _bids(rows: tuple[Row, ...], chances: Any, passing: Any) -> Bids:
    assert tuple(row[0] for row in rows) == (*PLACE_PARTS, *HAND_PARTS)
    together, alone = [
        Estimate(tuple(row[column] for row in rows), *chances[column - 1]) for column in (1, 2)
    ]
    opened = tuple(row[3] for row in rows if len(row) > 3)
    return Bids(together, alone, opened, passing, 0.0)


def bids_of(rules: EuchreRules) -> tuple[Bids, Bids | None]:
    """Returns the numbers of all seats, or of all but seat 0 and of that one, where it is special."""
    if rules.mode == "dummy_pool":
        return _bids(PAIR, PAIR_CHANCES, PAIR_PASSING), _bids(TAKER, TAKER_CHANCES, TAKER_PASSING)
    if rules.mode == "dummy_cutthroat":
        return _bids(CUTTHROAT, CUTTHROAT_CHANCES, CUTTHROAT_PASSING), None
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
