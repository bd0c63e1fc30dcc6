"""The prediction quality of imitation on held-out games: a table, and a file."""

import dataclasses
import json
from typing import Any

from jaxcards.agents.learners.imitation import measures
from jaxcards.agents.learners.imitation.learner import HeldOutSums
from jaxcards.files import write_text
from jaxcards.tables import align
from jaxcards.training.feeding import FedLearner
from jaxcards.training.folder import RunFolder


def write_held_out(folder: RunFolder, learner: FedLearner, state: object) -> str:
    """Measure a policy on all held-out data, write held_out.json, and return a table."""
    held = learner.held_out(state)
    by_kind = {kind: measures.figures(getattr(held, kind)) for kind in ("calls", "cards")}
    times = held.times and measures.time_figures(held.times)
    found: dict[str, Any] = {kind: dataclasses.asdict(own) for kind, own in by_kind.items()}
    found["times"] = dataclasses.asdict(times) if times else None
    write_text(folder.held_out, json.dumps({"data": learner.feed.about} | found, indent=2) + "\n")
    return to_text(held)


def to_text(held: HeldOutSums) -> str:
    """Return a table of sums over held-out decisions."""
    rows = [["held out", "decisions", "accuracy", "by chance", "cross-entropy", "calibration error"]]
    for kind in ("calls", "cards"):
        own = measures.figures(getattr(held, kind))
        if own.decisions:
            shares = [f"{100 * share:.1f} %" for share in (own.accuracy, own.by_chance)]
            error = f"{100 * own.calibration_error:.1f} %"
            rows.append([kind, f"{own.decisions:,}", *shares, f"{own.cross_entropy:.4f}", error])
    lines = align(rows)
    if held.times and (times := measures.time_figures(held.times)):
        lines.append(
            f"seconds before {times.rows:,} moves: {times.seconds_error:.2f} off on average; the error "
            f"of log(1 + seconds) is {times.log_error:.3f} (root mean square), and its spread "
            f"{times.log_spread:.3f}"
        )
    return "\n".join(lines)
