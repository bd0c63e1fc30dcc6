"""The workloads, by name. Does not import JAX, so that the command line can be checked quickly.

To add your own workload, such as another way of random play, add a `Workload` to `WORKLOADS`. `jaxcards
bench` and the suite then find it by its name.
"""

import dataclasses
import pkgutil
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from jaxcards.errors import unknown

if TYPE_CHECKING:
    from jaxcards.bench.program import Subject
    from jaxcards.game import Game

Build = Callable[["Game", int, int], "Subject"]
"""(game, batch, devices) -> the subject. A `UserError` tells why it cannot be measured here."""


@dataclasses.dataclass(frozen=True)
class Workload:
    """One kind of work.

    Attributes:
      name: its name on the command line.
      unit: the unit that is counted, such as "deals".
      description: one line.
      build: a `Build`, or its "module:function", which is imported on first use.
    """

    name: str
    unit: str
    description: str
    build: "str | Build"

    def load(self) -> Build:
        """Return the function that builds it. Imports JAX."""
        if not isinstance(self.build, str):
            return self.build
        return pkgutil.resolve_name(self.build)


_BUILT_IN = (
    Workload(
        "random",
        "deals",
        "whole deals of random play",
        "jaxcards.bench.deals:random_play",
    ),
    Workload(
        "observations",
        "deals",
        "the same, and each decision's observation is written to memory",
        "jaxcards.bench.deals:observations",
    ),
    Workload(
        "network",
        "deals",
        "whole deals played by an untrained network of the size of `jaxcards train`",
        "jaxcards.bench.deals:network",
    ),
    Workload(
        "training",
        "deals",
        "updates of `jaxcards train`: play, advantages, gradient steps; a batch is one update",
        "jaxcards.bench.learning:training",
    ),
    Workload(
        "determinization",
        "samples",
        "resampling of hidden cards, at a random decision of random deals",
        "jaxcards.bench.hidden:determinization",
    ),
    Workload(
        "matches",
        "matches",
        "whole matches of random play",
        "jaxcards.bench.deals:matches",
    ),
)

WORKLOADS: dict[str, Workload] = {work.name: work for work in _BUILT_IN}


def choose(names: Sequence[str]) -> list[Workload]:
    """Return the workloads of some names; "all" means every workload.

    Raises:
      UserError: if a name is unknown.
    """
    chosen: dict[str, Workload] = {}
    for name in names:
        if name == "all":
            chosen |= WORKLOADS
        elif name in WORKLOADS:
            chosen[name] = WORKLOADS[name]
        else:
            raise unknown("work", name, [*WORKLOADS, "all"])
    return list(chosen.values())
