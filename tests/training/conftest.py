"""One finished run of the command line, which many tests look at."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import quick

ROOT = Path(__file__).parents[2]

# Those that this process may use: a container or `taskset` may leave it fewer than there are.
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

# The smallest run that has every part: 40 updates in 20 calls.
SETTINGS = [
    *("--updates", "40", "--updates-per-dispatch", "2", "--deals-per-update", "64"),
    *("--minibatches", "2", "--hidden", "16", "--critic-hidden", "16"),
    *("--evaluation-deals", "8", "--devices", "2" if CORES > 1 else "1", "--no-symmetric"),
]


@pytest.fixture(scope="session")
def command(tmp_path_factory):
    """Start `jaxcards` in a separate process; all of them share a compilation cache."""
    folder = tmp_path_factory.mktemp("train")
    cache = tmp_path_factory.mktemp("cache")

    def start(*arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "jaxcards", *arguments],
            cwd=folder,
            env=quick.environment(
                PYTHONPATH=str(ROOT),
                JAX_COMPILATION_CACHE_DIR=str(cache),
                JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0.2",
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    start.folder = folder
    return start


@pytest.fixture(scope="session")
def finished(command):
    """Return the folder of an uninterrupted run, and its output."""
    process = command("train", "jass", "--out", "whole", "--no-evaluate", *SETTINGS)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return command.folder / "whole", out, err
