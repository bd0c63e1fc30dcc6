"""The results of people's games: a line of JSON a game, and the wins among the last hundred."""

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

from jaxcards.files import writing

SHOWN = 100


class Record(NamedTuple):
    """The last games of a kind: their number, and the number of wins; a tie is shared."""

    games: int
    won: float


SHARES = {"won": 1.0, "level": 0.5, "lost": 0.0}
"""`View.outcome` of a finished game -> the share of a win that it counts as."""


def append(path: Path, entry: dict[str, Any]) -> None:
    """Append a line to a file, which is created if needed.

    Args:
      path: of the file.
      entry: JSON values; games with the same `kind` are counted together, `won` is the share of a win.
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
