"""The picture of an evaluation."""

from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.evaluation.picture import picture
from jaxcards.evaluation.result import Evaluation

_ROW = 0.45  # inches per row
_COLORS = "RdBu"
_MANY_POINTS = 10  # from here on, one decimal is enough


def plot(result: Evaluation, path: str | Path) -> None:
    """Draw the differences of all pairs with their intervals and, for three or more players, a map.

    Args:
      result: the evaluation.
      path: its suffix is the format: .png, .svg or .pdf.
    """
    many = len(result.names) > 2
    rows = max(len(result.pairs), len(result.names) if many else 0)
    height = 1.8 + _ROW * rows
    size = (11 if many else 7, height)
    title = f"{result.game}: {result.num_deals} deals in {result.num_seatings} seatings each"
    with picture(path, size, title, columns=2 if many else 1) as (figure, panels):
        _intervals(panels[0], result)
        if many:
            _cross_table(figure, panels[1], result)


def _intervals(axes: Any, result: Evaluation) -> None:
    places = np.arange(len(result.pairs))
    means = np.array([pair.difference.mean for pair in result.pairs])
    low = np.array([pair.difference.low for pair in result.pairs])
    high = np.array([pair.difference.high for pair in result.pairs])
    axes.axvline(0, color="0.6", linewidth=1)
    axes.errorbar(means, places, xerr=(means - low, high - means), fmt="o", capsize=4)
    axes.set_yticks(places, [f"{pair.a} − {pair.b}" for pair in result.pairs])
    # The first pair is on top.
    axes.set_ylim(len(result.pairs) - 0.5, -0.5)
    axes.margins(x=0.1)
    axes.set_xlabel(f"{result.measure}, with 95 % interval")
    axes.grid(axis="x", alpha=0.3)


def _cross_table(figure: Any, axes: Any, result: Evaluation) -> None:
    table = result.cross_table()
    largest = max(float(np.abs(table).max()), 1e-9)
    # Limits of equal size, so that 0 has the neutral colour.
    image = axes.imshow(table, cmap=_COLORS, vmin=-largest, vmax=largest)
    digits = 2 if largest < _MANY_POINTS else 1
    places = np.arange(len(result.names))
    axes.set_xticks(places, result.names, rotation=30, ha="right")
    axes.set_yticks(places, result.names)
    for i, j in np.ndindex(table.shape):
        if i != j:
            # White text on dark cells.
            dark = abs(table[i, j]) > 0.6 * largest
            color = "white" if dark else "black"
            axes.text(j, i, f"{table[i, j]:+.{digits}f}", ha="center", va="center", color=color)
    figure.colorbar(image, ax=axes, label=f"{result.measure}, row less column")
