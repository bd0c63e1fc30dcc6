"""Worked examples of a rules page as parameters of tests, and tests of rules that are refused."""

from collections.abc import Callable, Iterable, Sequence

import pytest

import jaxcards
from jaxcards.errors import UserError

both = pytest.mark.parametrize("backend", ["reference", "engine"])


def rows(table: str) -> list[list[str]]:
    """Cells of each line of a table whose columns are separated by bars."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def two(cell: str) -> list[int]:
    """Two numbers, one a team."""
    return [int(n) for n in cell.split(",")]


def table(rows: Iterable[Sequence]) -> pytest.MarkDecorator:
    """Parametrize a test by the rows of a table; the first column is the id."""
    return pytest.mark.parametrize("row", [pytest.param(row, id=row[0]) for row in rows])


def refused(id: str, rules: type, wrong: Sequence[tuple[dict, str]]) -> Callable:
    """Return the test that rules are refused in one line, also by `jaxcards.make`.

    Args:
      id: of a game.
      rules: the class of its rules.
      wrong: fields and what the error says.
    """

    @pytest.mark.parametrize(("fields", "message"), wrong, ids=[str(one)[:40] for one, _ in wrong])
    def wrong_rules_are_refused(fields, message):
        with pytest.raises(UserError, match=message) as error:
            rules(**fields)
        assert "\n" not in str(error.value)
        with pytest.raises(UserError, match=message):
            jaxcards.make(id, **fields)

    return wrong_rules_are_refused
