"""The baseline in C: scalar card play of Jass, one deal after the other."""

import atexit
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

TITLE = "scalar C, card play of Jass"
PACKAGES = ()
INSTALL = "a C compiler (CC, default cc) and a processor with BMI2"
OURS = "jass/schieber_1000"
UNIT = "card_plays"
SAME = "dealing, playing and counting 36 cards by the rules of Jass"
NOT_SAME = "a random trump suit; no Weis, score or history: less than ours"

SOURCE = Path(__file__).parent.parent / "c" / "jass_cardplay.c"
FLAGS = ["-O3", "-march=native"]
CARDS = 36


def build(folder: str) -> str:
    """Compile the program into a folder; return its path. Raise `OSError` if that fails."""
    program = str(Path(folder, "jass_cardplay"))
    command = [os.environ.get("CC", "cc"), *FLAGS, "-o", program, str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{command[0]} failed: {done.stderr.strip() or done.returncode}")
    return program


def start():
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = build(folder)

    def play(seed: int, deals: int) -> dict[str, float]:
        # The program checks the points of every deal, and has its own clock.
        done = subprocess.run(
            [program, str(deals), str(seed)], check=True, capture_output=True, text=True
        )
        rate = float(done.stdout.split()[0])
        return {"seconds": deals / rate, "deals": deals, "card_plays": CARDS * deals}

    return play
