"""The contract between a game and its callers.

`members` lists the methods of a new game. `calls` checks the arguments of every method: `Contract`
wraps the methods of a subclass in these checks.
"""

from jaxcards.contract.members import Contract, Hints, ObservationT, RulesT, StateT, all_distinct

__all__ = ["Contract", "Hints", "ObservationT", "RulesT", "StateT", "all_distinct"]
