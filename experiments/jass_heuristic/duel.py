"""Compares the Jass heuristic with the one of another checkout on duplicate deals.

    mkdir /tmp/before && git archive 7b8c915 | tar -x -C /tmp/before
    python experiments/jass_heuristic/duel.py /tmp/before 2000

`results.txt` has the output.
"""

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import jaxcards
from jaxcards.agents.heuristics.jass.player import JassHeuristicAgent

sys.path.append(str(Path(__file__).parents[1]))

from common.measuring import compare

PACKAGE = "jaxcards.agents.heuristics.jass"


def player_of(checkout: Path) -> type[Any]:
    """Returns the player of a checkout; what it imports from outside its folder is of this one."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(checkout / PACKAGE.replace(".", "/"), folder / "jass_before")
    for file in (folder / "jass_before").glob("*.py"):
        file.write_text(file.read_text().replace(PACKAGE, "jass_before"))
    sys.path.append(str(folder))
    return importlib.import_module("jass_before.player").JassHeuristicAgent


def main(checkout: str, deals: int) -> None:
    before = player_of(Path(checkout))
    for preset in ("schieber_1000", "tournament", "slalom", "differenzler"):
        game = jaxcards.make(f"jass/{preset}")
        players = JassHeuristicAgent(game.rules), before(game.rules)
        compare("new less old", game, *players, deals, "points per deal")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
