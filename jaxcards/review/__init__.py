"""Reviews of recorded deals: what a player and its search would have done, and what each move cost.

    values      what every legal action of every decision is worth, in one compiled program
    review      a deal or a match, move by move, as plain values
    text        a review as lines for a terminal
    page        a review as one HTML page

docs/review.md describes them. `review` is a pure function of a record, so that a table in a browser
or a notebook can use it as the command line does.
"""

from jaxcards.review.page import to_html
from jaxcards.review.review import DealReview, Move, Option, Reviewer, Tally, review
from jaxcards.review.text import to_text

__all__ = ["DealReview", "Move", "Option", "Reviewer", "Tally", "review", "to_html", "to_text"]
