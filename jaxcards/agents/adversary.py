"""Whom a learner plays against, or is measured against: a player that stays what it is."""

import dataclasses
from typing import Any

from jaxcards.agent import Agent


@dataclasses.dataclass(frozen=True)
class Adversary:
    """A player with its parameters.

    Two of the same agent are equal, whatever their parameters: learners of both share a compiled step,
    which takes the parameters from the learner's state.

    Attributes:
      agent: the player.
      params: its parameters.
    """

    agent: Agent
    params: Any = dataclasses.field(compare=False, repr=False)
