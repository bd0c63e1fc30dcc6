"""Records in an HDF5 file: the arrays of `DealArrays`, a group for each game (docs/records.md).

The other attributes of a deal are a piece of JSON in a common array of bytes: a reader cannot bound
lists of texts in HDF5. All data have checksums.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jaxcards import __version__, registry
from jaxcards.records.arrays import DealArrays, action_dtype, to_arrays
from jaxcards.records.hdf5_disk import NewFile, library, uninterrupted
from jaxcards.records.record import (
    DealRecord,
    MatchRecord,
    Record,
    checked,
    deals_of,
    id_and_rules,
)

if TYPE_CHECKING:
    from jaxcards.game import Game

FORMAT_NAME = "jaxcards records"
FORMAT = 1
ROWS = 4096
"""Deals to read or write at a time, and in a chunk of a data set."""

PLAIN = ("deck", "dealer", "actions", "points")
"""Columns without compression, because it would take most of the time: cards hardly shrink."""

NO_MATCH = -1
SAID = ("players", "seconds", "notes", "unknown", "source", "version")


class Writer(NewFile):
    """Write records to a new HDF5 file, game by game; memory stays bounded.

    Use it with `with`. Inside, call `write`, or `write_arrays` for deals that are already arrays. Both
    raise `OSError` if the disk refuses the data.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        with uninterrupted():
            put_text(self.file, "format", FORMAT_NAME)
            self.file.attrs["format_version"] = FORMAT
            put_text(self.file, "jaxcards_version", __version__)
        self._groups: dict[tuple[Game, str], _Group] = {}

    def write(self, records: Sequence[Record]) -> None:
        """Write records, which fit their games, after those of the same game."""
        by_game: dict[Game, list[Record]] = {}
        for record in records:
            by_game.setdefault(checked(record), []).append(record)
        for game, own in by_game.items():
            deals = [deal for record in own for deal in deals_of(record)]
            arrays, said = to_arrays(game, deals), [_said(deal) for deal in deals]
            winners = [mask for record in own for mask in _winners(record)]
            with self.batch():
                group = self.group(game)
                group.append(arrays, matches=group.numbered(own), winners=winners, said=said)

    def write_arrays(self, game: "Game", arrays: DealArrays, common: Mapping[str, Any]) -> None:
        """Write deals of a game.

        Args:
          game: of single deals, one of `jaxcards.make`.
          arrays: the deals.
          common: attributes of all deals written in this way: `players` and `source`. A deal also has
            its number in the group, as `deal` of its source.
        """
        with self.batch():
            self.group(game, common).append(arrays, matches=NO_MATCH, winners=0, said=None)

    def group(self, game: "Game", common: Mapping[str, Any] | None = None) -> "_Group":
        """Return the group of a game, and of the attributes of all its deals."""
        text = "" if common is None else json.dumps(common, ensure_ascii=False, sort_keys=True)
        key = (game, text)
        if key not in self._groups:
            self._groups[key] = _Group(self.file.create_group(f"{len(self._groups):04d}"), game, text)
        return self._groups[key]


class _Group:
    """The data sets of a game, which grow."""

    def __init__(self, group: Any, game: "Game", common: str) -> None:
        id, rules = id_and_rules(game)
        texts = {"game": registry.versioned_id(id), "rules": json.dumps(rules), "common": common}
        for name, text in texts.items():
            put_text(group, name, text)
        self._group, self._matches = group, 0
        # For columns with the same row ROWS times: this row, and its chunk in the file.
        self._repeated: dict[str, tuple[bytes, bytes]] = {}
        for name, (shape, dtype) in columns(game).items():
            self._create(name, shape, dtype)
        self._create("said", (), np.uint8)

    def _create(self, name: str, shape: tuple[int, ...], dtype: Any) -> None:
        # A row of `said` is a single byte, so a chunk has many of them.
        rows = ROWS if name != "said" else 1 << 16
        # Level 1 is fast; shuffling puts bytes of equal rank side by side, which helps compression.
        smaller = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
        self._group.create_dataset(
            name,
            shape=(0, *shape),
            maxshape=(None, *shape),
            chunks=(rows, *shape),
            dtype=dtype,
            fletcher32=True,
            **({} if name in PLAIN else smaller),
        )

    def numbered(self, records: Sequence[Record]) -> list[int]:
        """Return the number of the match of each deal; -1 for single deals."""
        numbers = []
        for record in records:
            if isinstance(record, MatchRecord):
                numbers += [self._matches] * len(record.deals)
                self._matches += 1
            else:
                numbers.append(NO_MATCH)
        return numbers

    def append(
        self,
        arrays: DealArrays,
        matches: Sequence[int] | int,
        winners: Sequence[int] | int,
        said: Sequence[bytes] | None,
    ) -> None:
        """Append deals. A single int, or no texts, stands for deals that all have the same value."""
        # ends: for each deal, the end of its JSON in `said`.
        ends: Any = len(self._group["said"])
        if said is not None:
            ends += np.cumsum([len(text) for text in said], dtype=np.int64)
            self._extend("said", np.frombuffer(b"".join(said), np.uint8))
        named = {"deck": arrays.deck, "dealer": arrays.dealer, "actions": arrays.actions}
        named |= {f"facts/{name}": value for name, value in arrays.facts.items()}
        named |= {"points": arrays.points, "match": matches, "winners": winners, "said_end": ends}
        for name, rows in named.items():
            self._extend(name, np.broadcast_to(rows, len(arrays)) if isinstance(rows, int) else rows)

    def _extend(self, name: str, rows: Any) -> None:
        dataset = self._group[name]
        rows = np.asarray(rows, dataset.dtype)
        first = len(dataset)
        dataset.resize(first + len(rows), axis=0)
        # Equal rows, such as the totals of single deals, are compressed only once.
        if name not in PLAIN and len(rows) >= ROWS and (rows == rows[0]).all():
            self._repeat(name, rows, first)
        else:
            dataset[first:] = rows

    def _repeat(self, name: str, rows: np.ndarray, first: int) -> None:
        """Write equal rows after the first ones. Reuse the compressed form of an equal chunk."""
        dataset, row = self._group[name], rows[0].tobytes()
        while len(rows):
            # Up to the end of the chunk.
            size, place = min(ROWS - first % ROWS, len(rows)), (first, *(0,) * (rows.ndim - 1))
            before, chunk = self._repeated.get(name, (b"", b""))
            # A whole chunk, equal to an earlier one: copy its compressed bytes.
            if size == ROWS and before == row:
                dataset.id.write_direct_chunk(place, chunk)
            else:
                dataset[first : first + size] = rows[:size]
                if size == ROWS:
                    self._repeated[name] = row, dataset.id.read_direct_chunk(place)[1]
            first, rows = first + size, rows[size:]


def put_text(holder: Any, name: str, text: str) -> None:
    """Add an attribute that is a text of fixed length.

    Texts of variable length lie in a heap without checksums, in which HDF5 may search for ever.
    """
    content = text.encode() or b"\0"
    kind = library().string_dtype("utf-8", len(content))
    holder.attrs.create(name, np.array(content, kind), dtype=kind)


def columns(game: "Game") -> dict[str, tuple[tuple[int, ...], Any]]:
    """Return the data sets that have a row for each deal: the shape of a row, and its type."""
    facts = {
        f"facts/{name}": ((() if fact.size is None else (fact.size,)), np.int32)
        for name, fact in game.opening_facts.items()
    }
    return {
        "deck": ((game.deck.num_cards,), np.uint8),
        "dealer": ((), np.uint8),
        **facts,
        "actions": ((game.max_steps,), action_dtype(game)),
        "points": ((game.num_players,), np.int32),
        "match": ((), np.int64),
        "winners": ((), np.uint8),
        "said_end": ((), np.int64),
    }


def _winners(record: Record) -> list[int]:
    """Return a word for each deal: 0, or, for the last deal of a finished match, a bit per winner."""
    words = [0] * len(deals_of(record))
    if isinstance(record, MatchRecord) and record.winners is not None:
        # Bit 7 marks a finished match, even one without winners.
        words[-1] = 1 << 7 | sum(1 << player for player in record.winners)
    return words


def _said(deal: DealRecord) -> bytes:
    """Return the attributes of a deal besides its play, as JSON."""
    said: dict[str, Any] = {name: getattr(deal, name) for name in SAID}
    said["notes"] = {str(number): text for number, text in deal.notes.items()}
    said["source"] = dict(deal.source)
    # The file itself names the present version.
    if deal.version == __version__:
        del said["version"]
    said = {name: part for name, part in said.items() if part not in (None, (), {})}
    return json.dumps(said, ensure_ascii=False).encode() if said else b""
