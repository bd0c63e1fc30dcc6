"""Recorded deals of Rikiki: how each begins, and what it comes to."""

from typing import NamedTuple


class Golden(NamedTuple):
    """A row: the deck is sorted by (card + a)**3 % 10007, action t is number p*t + q of the legal."""

    variant: str
    round: int
    k: int
    a: int
    dealer: int
    p: int
    q: int
    steps: int
    trump: str
    bids: list[int]
    won: list[int]
    points: list[int]

    @property
    def deck(self) -> list[int]:
        return sorted(range(52), key=lambda card: (card + self.a) ** 3 % 10007)


def _numbers(cell: str) -> list[int]:
    return [int(number) for number in cell.strip("[]").split(",")]


def _golden(row: str) -> Golden:
    cells = [cell.strip() for cell in row.split("|")]
    return Golden(
        cells[0], *map(int, cells[1:8]), cells[8], *map(_numbers, cells[9:])
    )  # fmt: skip


# preset | round | k | a | dealer | p | q | steps | trump | bids | won | points
GOLDEN = [
    _golden(row)
    for row in """
    plain | 0 | 2 | 3 | 0 | 1 | 0 | 12 | H (TH) | [0, 0, 1, 2] | [0, 0, 1, 1] | [5, 5, 5, -1]
    plain | 3 | 5 | 411 | 2 | 3 | 1 | 24 | H (5H) | [4, 1, 4, 1] | [0, 0, 4, 1] | [-4, -1, 5, 5]
    plain | 10 | 12 | 20 | 1 | 2 | 5 | 52 | D (QD) | [9, 11, 5, 7] | [3, 3, 2, 4] | [-6, -8, -3, -3]
    standard | 0 | 10 | 905 | 3 | 5 | 2 | 44 | S (3S) | [2, 7, 1, 8] | [1, 2, 6, 1] | [0, 0, 0, 0]
    standard | 9 | 1 | 2 | 0 | 1 | 1 | 8 | C (6C) | [0, 1, 0, 1] | [0, 0, 0, 1] | [10, 0, 10, 11]
    open_spiel | 0 | 10 | 3133 | 2 | 7 | 0 | 44 | C (3C) | [7, 3, 2, 0] | [6, 1, 2, 1] | [6, 1, 12, 1]
    open_spiel_penalty | 0 | 10 | 3133 | 2 | 7 | 0 | 44 | C (3C) | [7, 3, 2, 0] | [6, 1, 2, 1] | [-1, -2, 12, -1]
    up_down_13 | 12 | 13 | 71 | 1 | 3 | 2 | 56 | NT | [8, 11, 2, 5] | [3, 2, 8, 0] | [0, 0, 0, 0]
    no_trump_free_bids | 4 | 5 | 88 | 3 | 2 | 3 | 24 | NT | [3, 5, 1, 3] | [0, 1, 2, 2] | [0, 1, 2, 2]
    cycle | 4 | 5 | 235 | 4 | 5 | 1 | 30 | NT | [1, 0, 5, 4, 3] | [2, 1, 0, 1, 1] | [-1, -1, -5, -3, -2]
    cycle | 6 | 7 | 2305 | 1 | 5 | 1 | 40 | D | [0, 5, 1, 6, 3] | [1, 1, 0, 4, 1] | [-1, -4, -1, -2, -2]
    standard7 | 6 | 1 | 317 | 6 | 3 | 0 | 14 | D (2D) | [0, 1, 0, 1, 0, 1, 0] | [0, 0, 0, 1, 0, 0, 0] | [10, 0, 10, 11, 10, 0, 10]
    standard3 | 0 | 10 | 1530 | 2 | 1 | 4 | 33 | D (5D) | [4, 5, 7] | [0, 5, 5] | [0, 15, 0]
    square | 5 | 5 | 256 | 0 | 7 | 3 | 24 | H (5H) | [0, 3, 4, 5] | [3, 0, 1, 1] | [-9, -9, -9, -16]
    """.strip().splitlines()  # noqa: E501
]
