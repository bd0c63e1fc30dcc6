"""Recorded deals of Sheepshead: how each begins, and what it comes to."""

from games.sheepshead import reference
from games.sheepshead.reference import card
from games.sheepshead.reference_deal import ReferenceDeal

# preset | a | dealer | p | q | steps | outcome | bury | tricks won | card points | side | mag | chips
TABLE = """
deepsheep | 1 | 0 | 5 | 0 | 36 | picker 2, partner 3, called AH | \
  AS JD | [1, 0, 0, 3, 2] | [3, 0, 0, 73, 31] | 86 | 1 | [-1, -1, 2, 1, -1]
deepsheep | 132 | 0 | 5 | 4 | 36 | picker 2, partner 3, called AS | \
  KD KH | [2, 1, 0, 1, 2] | [39, 27, 0, 15, 31] | 23 | -2 | [2, 2, -4, -2, 2]
deepsheep | 263 | 0 | 5 | 0 | 37 | picker 2, partner 3, called AH, unknown 7S | \
  JS QC | [0, 1, 2, 1, 2] | [0, 25, 25, 32, 33] | 62 | 1 | [-1, -1, 2, 1, -1]
deepsheep | 428 | 0 | 5 | 0 | 36 | picker 2, partner 3, called TC | \
  AS 8D | [0, 2, 0, 3, 1] | [0, 46, 0, 45, 18] | 56 | -1 | [1, 1, -2, -1, 1]
deepsheep | 525 | 0 | 2 | 1 | 34 | picker 1, alone | \
  7H 8C | [1, 3, 0, 1, 1] | [18, 62, 0, 19, 21] | 62 | 1 | [-1, 4, -1, -1, -1]
deepsheep | 656 | 0 | 2 | 0 | 35 | leaster, winner 2 | \
  - | [1, 1, 2, 2, 0] | [31, 37, 24, 28, 0] | - | - | [-1, -1, 4, -1, -1]
deepsheep | 787 | 1 | 4 | 0 | 35 | leaster, winner None | \
  - | [2, 0, 1, 2, 1] | [34, 0, 24, 38, 24] | - | - | [0, 0, 0, 0, 0]
deepsheep_jd | 918 | 0 | 5 | 0 | 35 | picker 2, alone | \
  QS 9S | [3, 0, 1, 1, 1] | [73, 0, 6, 24, 14] | 9 | -2 | [2, 2, -8, 2, 2]
deepsheep_jd | 1049 | 0 | 5 | 0 | 35 | picker 2, partner 1 | \
  TS 8S | [0, 0, 2, 1, 3] | [0, 0, 41, 8, 61] | 51 | -1 | [1, -1, -2, 1, 1]
deepsheep_3p | 1180 | 0 | 5 | 0 | 34 | picker 2, alone | \
  TS TD | [2, 3, 5] | [10, 43, 47] | 67 | 1 | [-1, -1, 2]
deepsheep_4p | 1311 | 0 | 5 | 0 | 34 | picker 2, alone | \
  7S JD 7D KC | [2, 1, 3, 1] | [28, 12, 49, 25] | 55 | -1 | [1, 1, -3, 1]
deepsheep_doubler | 1442 | 0 | 2 | 0 | 5 | void | \
  - | [0, 0, 0, 0, 0] | [0, 0, 0, 0, 0] | - | - | [0, 0, 0, 0, 0]
deepsheep_forced | 1573 | 0 | 2 | 0 | 39 | picker 0, partner 1, called AC | \
  7D KH | [1, 1, 3, 0, 1] | [30, 25, 40, 0, 21] | 59 | -1 | [-2, -1, 1, 1, 1]
deepsheep_crack | 1704 | 0 | 2 | 1 | 36 | picker 1, alone, cracked by 2 + recrack | \
  TH JC | [1, 2, 2, 1, 0] | [15, 39, 44, 10, 0] | 51 | -1 | [4, -16, 4, 4, 4]
deepsheep_crack | 1835 | 0 | 5 | 1 | 38 | picker 1, partner 2, called AS, cracked by 3 | \
  TC JC | [1, 1, 1, 2, 1] | [18, 25, 25, 25, 15] | 62 | 1 | [-2, 4, 2, -2, -2]
deepsheep_clubs | 1966 | 1 | 5 | 0 | 36 | picker 3, partner 0, called AD | \
  QS JD | [1, 1, 2, 2, 0] | [11, 19, 56, 29, 0] | 45 | -1 | [-1, 1, 1, -2, 1]
deepsheep_spitz | 2097 | 0 | 5 | 0 | 36 | picker 2, partner 0, called AS | \
  QS AC | [1, 2, 1, 1, 1] | [17, 35, 9, 22, 23] | 40 | -1 | [-1, 1, -2, 1, 1]
standard | 2466 | 1 | 5 | 0 | 36 | picker 3, partner 4, called TS | \
  JS 8D | [2, 0, 1, 1, 2] | [40, 0, 7, 19, 52] | 73 | 1 | [-1, -1, -1, 2, 1]
standard | 2563 | 2 | 5 | 0 | 37 | picker 4, partner 0, called AS, unknown AD | \
  8H TC | [1, 2, 2, 0, 1] | [36, 15, 48, 0, 11] | 57 | -1 | [-2, 2, 2, 2, -4]
standard_jd | 2490 | 0 | 5 | 1 | 33 | picker 1, alone | \
  QS 8S | [1, 0, 1, 2, 2] | [14, 0, 10, 56, 37] | 3 | -3 | [6, -24, 6, 6, 6]
six_called | 2621 | 0 | 5 | 2 | 39 | picker 2, partner 3, called AS, cracked by 4 | \
  QC QH | [0, 2, 0, 0, 1, 2] | [0, 61, 0, 0, 25, 28] | 6 | -3 | [12, 12, -48, 0, 12, 12]
four_partner | 2752 | 0 | 5 | 0 | 38 | picker 2, partner 3, called AH, cracked by 0 | \
  KS JD 8D 9D | [1, 2, 2, 2] | [15, 22, 44, 33] | 83 | 1 | [-2, -2, 2, 2]
four_jd_spades | 2883 | 0 | 2 | 0 | 32 | leaster, winner 3 | \
  - | [3, 2, 0, 2] | [67, 37, 0, 16] | - | - | [-1, -1, -1, 3]
"""


def rows() -> list[list[str]]:
    """Cells of every row."""
    return [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]


def deck(a: int) -> list[int]:
    """Return the deck of a row: cards in the order of a cube modulo 10007."""
    return sorted(range(32), key=lambda card: (card + a) ** 3 % 10007)


def numbers(cell: str) -> list[int]:
    """Return the numbers of a list such as `[1, -1]`."""
    return [int(word) for word in cell.strip("[]").split(",")]


def check_outcome(deal: ReferenceDeal, outcome: str) -> None:
    """Compare a finished deal with the words of its row."""
    words = outcome.replace(",", "").split()
    if words[0] == "void":
        assert not deal.record
    elif words[0] == "leaster":
        winner = reference.leaster_winner(deal.card_points(), deal.tricks_won())
        assert str(winner) == words[2]
    else:
        assert deal.picker == int(words[1])
        assert deal.partner() == (int(words[3]) if words[2] == "partner" else None)
        after = dict(zip(words, words[1:], strict=False))
        assert deal.called == (card(after["called"]) if "called" in after else None)
        assert deal.unknown == (card(after["unknown"]) if "unknown" in after else None)
        assert deal.cracker == (int(after["by"]) if "by" in after else None)
        assert deal.recracked == ("recrack" in words)
