"""Worked examples of the rules in docs/rikiki.md, as tables."""

from games.rikiki.reference import cards
from games.rows import rows


def numbers(cell: str) -> list[int]:
    return [int(word) for word in cell.split()]


def trump_card(cell: str, used: list[int]) -> int | None:
    """Return a card of the unused suit, to be turned up; None in rounds without trumps."""
    if cell == "none":
        return None
    return next(c for c in cards(" ".join(f"{rank}{cell}" for rank in "23456")) if c not in used)


# id | variant | k | bids so far | legal bids
BIDS = rows("""
R1  | plain      | 2 | 0 0 1       | 0 2
R2  | plain      | 2 | 2 1 0       | 0 1 2
R3a | plain      | 3 | 1 1 1       | 1 2 3
R3b | plain      | 3 | 0 0 0       | 0 1 2
R4a | plain      | 2 | 0 0         | 0 1 2
R4b | no_hook    | 2 | 0 0 1       | 0 1 2
R18a | late_hook  | 2 | 0 0 1       | 0 1 2
R18b | late_hook  | 3 | 0 0 1       | 0 1 3
R14a | standard7 | 1 | 0 0 0 0 0 0 | 0
R14b | standard7 | 1 | 0 0 1 0 0 0 | 1
R14c | standard7 | 1 | 1 0 0 0 1 0 | 0 1
""")

# id | trump | table | hand | legal
LEGAL = rows("""
R6a | S | 2H | 4H 9H AS 2C | 4H 9H
R6b | S | 2H | AS 2C 3C    | AS 2C 3C
R6c | H | 2S | 4H 9H 2C    | 4H 9H 2C
R6d | S | -  | 4H 9H AS 2C | 4H 9H AS 2C
""")

# id | trump | trick | winning place
TRICKS = rows("""
R7a | S    | 4H KH AS QH | 2
R7b | none | 4H KH AS QH | 1
R7c | none | 2C AD AH AS | 0
R7d | S    | 4H 2S 3S AH | 2
""")

# id | variant | k | bid | won | points
SCORES = rows("""
R5a  | plain              | 5 | 0 | 2 | -2
R5b  | plain              | 5 | 0 | 0 | 5
R5c  | plain              | 5 | 1 | 0 | -1
R11a | open_spiel         | 5 | 3 | 3 | 13
R11b | open_spiel         | 5 | 3 | 5 | 5
R11c | open_spiel         | 5 | 0 | 0 | 10
R11d | open_spiel_penalty | 5 | 3 | 5 | -2
R11e | standard           | 5 | 4 | 4 | 14
R11f | standard           | 5 | 4 | 3 | 0
R11g | no_trump_free_bids | 5 | 4 | 4 | 26
R11h | no_trump_free_bids | 5 | 4 | 2 | 2
R11i | square             | 5 | 3 | 5 | -4
R11j | zero_base          | 5 | 0 | 0 | 5
R11k | zero_base          | 5 | 1 | 1 | 11
R15a | fixed_loss         | 5 | 3 | 3 | 13
R15b | fixed_loss         | 5 | 3 | 1 | -12
R15c | fixed_loss         | 5 | 0 | 5 | -15
R16a | lost_bid           | 5 | 3 | 3 | 13
R16b | lost_bid           | 5 | 3 | 1 | -13
R16c | lost_bid           | 5 | 0 | 5 | -5
R17a | zero_by_cards      | 10 | 0 | 0 | 15
R17b | zero_by_cards      | 1 | 0 | 0 | 6
R17c | zero_by_cards      | 10 | 1 | 1 | 11
R17d | zero_by_cards      | 7 | 0 | 2 | -12
""")
