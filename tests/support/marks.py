"""Cases that the fast tests leave to the slow ones."""

from collections.abc import Collection, Iterable
from importlib.util import find_spec
from typing import Any

import pytest


def by_cost(names: Iterable[str], rare: Collection[str]) -> list[Any]:
    """Return parameters of a test, the rare ones among them marked as slow."""
    names = list(names)
    assert set(rare) < set(names)
    return [pytest.param(name, marks=pytest.mark.slow) if name in rare else name for name in names]


def skip_without_engines(line: str) -> None:
    """Skip a test whose command line names a player of an engine that is not installed."""
    for engine, package in (("colver:", "colver"), ("openspiel:", "pyspiel")):
        if engine in line:
            pytest.importorskip(package)


OPEN_SPIEL = [
    pytest.mark.differential,
    pytest.mark.skipif(find_spec("pyspiel") is None, reason="the package open_spiel is not installed"),
]
"""Marks of tests against OpenSpiel."""
