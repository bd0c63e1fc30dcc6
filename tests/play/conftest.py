"""Drawing in a terminal needs the extra `play`."""

import pytest


def pytest_pycollect_makemodule():
    """Skip this folder without the extra, also if it is named on the command line."""
    pytest.importorskip("rich")
