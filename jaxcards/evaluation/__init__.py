"""Compares players: duplicate deals, every seating, confidence intervals.

`evaluate` compares players; `simulate` counts what happens in many deals. Results are plain
dataclasses that can be written as JSON, printed as tables and drawn.
"""

from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.simulation import simulate

__all__ = ["evaluate", "simulate"]
