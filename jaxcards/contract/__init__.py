"""What a game and its callers owe each other. `members` lists what a new game writes.

`calls` checks the arguments of every method: `Contract` puts the checks around those of a subclass.
"""

from jaxcards.contract.members import Contract, Hints, ObservationT, RulesT, StateT

__all__ = ["Contract", "Hints", "ObservationT", "RulesT", "StateT"]
