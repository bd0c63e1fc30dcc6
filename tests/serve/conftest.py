"""The server needs the extra `web`, its tests httpx besides."""

import hashlib
import itertools

import pytest

NUMBERS = [itertools.count()]


def pytest_pycollect_makemodule():
    """Skip this folder without the extra, also if it is named on the command line."""
    pytest.importorskip("fastapi")
    pytest.importorskip("httpx")


@pytest.fixture(autouse=True, scope="package")
def known_cards():
    """Give the tables of a test the same cards each time, and each table its own."""
    from jaxcards.serve import tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "new_key", lambda: hashlib.md5(b"%d" % next(NUMBERS[0])).digest())
        yield


@pytest.fixture(autouse=True)
def from_the_first():
    NUMBERS[0] = itertools.count()


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """Return a server whose players move at once, for all tests that do not change how it runs."""
    from serve.running import Running, quick_settings

    file = tmp_path_factory.mktemp("serve") / "tables.sqlite"
    with Running(quick_settings(file)) as running:
        yield running
