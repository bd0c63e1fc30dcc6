"""The tables of README.md and docs/, which benchmarks/readme.py puts into their pages."""

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    first, *others = ("| " + " | ".join(map(str, line)) + " |" for line in (head, *rows))
    return "\n".join([first, "|" + "---|" * len(head), *others])
