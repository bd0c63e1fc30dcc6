"""Worked examples of a rules page as parameters of tests, and who plays them."""

from collections.abc import Iterable, Sequence

import pytest

both = pytest.mark.parametrize("backend", ["reference", "engine"])


def table(rows: Iterable[Sequence]) -> pytest.MarkDecorator:
    """Parametrize a test by the rows of a table; the first column is the id."""
    return pytest.mark.parametrize("row", [pytest.param(row, id=row[0]) for row in rows])
