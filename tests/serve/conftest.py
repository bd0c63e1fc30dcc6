"""The server needs the extra `web`, its tests httpx besides."""

import hashlib
import itertools

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from jaxcards.serve import tables  # noqa: E402
from serve.running import Running, quick_settings  # noqa: E402

NUMBERS = [itertools.count()]


@pytest.fixture(autouse=True, scope="package")
def known_cards():
    """Give the tables of a test the same cards each time, and each table its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "new_key", lambda: hashlib.md5(b"%d" % next(NUMBERS[0])).digest())
        yield


@pytest.fixture(autouse=True)
def from_the_first():
    NUMBERS[0] = itertools.count()


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """Return a server whose players move at once, for all tests that do not change how it runs."""
    file = tmp_path_factory.mktemp("serve") / "tables.sqlite"
    with Running(quick_settings(file)) as running:
        yield running
