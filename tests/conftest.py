"""What holds for every test: two CPU devices, and which tests share a process."""

import gc
from pathlib import Path

import jax
import pytest

# So that what is shared among devices is tested on any machine.
jax.config.update("jax_num_cpu_devices", 2)

# Tracing makes millions of small objects that live on: looking for garbage among them took a seventh
# of the time.
gc.set_threshold(100_000, 50, 50)

GAMES = Path(__file__).parent / "games"


def group_of(item) -> str:
    """The game of a test, or else its file."""
    inside = item.path.parent != GAMES and GAMES in item.path.parents
    return item.path.relative_to(GAMES).parts[0] if inside else str(item.path)


def pytest_collection_modifyitems(items):
    """All tests of a game run in one process, so that each of its variants is compiled once."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item)))


def pytest_runtest_teardown(item, nextitem):
    """What one group has compiled is of no use to the next, but it would fill the memory."""
    if nextitem is not None and group_of(item) != group_of(nextitem):
        jax.clear_caches()
        gc.collect()
