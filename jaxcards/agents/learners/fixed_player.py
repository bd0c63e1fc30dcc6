"""Fixed players beside a learner: its adversary, its teacher, its yardstick."""

import dataclasses
from typing import Any

from jaxcards.agent import Agent


@dataclasses.dataclass(frozen=True)
class FixedPlayer:
    """A player with its parameters.

    Two fixed players with the same agent are equal, whatever their parameters. Their learners share a
    compiled step, which takes the parameters from the learner's state.

    Attributes:
      agent: the player.
      params: its parameters.
    """

    agent: Agent
    params: Any = dataclasses.field(compare=False, repr=False)
