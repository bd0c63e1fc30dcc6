"""Compare players: duplicate deals, every seating, confidence intervals.

`evaluate` compares players. `simulate` collects statistics of many deals. `exploitability` is the exact
gain of best responses in small games. Results are plain dataclasses; those of the first two can be
written as JSON and printed as tables.
"""

from jaxcards.evaluation.best_response import exploitability
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.histories import game_tree
from jaxcards.evaluation.simulation import simulate
from jaxcards.evaluation.small_games import endings, every_deal

__all__ = ["endings", "evaluate", "every_deal", "exploitability", "game_tree", "simulate"]
