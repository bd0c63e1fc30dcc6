"""Writer of the Swisslos data: a group for each log, with a row for each card played."""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.game import Game
from jaxcards.records.hdf5 import put_text
from jaxcards.records.hdf5_disk import NewFile
from jaxcards.records.record import DealRecord, MatchRecord, Record, checked, deals_of, id_and_rules
from jaxcards.records.swisslos_deal import player_object
from jaxcards.records.swisslos_layout import NUM_INTEGERS, NUM_SEATS
from jaxcards.records.swisslos_rows import DealRows, check_rules, rows_of

ROWS = 576
"""Number of rows in a chunk: those of 16 deals."""

COLUMNS = {
    "state": ((NUM_INTEGERS,), (np.uint8,)),
    "action": ((1,), (np.uint8,)),
    "time": ((1,), (np.float32, np.float64)),
    "player_id": ((1,), (np.uint8,)),
}
"""The data sets of a group: the shape of a row, and the types; the first one is written."""

_DEALS_OF_A_LOG = 64  # single deals outside matches and logs


class LogNames:
    """The assignment of deals to logs.

    The deals of a log or of a match stay together. Single deals of the same rules and players share
    logs of 64. A log has deals of one game.
    """

    def __init__(self) -> None:
        self._alone: dict[Any, tuple[str, int]] = {}
        self._games: dict[str, Game] = {}

    def of(self, record: Record, deal: DealRecord, game: Game) -> str:
        """Return the name of the log of a deal of a record."""
        name = self._name(record, deal, game)
        # A name that another game has taken is replaced.
        if self._games.setdefault(name, game) != game:
            name = log_name(game, record)
            self._games[name] = game
        return name

    def _name(self, record: Record, deal: DealRecord, game: Game) -> str:
        log = deal.source.get("log")
        # Deals keep the log that they come from, if its name can be that of a group or a file.
        if isinstance(log, str) and re.fullmatch(r"[\w-]{1,200}", log):
            return log
        if isinstance(record, MatchRecord):
            return log_name(game, record)
        key = (game, deal.players)
        # Without an entry, the log counts as full, so that the first deal begins one.
        name, number = self._alone.get(key, ("", _DEALS_OF_A_LOG))
        if number == _DEALS_OF_A_LOG:
            name, number = log_name(game, record), 0
        self._alone[key] = (name, number + 1)
        return name


class Writer(NewFile):
    """Write records to a new file; used with `with`.

    A group is a log; see `LogNames`. It has the attribute `players`, as the format requires, and also
    `game` and `rules`, which other programs may ignore.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._names = LogNames()

    def write(self, records: Sequence[Record]) -> None:
        """Write records that replay.

        Raises:
          UserError: if the format cannot express a record.
          OSError: if the disk refuses the data.
        """
        by_game: dict[Game, list[tuple[str, DealRecord]]] = {}
        for record in records:
            game = checked(record)
            check_rules(game, "Swisslos data")
            named = [(self._names.of(record, deal, game), deal) for deal in deals_of(record)]
            by_game.setdefault(game, []).extend(named)
        for game, given in by_game.items():
            rows = rows_of(game, [deal for _, deal in given])
            with self.batch():
                self._add(game, given, rows)

    def _add(
        self, game: Game, given: Sequence[tuple[str, DealRecord]], rows: Sequence[DealRows]
    ) -> None:
        """Add deals to the groups that they name; create missing groups."""
        by_group: dict[str, list[DealRows]] = {}
        for (name, deal), own in zip(given, rows, strict=True):
            if name not in self.file:
                self._create(name, game, deal)
            by_group.setdefault(name, []).append(own)
        for name, deals in by_group.items():
            self._append(name, deals)

    def _create(self, name: str, game: Game, deal: DealRecord) -> None:
        group = self.file.create_group(name)
        id, rules = id_and_rules(game)
        names = deal.players or tuple(f"player_{seat}" for seat in range(NUM_SEATS))
        put_text(
            group, "players", json.dumps([player_object(one) for one in names], ensure_ascii=False)
        )
        put_text(group, "game", id)
        put_text(group, "rules", json.dumps(rules))
        for column, (shape, dtypes) in COLUMNS.items():
            group.create_dataset(
                column,
                shape=(0, *shape),
                maxshape=(None, *shape),
                chunks=(ROWS, *shape),
                dtype=dtypes[0],
                compression="gzip",
                compression_opts=4,
                shuffle=True,
                fletcher32=True,
            )

    def _append(self, name: str, deals: Sequence[DealRows]) -> None:
        group = self.file[name]
        columns = {
            "state": np.concatenate([rows.state for rows in deals]),
            "action": np.concatenate([rows.action for rows in deals])[:, None],
            "time": np.concatenate([rows.seconds for rows in deals])[:, None],
            "player_id": np.concatenate([rows.player for rows in deals])[:, None],
        }
        for column, values in columns.items():
            dataset = group[column]
            first = len(dataset)
            dataset.resize(first + len(values), axis=0)
            dataset[first:] = values


def log_name(game: Game, record: Record) -> str:
    """Return the name of the log of a record: "S2500_" and 32 digits that depend on its deals."""
    deals = [(deal.deck, deal.dealer, deal.actions, dict(deal.facts)) for deal in deals_of(record)]
    digits = hashlib.blake2b(str(deals).encode(), digest_size=16).hexdigest()
    return f"S{game.rules.target}_{digits}"
