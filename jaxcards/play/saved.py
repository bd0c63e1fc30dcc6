"""A saved game, written after every action, so that it can be continued.

The file has the inputs of a replay: rules, seed, occupants and actions. It has no states, so that
reading the others' cards would take a replay.
"""

import dataclasses
import json
import os
import time
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError, quote
from jaxcards.files import check_input, write_text

FORMAT = 2
_FORMATS = (1, FORMAT)  # files of format 1 have no score
_FIELDS = {
    "game": str, "rules": dict, "match": bool, "seed": int, "number": int, "seats": list,
    "actions": list, "version": str, "totals": list, "num_deals": int,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Saved:
    """The content of a file.

    Attributes:
      game: id with its preset.
      rules: single rules that differ from the preset.
      match: whether a match is played.
      seed: of cards and choices.
      number: of the deal of the seed that the actions begin with; 0 for a match.
      seats: the player of each seat, as on the command line.
      actions: in order.
      version: of jaxcards; other versions may not replay the game.
      totals: points before the first deal, of each player or side; empty at the beginning.
      num_deals: deals of the match before the first one.
    """

    game: str
    rules: dict[str, Any]
    match: bool
    seed: int
    number: int
    seats: list[str]
    actions: list[int]
    version: str
    totals: list[int] = dataclasses.field(default_factory=list)
    num_deals: int = 0


def folder() -> Path:
    """Return the folder of this user's games and results, by the rules of freedesktop.org (XDG)."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base, "jaxcards")


def new_file(game: str) -> Path:
    """Return a file for a new game, in a folder that is created; its name has game and time."""
    place = folder() / "games"
    place.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    # The number of the process keeps games apart that begin in the same second.
    return place / f"{stamp}-{os.getpid()}-{game.partition('/')[0]}.json"


def newest() -> Path:
    """Return the file of the most recent unfinished game.

    Raises:
      UserError: if all games are finished.
    """
    files = sorted((folder() / "games").glob("*.json"), key=lambda file: file.stat().st_mtime)
    if not files:
        raise UserError(f"found no unfinished game in {folder() / 'games'}")
    return files[-1]


def write(path: Path, saved: Saved) -> None:
    """Write a file as a whole; see `files.replacing`."""
    values = {"format": FORMAT, **dataclasses.asdict(saved)}
    write_text(path, json.dumps(values) + "\n")


def read(path: Path) -> Saved:
    """Return the saved game of a file.

    Raises:
      UserError: if the file is missing, or is not a saved game.
    """
    check_input(path)
    try:
        values = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, UnicodeDecodeError):
        raise UserError(f"{path} is not a saved game: it is not JSON") from None
    if not isinstance(values, dict) or values.get("format") not in _FORMATS:
        raise UserError(f"{path} is not a saved game of format 1 to {FORMAT}")
    if values["format"] == 1:
        values |= {"totals": [], "num_deals": 0}
    for name, kind in _FIELDS.items():
        if type(values.get(name)) is not kind:
            raise UserError(f"{path} is not a saved game: {name} is {quote(values.get(name))}")
    for name in ("actions", "totals"):
        if not all(type(number) is int for number in values[name]):
            raise UserError(f"{path} is not a saved game: {name} must be whole numbers")
    if not all(isinstance(seat, str) for seat in values["seats"]):
        raise UserError(f"{path} is not a saved game: seats must be names of players")
    return Saved(**{name: values[name] for name in _FIELDS})
