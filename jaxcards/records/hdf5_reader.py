"""Reads HDF5 files of records, which may be foreign, damaged or hostile: see `hdf5` for their form."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jaxcards.errors import UserError, quote
from jaxcards.records.arrays import DealArrays, from_arrays
from jaxcards.records.hdf5 import FORMAT, FORMAT_NAME, NO_MATCH, ROWS, SAID, columns, library
from jaxcards.records.hdf5_parts import (
    DAMAGE,
    MOST_GROUPS,
    MOST_TEXT,
    data_set,
    hard,
    one_line,
    open_file,
    text,
)
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.lines import json_object
from jaxcards.records.record import DealRecord, MatchRecord, game_of, id_and_rules

if TYPE_CHECKING:
    from jaxcards.game import Game


def read(path: str | Path) -> Iterator[Item]:
    """Yields the records of a file, group by group; memory stays bounded.

    Raises:
      UserError: the file is no HDF5 file of records, or is damaged where all depends on it.
    """
    with open_file(path) as file:
        version, names = _contents(file)
        for name in names:
            try:
                yield from _group_items(hard(file, name, library().Group), name, version)
            except DAMAGE as error:
                yield Refused(f"group {name}", one_line(error))


def _contents(file: Any) -> tuple[str, list[str]]:
    """Returns the version of jaxcards that wrote a file, and the names of its groups."""
    try:
        name, number = text(file, "format"), file.attrs.get("format_version")
        version, groups = text(file, "jaxcards_version"), len(file)
        names = sorted(file) if groups <= MOST_GROUPS else []
    except DAMAGE as error:
        raise UserError(one_line(error)) from None
    if name != FORMAT_NAME:
        raise UserError(f"is no file of records: its attribute format is not {FORMAT_NAME!r}")
    if not isinstance(number, np.integer) or not 1 <= number <= FORMAT:
        raise UserError(
            f"its format_version is {quote(number)}; this version reads those up to {FORMAT}"
        )
    if groups > MOST_GROUPS:
        raise UserError(f"has {groups} groups, and at most {MOST_GROUPS} are read")
    return version, names


def _group_items(group: Any, name: str, version: str) -> Iterator[Item]:
    rules = json_object(text(group, "rules"))
    game = game_of(DealRecord(text(group, "game"), (), 0, (), rules))
    common_text = text(group, "common")
    common = json_object(common_text) if common_text else None
    data = {column: data_set(group, column, *kind) for column, kind in columns(game).items()}
    said = data_set(group, "said", (), np.uint8)
    numbers = {column: len(dataset) for column, dataset in data.items()}
    if len(set(numbers.values())) != 1:
        raise UserError(f"its data sets have different lengths: {numbers}")
    reader = _Reader(game, name, version, common, data, said)
    yield from reader.items(numbers["deck"])


@dataclasses.dataclass(frozen=True)
class _Reader:
    """Reads the deals of a group, some rows at a time, and puts matches together."""

    game: "Game"
    name: str
    version: str
    common: Mapping[str, Any] | None
    data: Mapping[str, Any]
    said: Any

    def items(self, number: int) -> Iterator[Item]:
        """Yields the records of all rows."""
        pending: list[tuple[int, DealRecord]] = []
        match, ended = NO_MATCH, 0
        for first in range(0, number, ROWS):
            rows = slice(first, min(first + ROWS, number))
            try:
                deals, matches, winners = self._deals(rows)
            except DAMAGE as error:
                place = f"group {self.name}, deals {rows.start} to {rows.stop - 1}"
                yield Refused(place, one_line(error))
                pending, match = [], NO_MATCH
                continue
            for row, deal in enumerate(deals, start=first):
                found = int(matches[row - first])
                if pending and (found != match or ended):
                    yield self._match(pending, ended)
                    pending, ended = [], 0
                if found == NO_MATCH:
                    yield Read(f"group {self.name}, deal {row}", deal)
                    continue
                if len(pending) >= self.game.max_match_deals:
                    yield Refused(f"group {self.name}, deal {row}", "a match is longer than any can be")
                    pending = []
                match, ended = found, int(winners[row - first])
                pending.append((row, deal))
        if pending:
            yield self._match(pending, ended)

    def _match(self, deals: Sequence[tuple[int, DealRecord]], ended: int) -> Read:
        players = range(self.game.num_players)
        winners = tuple(player for player in players if ended >> player & 1) if ended else None
        place = f"group {self.name}, deals {deals[0][0]} to {deals[-1][0]}"
        return Read(place, MatchRecord(tuple(deal for _, deal in deals), winners))

    def _deals(self, rows: slice) -> tuple[list[DealRecord], np.ndarray, np.ndarray]:
        found = {name: np.asarray(dataset[rows]) for name, dataset in self.data.items()}
        facts = {n.partition("/")[2]: value for n, value in found.items() if n.startswith("facts/")}
        arrays = DealArrays(found["deck"], found["dealer"], facts, found["actions"], found["points"])
        id, rules = id_and_rules(self.game)
        deals = from_arrays(id, rules, arrays, version=self.version)
        texts = self._texts(rows, found["said_end"])
        more = [self._said(row, text) for row, text in enumerate(texts, start=rows.start)]
        deals = [dataclasses.replace(deal, **said) for deal, said in zip(deals, more, strict=True)]
        return deals, found["match"], found["winners"]

    def _texts(self, rows: slice, ends: np.ndarray) -> list[bytes]:
        first = int(self.data["said_end"][rows.start - 1]) if rows.start else 0
        bounds = [first, *ends.tolist()]
        sizes = np.diff(bounds)
        if first < 0 or bounds[-1] > len(self.said) or sizes.min() < 0 or sizes.sum() > 16 * MOST_TEXT:
            raise UserError("said_end must ascend, within the data set said")
        whole = np.asarray(self.said[bounds[0] : bounds[-1]]).tobytes()
        return [whole[a - first : b - first] for a, b in zip(bounds[:-1], bounds[1:], strict=True)]

    def _said(self, row: int, text: bytes) -> dict[str, Any]:
        """Returns attributes of a record, from what is said of a deal or of all."""
        if not text and self.common is None:
            return {}
        said = dict(self.common or {})
        if self.common is not None:
            said["source"] = dict(said.get("source", {})) | {"deal": row}
        said |= json_object(text.decode("utf-8")) if text else {}
        for name, value in said.items():
            if name not in SAID:
                raise UserError(f"deal {row}: {quote(name)} is none of {', '.join(SAID)}")
            if not isinstance(
                value, dict if name in ("notes", "source") else str if name == "version" else list
            ):
                raise UserError(f"deal {row}: {name} is of the wrong type: {quote(value)}")
        if "notes" in said:
            said["notes"] = {
                int(n): t for n, t in said["notes"].items() if n.isdecimal() and len(n) < 7
            }
        return {name: tuple(part) if isinstance(part, list) else part for name, part in said.items()}
