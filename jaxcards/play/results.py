"""How people's games have ended: a line of JSON a game, and the wins among the last hundred."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jaxcards.evaluation.simulation import shares_won
from jaxcards.files import writing
from jaxcards.game import Game

SHOWN = 100


class Record(NamedTuple):
    """The last games of a kind: how many there were, and how many of them were won; a tie is shared."""

    games: int
    won: float


def won_share(game: Game, returns: Sequence[float], player: int) -> float:
    """Return what share of a finished game a player has won: 1, 0, or less than 1 where many tie."""
    return float(shares_won(game, np.asarray([returns]))[0, player])


def append(path: Path, entry: dict[str, Any]) -> None:
    """Add a line to a file, which is made if there is none.

    Args:
      path: of the file.
      entry: values of JSON; `kind` says which games are counted together, `won` is the share of a win.
    """
    line = json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%S"), **entry}) + "\n"
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(line)


def last(path: Path, kind: str, number: int = SHOWN) -> Record:
    """Return the record of the last games of a kind. Lines that cannot be read are skipped."""
    shares = []
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for line in lines:
        try:
            entry = json.loads(line)
            if entry["kind"] == kind:
                shares.append(float(entry["won"]))
        except (ValueError, KeyError, TypeError):
            continue
    kept = shares[-number:]
    return Record(len(kept), sum(kept))
