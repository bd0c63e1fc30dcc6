"""Tests that share what they compile run in one process, however many there are."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("tests/cards/test_text.py", "tests/test_registry.py", "tests/test_settings.py")


@pytest.mark.slow
def test_the_tests_of_a_file_run_in_one_process():
    command = [sys.executable, "-m", "pytest", "-v", "-n", "2", "-p", "no:cacheprovider", *FILES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    workers, number = defaultdict(set), 0
    for worker, file in re.findall(r"^\[(gw\d)\] .*PASSED (.*?)::", done.stdout, re.M):
        workers[file].add(worker)
        number += 1
    assert set(workers) == set(FILES) and number > len(FILES)
    assert {len(found) for found in workers.values()} == {1}
    assert len(set.union(*workers.values())) == 2
