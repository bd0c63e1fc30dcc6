"""The rules page of a game, for tests that hold its tables against the code."""

import itertools
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("first", "second", "third", "fourth")


class Page:
    """The page docs/<game>.md."""

    def __init__(self, game: str):
        self.text = (ROOT / "docs" / f"{game}.md").read_text(encoding="utf-8")

    def table(self, head: str) -> list[list[str]]:
        """Cells of the rows of the table whose header begins so; code marks are taken off."""
        lines = self.text[self.text.index(f"\n| {head} |") + 1 :].splitlines()
        body = itertools.takewhile(lambda line: line.startswith("|"), lines[2:])
        found = [line.strip("| ").split(" | ") for line in body]
        assert found
        return [[cell.strip().strip("`") for cell in row] for row in found]

    def row_of(self, head: str, name: str) -> list[str]:
        """Return the cells after the first one of the row with a name."""
        (found,) = (row[1:] for row in self.table(head) if row[0] == name)
        return found

    def rows(self, head: str, cells: int | None = None):
        """Mark a test to be run for every row; the first `cells` are its name."""
        found = [pytest.param(row, id=" ".join(row[:cells])) for row in self.table(head)]
        return pytest.mark.parametrize("row", found)
