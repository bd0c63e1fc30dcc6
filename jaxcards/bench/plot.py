"""The picture of a benchmark: speed over the size of a batch."""

from pathlib import Path
from typing import Any

from jaxcards.bench.workloads import WORKLOADS
from jaxcards.evaluation.picture import picture

_COLUMNS = 3


def plot(result: dict[str, Any], path: str | Path) -> None:
    """Draw a panel for each kind of work and a line for each game and number of devices.

    Args:
      result: of `measure.run`.
      path: its suffix is the format: .png, .svg or .pdf.
    """
    works = list(dict.fromkeys(figure["work"] for figure in result["figures"]))
    columns = min(_COLUMNS, len(works))
    rows = -(-len(works) // columns)
    machine = result["machine"]
    title = f"{machine['processor']}, {machine['device']}, jax {machine['jax']}"
    size = (4.5 * columns, 3.6 * rows + 0.6)
    with picture(path, size, title, rows=rows, columns=columns) as (figure, panels):
        for axes, work in zip(panels, works, strict=False):
            _panel(axes, work, [found for found in result["figures"] if found["work"] == work])
        for axes in panels[len(works) :]:
            axes.set_axis_off()
        lines = {
            label: line
            for axes in panels
            for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        figure.legend(
            lines.values(), lines.keys(), loc="outside lower center", ncols=3, fontsize="small"
        )


def _panel(axes: Any, work: str, figures: list[dict[str, Any]]) -> None:
    lines: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for figure in figures:
        lines.setdefault((figure["game"], figure["devices"]), []).append(figure)
    colors = {game: f"C{n}" for n, game in enumerate(sorted({figure["game"] for figure in figures}))}
    for (game, devices), line in lines.items():
        line = sorted(line, key=lambda figure: figure["batch"])
        median = [figure["per_second"]["median"] for figure in line]
        # matplotlib takes error bars as distances from the line.
        low = [m - figure["per_second"]["quartiles"][0] for m, figure in zip(median, line, strict=True)]
        high = [
            figure["per_second"]["quartiles"][1] - m for m, figure in zip(median, line, strict=True)
        ]
        label = f"{game}, {devices} devices" if devices > 1 else game
        style = {"color": colors[game], "marker": "o", "markersize": 3, "capsize": 2}
        dashes = "--" if devices > 1 else "-"
        batches = [figure["batch"] for figure in line]
        axes.errorbar(batches, median, yerr=[low, high], label=label, linestyle=dashes, **style)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("batch")
    axes.set_ylabel(f"{figures[0]['unit']} a second")
    axes.set_title(WORKLOADS[work].name if work in WORKLOADS else work, fontsize="medium")
    axes.grid(alpha=0.3)
