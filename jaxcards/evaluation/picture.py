"""Pictures as files: without windows or global state, written whole or not at all."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.files import replacing


@contextlib.contextmanager
def picture(
    path: str | Path,
    size: tuple[float, float],
    title: str,
    *,
    rows: int = 1,
    columns: int = 1,
    **more: Any,
) -> Iterator[tuple[Any, np.ndarray]]:
    """Create a figure to draw on, and write it at the end. Imports Matplotlib.

    Args:
      path: its suffix is the format: .png, .svg or .pdf.
      size: width and height in inches.
      title: heading of the figure.
      rows, columns: of panels.
      **more: passed to `Figure.subplots`.

    Yields:
      The Matplotlib figure and its panels, Axes[rows * columns].
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, **more).ravel()
    figure.suptitle(title, fontsize="medium")
    yield figure, panels
    # Reached only if the caller has drawn the figure without an error.
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150)
