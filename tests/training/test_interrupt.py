"""Signals: the second one does not wait for the device."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jaxcards.training.interrupt import Interrupt

STUCK = """
import time
from jaxcards.training.interrupt import Interrupt
with Interrupt() as interrupt:
    print("ready", flush=True)
    interrupt.wait_for(lambda: time.sleep(600))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_second_signal_stops_at_once(number):
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    while "stopping with a checkpoint" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number and "stopped at once" in err


def test_what_the_work_returns_and_raises():
    interrupt = Interrupt()
    assert interrupt.wait_for(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        interrupt.wait_for(lambda: 1 // 0)
    assert interrupt.exit_status == 0
