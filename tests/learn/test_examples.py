"""The training programs of examples/ run as they stand, each in a process of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "game"), [("ppo", "jass"), ("transformer", "jass"), ("transformer", "sheepshead")]
)
def test_a_training_program_trains_and_compares(name, game):
    small = ["--game", game, "--minutes", "0.02", "--lanes", "16", "--deals", "4"]
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", *small],
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"minutes: \d+ updates, \d+ deals", done.stdout)
    assert re.search(r"^trained - heuristic +[+-]\d", done.stdout, re.MULTILINE)
