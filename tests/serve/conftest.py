"""The server needs the extra `web`, its tests httpx besides."""

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from serve.running import Running, quick_settings  # noqa: E402


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """A server whose players move at once, for all tests that do not change how it runs."""
    file = tmp_path_factory.mktemp("serve") / "tables.sqlite"
    with Running(quick_settings(file)) as running:
        yield running
