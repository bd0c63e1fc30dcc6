"""The text of a benchmark's result."""

from typing import Any

from jaxcards.bench import machine
from jaxcards.tables import align

_HEAD = [
    "what",
    "batch",
    "devices",
    "a second",
    "quartiles",
    "compile",
    "HLO",
    "fusions",
    "jaxpr",
    "memory",
]


def table(result: dict[str, Any]) -> str:
    """Return every figure in a row, the omissions, the cost of the games, and the machine."""
    lines = align([_HEAD, *(_row(figure) for figure in result["figures"])])
    wrong = [
        f"WRONG: {name(figure)}: {figure['wrong']}" for figure in result["figures"] if figure["wrong"]
    ]
    left_out = [f"left out: {name(row)}: {row['why']}" for row in result["left_out"]]
    return "\n".join([*lines, *wrong, *left_out, "", *_costs(result), "", *_about(result)])


def progress(figure: dict[str, Any]) -> str:
    """Return a figure as a line by itself."""
    rate = figure["per_second"]
    devices = f" on {figure['devices']} devices" if figure["devices"] > 1 else ""
    low, high = rate["quartiles"]
    text = (
        f"{name(figure)}{devices}: {rate['median']:,.0f} {figure['unit']}/s ({low:,.0f} to {high:,.0f})"
    )
    return f"{text} WRONG: {figure['wrong']}" if figure["wrong"] else text


def name(row: dict[str, Any]) -> str:
    """Return the name of the figure."""
    return f"{row['game']} {row['work']} {row['batch']}"


def memory(size: float | None) -> str:
    """Return a number of bytes in a unit that suits it; "?" for an unknown one."""
    if size is None:
        return "?"
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.3g} {unit}"
        size /= 1024
    return f"{size:.3g} GiB"


def _row(figure: dict[str, Any]) -> list[str]:
    rate, program = figure["per_second"], figure["program"]
    low, high = rate["quartiles"]
    return [
        f"{figure['game']} {figure['work']}",
        str(figure["batch"]),
        f"core {figure['core']}" if "core" in figure else str(figure["devices"]),
        f"{rate['median']:,.0f} {figure['unit']}",
        f"{low:,.0f} to {high:,.0f}",
        f"{figure['compile_seconds']:.1f} s",
        str(program["hlo_instructions"]),
        str(program["hlo_fusions"]),
        str(figure["jaxpr_equations"]),
        memory(program["peak_bytes"]),
    ]


def _costs(result: dict[str, Any]) -> list[str]:
    lines = []
    for game, cost in result["games"].items():
        equations = ", ".join(f"{name} {n}" for name, n in cost["jaxpr_equations"].items())
        lines.append(
            f"{game}: {cost['state_bytes']} bytes of state, "
            f"{cost['observation_bytes']} of observation; equations: {equations}"
        )
    return lines


def _about(result: dict[str, Any]) -> list[str]:
    return [
        f"medians of {result['repeats']} repeats of {result['seconds_per_repeat']:g} s or more; "
        f"the process had {memory(result['process_peak_bytes'])} at most",
        *machine.to_lines(result["machine"]),
    ]
