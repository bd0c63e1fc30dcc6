"""Runs the example games from the command line."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_example(name: str, line: str, folder: Path) -> str:
    """Run a command of `examples/NAME.py` in a folder, and return what it prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py"), *line.split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
