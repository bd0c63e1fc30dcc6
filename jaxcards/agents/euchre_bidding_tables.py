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
    ("any hand", 0.90, 0.30),
    ("dealer", 0.00, 0.00),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.00, 0.00),
    ("second round", 0.20, 0.20),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.40, 0.40),
    ("opponent picks up the right bower", 0.00, 0.00),
    ("opponent picks up ace or king", 0.00, 0.00),
    ("opponent picks up", -0.40, -0.40),
    ("next suit, opponent dealt", 0.00, 0.00),
    ("next suit, own side dealt", 0.00, 0.00),
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
PAIR_CHANCES = (
    ((-7.5, 3.0), (-11.2, 2.6)),  # together
    ((-7.5, 3.0), (-11.2, 2.6)),  # alone
)
PAIR_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

CUTTHROAT: tuple[Row, ...] = (
    ("any hand", 0.30, 0.30),
    ("dealer", 0.00, 0.00),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.00, 0.00),
    ("second round", 0.20, 0.20),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.40, 0.40),
    ("opponent picks up the right bower", 0.00, 0.00),
    ("opponent picks up ace or king", 0.00, 0.00),
    ("opponent picks up", -0.40, -0.40),
    ("next suit, opponent dealt", 0.00, 0.00),
    ("next suit, own side dealt", 0.00, 0.00),
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
CUTTHROAT_CHANCES = (
    ((-7.5, 3.0), (-11.2, 2.6)),  # together
    ((-7.5, 3.0), (-11.2, 2.6)),  # alone
)
CUTTHROAT_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

OPEN: tuple[Row, ...] = (
    ("any hand", 0.90, 0.30),
    ("dealer", 0.00, 0.00),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.00, 0.00),
    ("second round", 0.20, 0.20),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.40, 0.40),
    ("opponent picks up the right bower", 0.00, 0.00),
    ("opponent picks up ace or king", 0.00, 0.00),
    ("opponent picks up", -0.40, -0.40),
    ("next suit, opponent dealt", 0.00, 0.00),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 1.00, 1.00, 0.50),
    ("second trump", 0.80, 0.80, 0.40),
    ("third trump", 0.60, 0.60, 0.30),
    ("fourth trump", 0.50, 0.50, 0.25),
    ("fifth trump", 0.40, 0.40, 0.20),
    ("lower trumps", 0.35, 0.35, 0.17),
    ("both best trumps", 0.00, 0.00, 0.00),
    ("two trumps", 0.00, 0.00, 0.00),
    ("three trumps", 0.00, 0.00, 0.00),
    ("four trumps", 0.00, 0.00, 0.00),
    ("five trumps", 0.00, 0.00, 0.00),
    ("side aces", 0.60, 0.60, 0.30),
    ("two side aces", 0.00, 0.00, 0.00),
    ("side ace with its king", 0.00, 0.00, 0.00),
    ("guarded side king", 0.00, 0.00, 0.00),
    ("other side king", 0.00, 0.00, 0.00),
    ("void suits, one trump", 0.00, 0.00, 0.00),
    ("void suits, two trumps", 0.20, 0.20, 0.10),
    ("void suits, more trumps", 0.20, 0.20, 0.10),
    ("low side cards", 0.00, 0.00, 0.00),
)
OPEN_CHANCES = (
    ((-7.5, 3.0), (-11.2, 2.6)),  # together
    ((-7.5, 3.0), (-11.2, 2.6)),  # alone
)
OPEN_PASSING = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)

AGAINST_OPEN: tuple[Row, ...] = (
    ("any hand", 0.90, 0.30),
    ("dealer", 0.00, 0.00),
    ("partner dealt", 0.00, 0.00),
    ("leads", 0.00, 0.00),
    ("second round", 0.20, 0.20),
    ("partner picks up the right bower", 0.00, 0.00),
    ("partner picks up ace or king", 0.00, 0.00),
    ("partner picks up", 0.40, 0.40),
    ("opponent picks up the right bower", 0.00, 0.00),
    ("opponent picks up ace or king", 0.00, 0.00),
    ("opponent picks up", -0.40, -0.40),
    ("next suit, opponent dealt", 0.00, 0.00),
    ("next suit, own side dealt", 0.00, 0.00),
    ("best trump", 1.00, 1.00, -0.33),
    ("second trump", 0.80, 0.80, -0.27),
    ("third trump", 0.60, 0.60, -0.20),
    ("fourth trump", 0.50, 0.50, -0.17),
    ("fifth trump", 0.40, 0.40, -0.13),
    ("lower trumps", 0.35, 0.35, -0.12),
    ("both best trumps", 0.00, 0.00, 0.00),
    ("two trumps", 0.00, 0.00, 0.00),
    ("three trumps", 0.00, 0.00, 0.00),
    ("four trumps", 0.00, 0.00, 0.00),
    ("five trumps", 0.00, 0.00, 0.00),
    ("side aces", 0.60, 0.60, -0.20),
    ("two side aces", 0.00, 0.00, 0.00),
    ("side ace with its king", 0.00, 0.00, 0.00),
    ("guarded side king", 0.00, 0.00, 0.00),
    ("other side king", 0.00, 0.00, 0.00),
    ("void suits, one trump", 0.00, 0.00, 0.00),
    ("void suits, two trumps", 0.20, 0.20, -0.07),
    ("void suits, more trumps", 0.20, 0.20, -0.07),
    ("low side cards", 0.00, 0.00, 0.00),
)
AGAINST_OPEN_CHANCES = (
    ((-7.5, 3.0), (-11.2, 2.6)),  # together
    ((-7.5, 3.0), (-11.2, 2.6)),  # alone
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
