"""Counters of a run on the host, saved with every checkpoint."""

import dataclasses
from typing import Any

from jaxcards.training.plan import Plan


@dataclasses.dataclass(frozen=True)
class Counters:
    """The progress of a run.

    Attributes:
      update: updates done.
      deals: deals played.
      decisions: turns played, forced ones included.
      seconds: since the run was started; a resumed run continues from its checkpoint's value.
      metrics_bytes: length of metrics.jsonl, to which a resumed run truncates it.
      plan: None before it is made.
      asked: the settings behind the plan; empty in checkpoints of earlier versions.
    """

    update: int = 0
    deals: int = 0
    decisions: int = 0
    seconds: float = 0.0
    metrics_bytes: int = 0
    plan: Plan | None = None
    asked: dict[str, float] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the counters as JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Counters":
        """Return counters from the result of `to_json`."""
        plan = values["plan"]
        return cls(**{**values, "plan": plan and Plan(**plan)})
