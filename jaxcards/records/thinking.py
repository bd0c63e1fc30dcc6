"""Plausible thinking times for deals without measured times.

A time is log-normal, as those of people: most decisions are quick, a few take long. Its median grows
with the number of legal actions and with the entropy of the choice, if known; a forced move is quick.
"""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np


@dataclasses.dataclass(frozen=True)
class Thinking:
    """Parameters of the thinking times.

    Attributes:
      forced: median seconds of a forced move.
      choice: median seconds of a clear choice between two actions.
      of_actions: growth of the logarithm of the median with that of the number of actions.
      of_entropy: growth with the entropy, in nats.
      call: factor by which a call takes longer than a card.
      spread: standard deviation of the logarithm.
      longest: upper limit in seconds.
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
          entropy: of the choice in nats; None assumes a third of the maximum.
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
          legal: the number of legal actions of each.
          calls: which decisions are calls.
          entropies: of the choices; None if unknown.
        """
        known: Sequence[float | None] = [None] * len(legal) if entropies is None else entropies
        medians = [self.median(*one) for one in zip(legal, known, calls, strict=True)]
        # A log-normal factor with median 1.
        factors = np.exp(self.spread * generator.standard_normal(len(medians)))
        return [min(time, self.longest) for time in (np.array(medians) * factors).tolist()]
