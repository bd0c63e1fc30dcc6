"""What holds for every test: two CPU devices, and which tests share a process."""

from pathlib import Path

import jax
import pytest

# So that what is shared among devices is tested on any machine.
jax.config.update("jax_num_cpu_devices", 2)

GAMES = Path(__file__).parent / "games"


def pytest_collection_modifyitems(items):
    """All tests of a game run in one process, so that each of its variants is compiled once."""
    for item in items:
        inside = item.path.parent != GAMES and GAMES in item.path.parents
        group = item.path.relative_to(GAMES).parts[0] if inside else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
