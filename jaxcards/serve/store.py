"""Tables in SQLite: what has been told to anybody is in the file before it is told.

Kept are settings, seats, and for each deal its opening and its actions, from which everything follows.
Of tokens only hashes are kept.
"""

import dataclasses
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError
from jaxcards.serve.seating import Occupant

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, made REAL NOT NULL, used REAL NOT NULL, game TEXT NOT NULL,
    rules TEXT NOT NULL, match INTEGER NOT NULL, key BLOB NOT NULL, owner TEXT NOT NULL,
    version TEXT NOT NULL, totals TEXT NOT NULL DEFAULT '[]', num_deals INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS seats (
    "table" TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, player INTEGER NOT NULL,
    occupant TEXT NOT NULL, PRIMARY KEY ("table", player)
);
CREATE TABLE IF NOT EXISTS deals (
    "table" TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    opening TEXT NOT NULL, actions TEXT NOT NULL, points TEXT, PRIMARY KEY ("table", number)
);
CREATE TABLE IF NOT EXISTS results (
    person TEXT NOT NULL, "table" TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL,
    game TEXT NOT NULL, opponents TEXT NOT NULL, points REAL NOT NULL, won REAL NOT NULL,
    at REAL NOT NULL, PRIMARY KEY (person, "table", number, kind)
);
CREATE INDEX IF NOT EXISTS results_of_person ON results (person, at);
PRAGMA user_version = 2;
"""


_FROM_VERSION_1 = """
ALTER TABLE tables ADD COLUMN totals TEXT NOT NULL DEFAULT '[]';
ALTER TABLE tables ADD COLUMN num_deals INTEGER NOT NULL DEFAULT 0;
"""


@dataclasses.dataclass(frozen=True)
class Kept:
    """A table as it is in the file.

    Attributes:
      id: of the table.
      game: id with its preset.
      rules: single rules that differ from the preset.
      match: whether a match is played.
      key: 16 bytes, which decide all cards and all choices of players.
      owner: hash of the token of whoever opened it.
      occupants: who plays for each player.
      deals: of each deal number, opening, actions and points, these None before its end.
      totals: match totals before the first deal, of each player or side; empty for zeros.
      num_deals: deals of the match before the first deal.
    """

    id: str
    game: str
    rules: dict[str, Any]
    match: bool
    key: bytes
    owner: str
    occupants: list[Occupant]
    deals: list[tuple[int, dict[str, Any], list[int], list[int] | None]]
    totals: list[int]
    num_deals: int


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a finished deal or match was for a person; the fields are those of the table `results`."""

    person: str
    table: str
    number: int
    kind: str
    game: str
    opponents: str
    points: float
    won: float
    at: float


def hashed(token: str) -> str:
    """Return the stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    """The file of all tables."""

    def __init__(self, file: Path) -> None:
        """Open a file, or make one.

        Raises:
          UserError: it is no file of tables, or another server has it open and writes.
        """
        try:
            # Each statement commits by itself, unless BEGIN opens a transaction.
            self._file = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            # With a write-ahead log, NORMAL loses the last writes only if the machine itself goes down.
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            # Without this, SQLite ignores ON DELETE CASCADE.
            self._file.execute("PRAGMA foreign_keys = ON")
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, 1, 2):
                raise UserError(f"{file} was written by a newer jaxcards: form {version}, not 2")
            if version == 1:
                self._file.executescript(_FROM_VERSION_1)
            self._file.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise UserError(f"{file} is no file of tables: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    # ---- Tables ---------------------------------------------------------------------------------

    def add_table(self, kept: Kept, version: str) -> None:
        """Write a new table, with its seats and deals."""
        now = time.time()
        row = (
            kept.id, now, now, kept.game, json.dumps(kept.rules), kept.match, kept.key, kept.owner,
            version, json.dumps(kept.totals), kept.num_deals,
        )  # fmt: skip
        with self._file:
            self._file.execute("BEGIN")
            self._file.execute("INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
            for player, occupant in enumerate(kept.occupants):
                self._write_seat(kept.id, player, occupant)
            for number, opening, actions, _ in kept.deals:
                deal = kept.id, number, json.dumps(opening), json.dumps(actions)
                self._file.execute("INSERT INTO deals VALUES (?,?,?,?,NULL)", deal)

    def set_seat(self, table: str, player: int, occupant: Occupant) -> None:
        """Write who plays for a player."""
        self._write_seat(table, player, occupant)

    def _write_seat(self, table: str, player: int, occupant: Occupant) -> None:
        text = json.dumps(dataclasses.asdict(occupant))
        self._file.execute("INSERT OR REPLACE INTO seats VALUES (?,?,?)", (table, player, text))

    def begin_deal(self, table: str, number: int, opening: dict[str, Any]) -> None:
        """Write a deal without actions."""
        text = json.dumps(opening)
        self._file.execute("INSERT INTO deals VALUES (?,?,?,'[]',NULL)", (table, number, text))

    def set_actions(
        self, table: str, number: int, actions: list[int], points: list[int] | None
    ) -> None:
        """Write all actions of a deal so far, and its points at the end."""
        ended = None if points is None else json.dumps(points)
        change = 'UPDATE deals SET actions = ?, points = ? WHERE "table" = ? AND number = ?'
        with self._file:
            self._file.execute("BEGIN")
            self._file.execute(change, (json.dumps(actions), ended, table, number))
            self._file.execute("UPDATE tables SET used = ? WHERE id = ?", (time.time(), table))

    def table(self, id: str) -> Kept | None:
        """Return a table, or None if there is none of this id."""
        columns = "id, game, rules, match, key, owner, totals, num_deals"
        row = self._file.execute(f"SELECT {columns} FROM tables WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        ask = 'SELECT occupant FROM seats WHERE "table" = ? ORDER BY player'
        seats = [Occupant(**json.loads(text)) for (text,) in self._file.execute(ask, (id,))]
        ask = 'SELECT number, opening, actions, points FROM deals WHERE "table" = ? ORDER BY number'
        deals = [
            (number, json.loads(opening), json.loads(actions), points and json.loads(points))
            for number, opening, actions, points in self._file.execute(ask, (id,))
        ]
        return Kept(
            row[0], row[1], json.loads(row[2]), bool(row[3]), row[4], row[5], seats, deals,
            json.loads(row[6]), row[7],
        )  # fmt: skip

    def remove(self, table: str) -> None:
        """Remove a table with its seats and deals."""
        self._file.execute("DELETE FROM tables WHERE id = ?", (table,))

    def counts(self, owner: str) -> tuple[int, int]:
        """Return the number of tables, and the number that one person opened."""
        ask = "SELECT COUNT(*), COALESCE(SUM(owner = ?), 0) FROM tables"
        found = self._file.execute(ask, (owner,)).fetchone()
        return found[0], found[1]

    def remove_unused(self, before: float) -> None:
        """Remove tables that nobody has used since a time, in seconds of `time.time`."""
        self._file.execute("DELETE FROM tables WHERE used < ?", (before,))

    # ---- Results --------------------------------------------------------------------------------

    def add_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Write what deals and matches were for people; those that are known stay as they are."""
        rows = [dataclasses.astuple(outcome) for outcome in outcomes]
        self._file.executemany("INSERT OR IGNORE INTO results VALUES (?,?,?,?,?,?,?,?,?)", rows)

    def outcomes(self, person: str) -> list[Outcome]:
        """Return the outcomes of a person, the first one first."""
        ask = "SELECT * FROM results WHERE person = ? ORDER BY at"
        return [Outcome(*row) for row in self._file.execute(ask, (person,))]
