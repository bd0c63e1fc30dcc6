"""Settings for every test: two CPU devices, and groups of tests that share a process."""

import ctypes
import gc
import importlib.util
import os
import sys
from collections import Counter
from pathlib import Path, PurePosixPath

import jax
import pytest

from jaxcards import registry
from jaxcards.testing.deals import QUICK

# So that what is shared among devices is tested on any machine.
jax.config.update("jax_num_cpu_devices", 2)
# Lowering an operation looks up the lines that led to it, which no test reads.
jax.config.update("jax_traceback_in_locations_limit", 0)

# Tracing makes millions of small objects that live on: looking for garbage among them took a seventh
# of the time.
gc.set_threshold(100_000, 50, 50)


EXAMPLES = Path(__file__).parents[1] / "examples"


def registered(name, game):
    """Yield the module of an example game, registered until the generator ends."""
    registry.GAMES.pop(game, None)
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    registry.GAMES.pop(game, None)
    sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def hearts():
    """Return the module of examples/hearts.py, registered while the tests of a file run."""
    yield from registered("hearts", "plain_hearts")


@pytest.fixture(scope="module")
def spades():
    """Return the module of examples/spades.py, registered while the tests of a file run."""
    yield from registered("spades", "plain_spades")


# Tests with signals, terminals and pipes, which Windows lacks.
UNIX = [
    *("cli/test_faults.py", "play/test_terminal.py", "records/test_inputs.py", "serve/test_advice.py"),
    *("serve/test_searches.py", "training/test_devices.py", "training/test_train.py"),
]
collect_ignore = UNIX if sys.platform == "win32" else []

# Groups of tests that take longer than any other.
LONGEST = ("tests/training", *(f"tests/games/{game}" for game in ("jass", "belote", "sheepshead")))


def pytest_configure(config):
    """Compile fast, because most programs run once; the slow tests compile with default options."""
    # XLA ends the process for an unknown option; the version of the constraints knows these.
    if config.option.markexpr != "slow" and jax.__version_info__[:2] == (0, 10):
        flags = [f"--{name}={str(value).lower()}" for name, value in QUICK.items()]
        known = os.environ.get("XLA_FLAGS", "").split()
        os.environ["XLA_FLAGS"] = " ".join([*known, *(flag for flag in flags if flag not in known)])
    # Now, because a tested command that comes first would ask for devices of its own.
    jax.devices()


def group_of(nodeid: str) -> str:
    """Return the group of tests that share a process: a game, training, or else a file."""
    path = PurePosixPath(nodeid.partition("::")[0])
    if path.parts[:2] == ("tests", "games"):
        return str(PurePosixPath(*path.parts[:3]))
    if path.parts[:2] == ("tests", "training"):
        return "tests/training"
    return str(path)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    """Mark the later cases of some tests as slow, and begin with the groups that take long."""
    cases = Counter()
    for item in items:
        limit, test = item.get_closest_marker("slow_after"), item.nodeid.partition("[")[0]
        cases[test] += 1
        if limit and cases[test] > limit.args[0]:
            item.add_marker(pytest.mark.slow)
    # So that processes do not wait for a long group at the end.
    items.sort(key=lambda item: group_of(item.nodeid) not in LONGEST)


@pytest.hookimpl(optionalhook=True)  # one process needs no xdist
def pytest_xdist_make_scheduler(config, log):
    """Assign whole groups to processes, so that each variant of a game is compiled once."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)

    return ByGroup(config, log)


def too_large() -> bool:
    """Return whether this process has its share of half the memory; False unless on Linux."""
    if sys.platform != "linux":
        return False
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    resident = int(Path("/proc/self/statm").read_text().split()[1])  # in pages
    return resident > os.sysconf("SC_PHYS_PAGES") / 2 / workers


def pytest_runtest_teardown(item, nextitem):
    """Drop what is compiled after a group that left too much. Small programs serve later groups."""
    if nextitem is None or group_of(item.nodeid) == group_of(nextitem.nodeid):
        return
    if too_large():
        jax.clear_caches()
        gc.collect()
        # glibc keeps what was freed, unless it is asked to give it back.
        getattr(ctypes.CDLL(None), "malloc_trim", int)(0)
