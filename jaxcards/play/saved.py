"""A game in a file, written after every action, so that it can go on where it was left.

The file has what it takes to play the game again: rules, seed, occupants and actions. States are not in
it, so that nobody can read the cards of the others there without playing them out.
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
_FORMATS = (1, FORMAT)  # files of format 1 have no standing
_FIELDS = {
    "game": str, "rules": dict, "match": bool, "seed": int, "number": int, "seats": list,
    "actions": list, "version": str, "totals": list, "num_deals": int,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Saved:
    """What is in a file.

    Attributes:
      game: id with its preset.
      rules: single rules that differ from the preset.
      match: whether a match is played.
      seed: of cards and choices.
      number: of the deal of the seed that the actions begin with; 0 for a match.
      seats: who plays for each seat, as on the command line.
      actions: in order.
      version: of jaxcards, which other versions may not replay.
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
    """Return where games and results of this user are, by the rules of freedesktop.org (XDG)."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base, "jaxcards")


def new_file(game: str) -> Path:
    """Return a file for a new game, in a folder that this makes; its name has game and time."""
    place = folder() / "games"
    place.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return place / f"{stamp}-{os.getpid()}-{game.partition('/')[0]}.json"


def newest() -> Path:
    """Return the file of the game that was played last of those that are not finished.

    Raises:
      UserError: there is none.
    """
    files = sorted((folder() / "games").glob("*.json"), key=lambda file: file.stat().st_mtime)
    if not files:
        raise UserError(f"no game waits to be resumed in {folder() / 'games'}")
    return files[-1]


def write(path: Path, saved: Saved) -> None:
    """Write a file as a whole; see `files.replacing`."""
    values = {"format": FORMAT, **dataclasses.asdict(saved)}
    write_text(path, json.dumps(values) + "\n")


def read(path: Path) -> Saved:
    """Return the saved game of a file.

    Raises:
      UserError: there is no such file, or it is no saved game.
    """
    check_input(path)
    try:
        values = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, UnicodeDecodeError):
        raise UserError(f"{path} is no saved game: it is not JSON") from None
    if not isinstance(values, dict) or values.get("format") not in _FORMATS:
        raise UserError(f"{path} is no saved game of format 1 to {FORMAT}")
    if values["format"] == 1:
        values |= {"totals": [], "num_deals": 0}
    for name, kind in _FIELDS.items():
        if type(values.get(name)) is not kind:
            raise UserError(f"{path} is no saved game: {name} is {quote(values.get(name))}")
    for name in ("actions", "totals"):
        if not all(type(number) is int for number in values[name]):
            raise UserError(f"{path} is no saved game: {name} must be whole numbers")
    if not all(isinstance(seat, str) for seat in values["seats"]):
        raise UserError(f"{path} is no saved game: seats must be names of players")
    return Saved(**{name: values[name] for name in _FIELDS})
