"""Reviews of recorded deals: the choices of a player and its search, and the cost of each move.

    values      the value of every legal action of every decision, in one compiled program
    review      a deal or a match, move by move, as plain values
    text        a review as lines for a terminal
    page        a review as one HTML page

docs/review.md describes them. `review` is a pure function of a record, so that a browser table, a
notebook and the command line can share it.
"""

from jaxcards.review.page import to_html
from jaxcards.review.review import DealReview, Move, Option, Reviewer, Tally, review
from jaxcards.review.text import to_text

__all__ = ["DealReview", "Move", "Option", "Reviewer", "Tally", "review", "to_html", "to_text"]
