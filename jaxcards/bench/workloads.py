"""The workloads, by name. Imports no JAX: the command line is checked with it.

A workload of your own, such as another way of random play, is one more `Workload` in `WORKLOADS`;
`jaxcards bench` and the suite then know it by its name.
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
"""(game, batch, devices) -> the subject. A `UserError` says why it cannot be measured here."""


@dataclasses.dataclass(frozen=True)
class Workload:
    """One kind of work.

    Attributes:
      name: what the command line calls it.
      unit: what is counted, such as "deals".
      description: a line about it.
      build: a `Build`, or the "module:function" that is one, which is imported when it is needed.
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
        "whole deals, everyone plays any legal action",
        "jaxcards.bench.deals:random_play",
    ),
    Workload(
        "observations",
        "deals",
        "the same, and at each decision what the player may know is written to memory",
        "jaxcards.bench.deals:observations",
    ),
    Workload(
        "network",
        "deals",
        "whole deals, a fresh network of the size of `jaxcards train` chooses every action",
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
        "hidden cards resampled, at a random decision of random deals",
        "jaxcards.bench.hidden:determinization",
    ),
    Workload(
        "matches",
        "matches",
        "whole matches, everyone plays any legal action",
        "jaxcards.bench.deals:matches",
    ),
)

WORKLOADS: dict[str, Workload] = {work.name: work for work in _BUILT_IN}


def choose(names: Sequence[str]) -> list[Workload]:
    """Return the workloads of some names; "all" means every workload.

    Raises:
      UserError: an unknown name.
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
