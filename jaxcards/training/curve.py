"""The picture of a run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxcards.evaluation.picture import picture
from jaxcards.training.metrics import read_metrics

_PREFIX, _SUFFIX = "against_", "_half_width"


def plot_curve(metrics: Path, path: Path, title: str, band: str = "") -> bool:
    """Draw the points per deal of the player, with 95 % bands, over minutes and over decisions.

    Args:
      metrics: a metrics.jsonl.
      path: its suffix is the format: .png, .svg or .pdf.
      title: above the picture.
      band: words for the legend about curve and band, if they are not of one run.

    Returns:
      False if the records have no evaluations.
    """
    records = read_metrics(metrics)
    note = f" ({band})" if band else ""
    lines = [(f"against {name}{note}", records, name) for name in opponents(records)]
    return _plot(path, title, lines)


def plot_curves(metrics: Mapping[str, Path], path: Path, title: str) -> bool:
    """Draw the points per deal more than the first opponent, with 95 % bands, of several runs.

    Args:
      metrics: a metrics.jsonl by its name in the legend.
      path, title: see `plot_curve`.
    """
    by_name = {name: read_metrics(file) for name, file in metrics.items()}
    lines = [
        (f"{name}, against {other}", records, other)
        for name, records in by_name.items()
        for other in opponents(records)[:1]
    ]
    return _plot(path, title, lines)


def _plot(path: Path, title: str, lines: Sequence[tuple[str, list[dict[str, Any]], str]]) -> bool:
    """Draw a curve for each label, records and opponent; return False without lines."""
    if not lines:
        return False
    with picture(path, (10, 4), title, columns=2, sharey=True) as (_, (left, right)):
        for axes, column, scale, unit in (
            (left, "seconds", 1 / 60, "minutes"),
            (right, "decisions", 1e-6, "million decisions"),
        ):
            axes.axhline(0, color="0.6", linewidth=1)
            for label, records, name in lines:
                _draw(axes, records, column, scale, name, label)
            axes.set_xlabel(unit)
            axes.grid(alpha=0.3)
        left.set_ylabel("points per deal more than the opponent")
        left.legend(loc="best")
    return True


def opponents(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the opponents in the records of a run."""
    # Every result has a half width, whose key contains the name of the opponent.
    keys = [key for record in records for key in record if key.endswith(_SUFFIX)]
    return [key[len(_PREFIX) : -len(_SUFFIX)] for key in dict.fromkeys(keys)]


def _draw(
    axes: Any, records: list[dict[str, Any]], column: str, scale: float, opponent: str, label: str
) -> None:
    key = _PREFIX + opponent
    points = [record for record in records if key in record]
    x = [record[column] * scale for record in points]
    low = [record[key] - record[key + _SUFFIX] for record in points]
    high = [record[key] + record[key + _SUFFIX] for record in points]
    (line,) = axes.plot(x, [r[key] for r in points], marker=".", label=label)
    axes.fill_between(x, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
