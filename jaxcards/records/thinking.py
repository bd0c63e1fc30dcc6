"""Plausible thinking times for deals that nobody has timed.

A time is log-normal: most decisions are quick, a few take long, as those of people do. Its median grows
with the number of legal actions and with the entropy of the choice, where somebody knows it; a forced
move is quick.
"""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np


@dataclasses.dataclass(frozen=True)
class Thinking:
    """How long players think.

    Attributes:
      forced: median seconds of a move without a choice.
      choice: median seconds of a choice between two actions of which one is clear.
      of_actions: how much the logarithm of the median grows with that of the number of actions.
      of_entropy: how much it grows with the entropy, in nats.
      call: by what factor a call takes longer than a card.
      spread: standard deviation of the logarithm.
      longest: seconds; nobody waits for longer.
    """

    forced: float = 0.8
    choice: float = 1.6
    of_actions: float = 0.35
    of_entropy: float = 0.6
    call: float = 2.5
    spread: float = 0.55
    longest: float = 60.0

    def median(self, legal: int, entropy: float | None = None, call: bool = False) -> float:
        """Return the median time of a decision in seconds.

        Args:
          legal: the number of legal actions, at least 1.
          entropy: of the choice in nats; None takes a third of what it can be at most.
          call: whether it is a call.
        """
        if legal < 2:
            return self.forced
        known = math.log(legal) / 3 if entropy is None else entropy
        more = self.of_actions * math.log(legal / 2) + self.of_entropy * known
        return self.choice * (self.call if call else 1.0) * math.exp(more)

    def draw(
        self,
        generator: np.random.Generator,
        legal: Sequence[int],
        calls: Sequence[bool],
        entropies: Sequence[float] | None = None,
    ) -> list[float]:
        """Return a time in seconds for each decision of a deal.

        Args:
          generator: of random numbers.
          legal: how many actions were legal.
          calls: which decisions are calls.
          entropies: of the choices; None if nobody knows them.
        """
        known: Sequence[float | None] = [None] * len(legal) if entropies is None else entropies
        medians = [self.median(*one) for one in zip(legal, known, calls, strict=True)]
        factors = np.exp(self.spread * generator.standard_normal(len(medians)))
        return [min(time, self.longest) for time in (np.array(medians) * factors).tolist()]
