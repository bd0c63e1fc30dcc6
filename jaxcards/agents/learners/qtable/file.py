"""The table of a run folder as an SQLite file, for the player and for any SQLite tool.

The module does not import JAX.
meta       key, value: the type of the file, the game, the version of the features, the update
states     state, name: every visited state in words
actions    action, name
cells      state, action, value, visits: a row for every visited cell
learned    a view of `cells` with the names
"""

import contextlib
import sqlite3
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxcards import registry
from jaxcards.agents.learners.qtable.layout import VERSION, Layout
from jaxcards.errors import UserError
from jaxcards.files import check_input, write_bytes

NAME = "table.sqlite"
"""File name of the table in a run folder."""

_FORMAT = "q-table of jaxcards"
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE states (state INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE actions (action INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE cells (
    state INTEGER NOT NULL REFERENCES states,
    action INTEGER NOT NULL REFERENCES actions,
    value REAL NOT NULL,
    visits INTEGER NOT NULL,
    PRIMARY KEY (state, action)
) WITHOUT ROWID;
CREATE VIEW learned AS
    SELECT states.name AS state, actions.name AS action, value, visits
    FROM cells JOIN states USING (state) JOIN actions USING (action);
"""
# SQLite keeps values of any type in any column.
_WRONG_TYPES = (
    "SELECT 1 FROM cells WHERE typeof(state) != 'integer' OR typeof(action) != 'integer' "
    "OR typeof(value) != 'real' OR typeof(visits) != 'integer'",
    "SELECT 1 FROM states WHERE typeof(name) != 'text'",
    "SELECT 1 FROM actions WHERE typeof(name) != 'text'",
)
_PATIENCE = 1.0  # seconds to wait for a lock


@dataclass(frozen=True)
class Meta:
    """The description of a table.

    Attributes:
      game: id of the game.
      features: version of the features.
      update: the number of updates of its training.
    """

    game: str
    features: int
    update: int


def write(path: Path, layout: Layout, meta: Meta, values: Any, visits: Any) -> None:
    """Write a table to a new file, which then replaces `path`: readers see all or nothing.

    Args:
      path: the file.
      layout: of the game.
      meta: the description of the table.
      values, visits: sequences, for each cell of the layout.
    """
    cells = [
        (*layout.place(cell), float(values[cell]), int(number))
        for cell, number in enumerate(visits)
        if number
    ]
    states = dict.fromkeys(state for state, *_ in cells)
    about = {"format": _FORMAT, **{name: str(value) for name, value in vars(meta).items()}}
    # Made in memory and written at once: readers never see half of a table.
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        with database:
            database.executemany("INSERT INTO meta VALUES (?, ?)", about.items())
            database.executemany(
                "INSERT INTO states VALUES (?, ?)", ((s, layout.describe(s)) for s in states)
            )
            database.executemany("INSERT INTO actions VALUES (?, ?)", enumerate(layout.actions))
            database.executemany("INSERT INTO cells VALUES (?, ?, ?, ?)", cells)
        write_bytes(path, database.serialize())


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a table for reading.

    Raises:
      UserError: if the file is missing, locked, or not a table.
    """
    check_input(path)
    # Read-only, because SQLite creates a missing file; in an address, "?" and "#" of a path are quoted.
    address = f"file:{urllib.parse.quote(str(path))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, timeout=_PATIENCE, uri=True)) as database:
            if read_meta(database) is None:
                raise UserError(f"{path} is not a table of the learner q-table")
            if any(database.execute(query).fetchone() for query in _WRONG_TYPES):
                raise UserError(f"{path} is damaged: a number or a name has the wrong type")
            yield database
    # A subclass of the next one, so it must come first.
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise UserError(
                f"{path} is locked by another program: close the file there, or read a copy of it"
            ) from None
        raise UserError(f"{path} is not a table of the learner q-table ({error})") from None
    except sqlite3.DatabaseError as error:
        raise UserError(f"{path} is not a table of the learner q-table ({error})") from None


def read_meta(database: sqlite3.Connection) -> Meta | None:
    """Return the description of a table, or None if a database has none."""
    about = dict(database.execute("SELECT key, value FROM meta"))
    try:
        if about.pop("format") != _FORMAT:
            return None
        return Meta(about["game"], int(about["features"]), int(about["update"]))
    except (KeyError, ValueError):
        return None


@dataclass(frozen=True)
class Summary:
    """A summary of a table.

    Attributes:
      meta: its description.
      states, cells: the numbers of visited states and cells.
      visits: of all cells.
    """

    meta: Meta
    states: int
    cells: int
    visits: int


@dataclass(frozen=True)
class Action:
    """An action in a state: its name, its value, its number of visits."""

    name: str
    value: float
    visits: int


@dataclass(frozen=True)
class State:
    """A state in words.

    Attributes:
      name: the values of its features.
      visits: of all its actions.
      actions: those that were tried, the best first.
    """

    name: str
    visits: int
    actions: tuple[Action, ...]


def summary(database: sqlite3.Connection) -> Summary:
    """Return the summary of a table."""
    meta = read_meta(database)
    assert meta is not None
    # Unlike SUM, TOTAL is 0 without rows.
    (counts,) = database.execute("SELECT COUNT(DISTINCT state), COUNT(*), TOTAL(visits) FROM cells")
    return Summary(meta, *map(int, counts))


def most_visited(database: sqlite3.Connection, number: int) -> list[State]:
    """Return the most visited states, in descending order."""
    states = database.execute(
        "SELECT state, name, SUM(visits) AS sum FROM cells JOIN states USING (state) "
        "GROUP BY state ORDER BY sum DESC, state LIMIT ?",
        (number,),
    ).fetchall()
    actions = (
        "SELECT name, value, visits FROM cells JOIN actions USING (action) "
        "WHERE state = ? ORDER BY value DESC, action"
    )
    return [
        State(name, visits, tuple(Action(*row) for row in database.execute(actions, (state,))))
        for state, name, visits in states
    ]


def read(path: Path, layout: Layout, game: str, rules: Any) -> tuple[list[float], list[int]]:
    """Return value and visits of each cell of a layout.

    Args:
      path: the file.
      layout: of the game to play.
      game, rules: its id and its rules.

    Raises:
      UserError: see `reading`; also if the table is of other rules, or of other features.
    """
    # The file has rows for visited cells only; all others are 0.
    values, visits = [0.0] * layout.num_cells, [0] * layout.num_cells
    with reading(path) as database:
        meta = read_meta(database)
        assert meta is not None
        # Another id of the same rules will do.
        if meta.game != game and not _has_rules(meta.game, rules):
            raise UserError(f"{path} was learned at {meta.game} and cannot play {game}")
        if meta.features != VERSION:
            raise UserError(
                f"{path} was learned with version {meta.features} of the features, and this is version "
                f"{VERSION}: train it again"
            )
        for state, action, value, number in database.execute(
            "SELECT state, action, value, visits FROM cells"
        ):
            cell = layout.cell(state, action)
            if cell is None:
                raise UserError(f"{path} has a cell that {game} has not: train it again")
            values[cell], visits[cell] = value, number
    return values, visits


def _has_rules(id: str, rules: Any) -> bool:
    """Return whether these are the rules of a saved id."""
    try:
        return bool(registry.resolve(registry.current_id(id))[1] == rules)
    except UserError:
        return False
