"""The examples of the doors run as they stand, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("with_*.py"))


def test_there_is_one_for_each_door():
    names = {file.stem.removeprefix("with_") for file in EXAMPLES}
    assert names == {"pgx", "pettingzoo", "openspiel", "gymnasium", "gymnax", "jaxmarl"}
    assert all(len(file.read_text().splitlines()) <= 35 for file in EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_runs(file):
    name = file.stem.removeprefix("with_")
    pytest.importorskip({"openspiel": "pyspiel"}.get(name, name))
    done = subprocess.run(
        [sys.executable, file],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
