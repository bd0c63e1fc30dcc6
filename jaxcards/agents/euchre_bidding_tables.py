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
    ("any hand", 2.08, 2.48),
    ("dealer", 0.12, 0.10),
    ("partner dealt", 0.00, 0.00),
    ("leads", -0.12, -0.10),
    ("second round", 0.00, 0.00),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.23, 0.00),
    ("opponent picks up ace or king", -0.02, -0.01),
    ("opponent picks up", -0.12, -0.10),
    ("next suit, opponent dealt", 0.00, 0.00),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 0.94, 0.44),
    ("second trump", 0.30, 0.42),
    ("third trump", 0.08, 0.19),
    ("fourth trump", -0.01, -0.05),
    ("fifth trump", -0.02, 0.01),
    ("lower trumps", -0.08, -0.03),
    ("both best trumps", 0.25, -0.18),
    ("two trumps", 0.17, 0.34),
    ("three trumps", 0.46, 0.28),
    ("four trumps", 0.36, 0.09),
    ("five trumps", 0.21, -0.04),
    ("side aces", 0.19, 0.30),
    ("two side aces", -0.23, -0.12),
    ("side ace with its king", -0.37, -0.43),
    ("guarded side king", -0.32, -0.10),
    ("other side king", -0.30, -0.25),
    ("void suits, one trump", 0.00, 0.05),
    ("void suits, two trumps", 0.05, 0.42),
    ("void suits, more trumps", 0.14, 0.37),
    ("low side cards", -0.40, -0.50),
)
TAKER_CHANCES = (
    ((-10.07, 3.68), (-14.01, 3.33)),  # together
    ((-6.35, 2.4), (-9.98, 2.34)),  # alone
)
TAKER_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

PAIR: tuple[Row, ...] = (
    ("any hand", 3.38, 3.87),
    ("dealer", 0.00, 0.00),
    ("partner dealt", 0.35, 0.00),
    ("leads", -0.07, -0.12),
    ("second round", 0.16, 0.22),
    ("partner picks up the right bower", 0.36, 0.14),
    ("partner picks up ace or king", 0.11, 0.07),
    ("partner picks up", 0.35, 0.00),
    ("opponent picks up the right bower", -0.14, 0.00),
    ("opponent picks up ace or king", 0.05, -0.03),
    ("opponent picks up", -0.51, -0.22),
    ("next suit, opponent dealt", 0.30, 0.22),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 0.30, 0.56),
    ("second trump", 0.10, 0.39),
    ("third trump", 0.00, 0.25),
    ("fourth trump", -0.01, 0.14),
    ("fifth trump", -0.11, 0.11),
    ("lower trumps", -0.06, 0.09),
    ("both best trumps", 0.07, -0.08),
    ("two trumps", 0.17, 0.01),
    ("three trumps", 0.15, -0.04),
    ("four trumps", 0.21, -0.34),
    ("five trumps", 0.06, -0.14),
    ("side aces", 0.08, 0.06),
    ("two side aces", -0.04, 0.07),
    ("side ace with its king", -0.10, -0.59),
    ("guarded side king", -0.03, -0.09),
    ("other side king", -0.10, -0.27),
    ("void suits, one trump", 0.02, -0.12),
    ("void suits, two trumps", 0.12, 0.40),
    ("void suits, more trumps", 0.17, 0.28),
    ("low side cards", -0.09, -0.65),
)
PAIR_CHANCES = (
    ((-6.64, 2.37), (-7.7, 1.79)),  # together
    ((-5.2, 1.97), (-7.73, 1.79)),  # alone
)
PAIR_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

CUTTHROAT: tuple[Row, ...] = (
    ("any hand", 1.40, 2.37),
    ("dealer", 0.32, 0.27),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.18, 0.34),
    ("second round", -0.11, -0.06),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.15, -0.10),
    ("opponent picks up ace or king", -0.04, -0.09),
    ("opponent picks up", -0.21, -0.20),
    ("next suit, opponent dealt", 0.44, 0.16),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 1.10, 0.65),
    ("second trump", 0.39, 0.52),
    ("third trump", 0.15, 0.19),
    ("fourth trump", 0.00, 0.01),
    ("fifth trump", -0.04, 0.00),
    ("lower trumps", -0.10, -0.06),
    ("both best trumps", 0.19, -0.09),
    ("two trumps", 0.42, 0.29),
    ("three trumps", 0.55, 0.04),
    ("four trumps", 0.35, -0.06),
    ("five trumps", 0.19, -0.11),
    ("side aces", 0.13, 0.15),
    ("two side aces", -0.16, -0.03),
    ("side ace with its king", -0.40, -0.43),
    ("guarded side king", -0.39, -0.20),
    ("other side king", -0.38, -0.28),
    ("void suits, one trump", -0.12, 0.12),
    ("void suits, two trumps", 0.08, 0.30),
    ("void suits, more trumps", 0.16, 0.39),
    ("low side cards", -0.47, -0.56),
)
CUTTHROAT_CHANCES = (
    ((-7.41, 2.84), (-12.48, 2.93)),  # together
    ((-6.1, 2.35), (-10.03, 2.32)),  # alone
)
CUTTHROAT_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

OPEN: tuple[Row, ...] = (
    ("any hand", 3.63, 2.70),
    ("dealer", 0.02, 0.12),
    ("partner dealt", 0.00, 0.00),
    ("leads", -0.11, 0.02),
    ("second round", 0.08, 0.07),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.00, 0.00),
    ("opponent picks up the right bower", -0.15, -0.08),
    ("opponent picks up ace or king", -0.03, 0.02),
    ("opponent picks up", -0.14, -0.12),
    ("next suit, opponent dealt", 0.21, 0.12),
    ("next suit, own side dealt", 0.09, -0.18),
    ("best trump", 0.70, 0.64, 0.68),
    ("second trump", 0.30, 0.50, 0.28),
    ("third trump", 0.15, 0.18, 0.16),
    ("fourth trump", 0.01, 0.04, 0.11),
    ("fifth trump", -0.05, 0.01, -0.02),
    ("lower trumps", -0.09, -0.02, -0.05),
    ("both best trumps", 0.22, -0.13, 0.25),
    ("two trumps", 0.21, 0.12, 0.06),
    ("three trumps", 0.32, 0.25, 0.44),
    ("four trumps", 0.30, 0.05, 0.24),
    ("five trumps", 0.10, -0.02, 0.04),
    ("side aces", 0.11, 0.15, 0.01),
    ("two side aces", -0.08, -0.03, 0.00),
    ("side ace with its king", -0.26, -0.42, -0.28),
    ("guarded side king", -0.23, -0.21, -0.28),
    ("other side king", -0.32, -0.31, -0.26),
    ("void suits, one trump", 0.06, 0.00, -0.03),
    ("void suits, two trumps", 0.18, 0.32, 0.20),
    ("void suits, more trumps", 0.13, 0.24, 0.08),
    ("low side cards", -0.34, -0.55, -0.34),
)
OPEN_CHANCES = (
    ((-7.95, 3.0), (-9.41, 2.13)),  # together
    ((-6.43, 2.43), (-9.19, 2.12)),  # alone
)
OPEN_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

AGAINST_OPEN: tuple[Row, ...] = (
    ("any hand", 2.47, 2.42),
    ("dealer", 0.26, -0.05),
    ("partner dealt", 0.29, 0.18),
    ("leads", 0.25, 0.06),
    ("second round", -0.04, 0.10),
    ("partner picks up the right bower", 0.40, 0.08),
    ("partner picks up ace or king", 0.11, 0.06),
    ("partner picks up", 0.53, 0.18),
    ("opponent picks up the right bower", -0.24, -0.09),
    ("opponent picks up ace or king", -0.06, 0.16),
    ("opponent picks up", -0.41, -0.01),
    ("next suit, opponent dealt", 0.43, 0.32),
    ("next suit, own side dealt", 0.12, -0.17),
    ("best trump", 0.42, 0.64, -0.39),
    ("second trump", 0.13, 0.44, -0.12),
    ("third trump", 0.05, 0.28, -0.03),
    ("fourth trump", -0.02, 0.11, 0.07),
    ("fifth trump", -0.05, 0.08, 0.07),
    ("lower trumps", -0.06, 0.02, 0.10),
    ("both best trumps", 0.17, -0.01, -0.04),
    ("two trumps", 0.14, 0.18, -0.34),
    ("three trumps", 0.10, -0.12, -0.40),
    ("four trumps", 0.28, -0.17, -0.17),
    ("five trumps", 0.11, -0.08, 0.00),
    ("side aces", 0.08, 0.10, -0.06),
    ("two side aces", 0.00, 0.00, -0.09),
    ("side ace with its king", -0.22, -0.52, 0.17),
    ("guarded side king", -0.06, -0.22, 0.02),
    ("other side king", -0.14, -0.34, 0.05),
    ("void suits, one trump", 0.03, 0.11, -0.12),
    ("void suits, two trumps", 0.13, 0.24, -0.16),
    ("void suits, more trumps", 0.26, 0.43, -0.21),
    ("low side cards", -0.14, -0.58, 0.11),
)
AGAINST_OPEN_CHANCES = (
    ((-5.24, 2.02), (-7.43, 1.67)),  # together
    ((-6.0, 2.34), (-8.83, 1.97)),  # alone
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
