"""Reader of HDF5 files of records, which may be foreign, damaged or hostile; format: see `hdf5`."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jaxcards.errors import UserError, quote
from jaxcards.records.arrays import DealArrays, from_arrays
from jaxcards.records.hdf5 import FORMAT, FORMAT_NAME, NO_MATCH, ROWS, SAID, columns
from jaxcards.records.hdf5_disk import library
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
from jaxcards.records.lines import json_object, notes_of
from jaxcards.records.record import DealRecord, MatchRecord, game_of, id_and_rules

if TYPE_CHECKING:
    from jaxcards.game import Game

_FINISHED = 1 << 7  # in the word of the winners, beside a bit for each of them

_Row = tuple[int, "DealRecord | UserError | None"]
"""The number of a row, and its deal or the reason why it has none."""


def read(path: str | Path) -> Iterator[Item]:
    """Yield the records of a file, group by group; memory stays bounded.

    Raises:
      UserError: if the file is not an HDF5 file of records, or its essential parts are damaged.
    """
    with open_file(path) as file:
        version, names = _contents(file)
        for name in names:
            try:
                yield from _group_items(hard(file, name, library().Group), name, version)
            except DAMAGE as error:
                yield Refused(f"group {name}", one_line(error))


def _contents(file: Any) -> tuple[str, list[str]]:
    """Return the version of jaxcards that wrote a file, and the names of its groups."""
    try:
        name, number = text(file, "format"), file.attrs.get("format_version")
        version, groups = text(file, "jaxcards_version"), len(file)
        # Count the groups before they are listed: a hostile file may have any number.
        names = sorted(file) if groups <= MOST_GROUPS else []
    except DAMAGE as error:
        raise UserError(one_line(error)) from None
    if name != FORMAT_NAME:
        raise UserError(f"is not a file of records: its attribute format is not {FORMAT_NAME!r}")
    if not isinstance(number, np.integer) or not 1 <= number <= FORMAT:
        raise UserError(
            f"its format_version is {quote(number)}; this version reads those up to {FORMAT}"
        )
    if groups > MOST_GROUPS:
        raise UserError(f"has {groups} groups, but at most {MOST_GROUPS} are read")
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
    """Read the deals of a group, some rows at a time, and assemble matches."""

    game: "Game"
    name: str
    version: str
    common: Mapping[str, Any] | None
    data: Mapping[str, Any]
    said: Any

    def items(self, number: int) -> Iterator[Item]:
        """Yield the records of all rows. Every row is in a record, or refused."""
        # pending: the rows of a match so far; match: its number; ended: the word of its winners or 0.
        pending: list[_Row] = []
        match, ended = NO_MATCH, 0
        for first in range(0, number, ROWS):
            rows = slice(first, min(first + ROWS, number))
            try:
                deals, matches, winners = self._deals(rows)
            except DAMAGE as error:
                # The rows of a damaged chunk are refused, and so is the match that they interrupt.
                if pending:
                    yield self._refused(pending, "the rest of the match cannot be read")
                for row in range(rows.start, rows.stop):
                    yield self._refused([(row, None)], one_line(error))
                pending, match = [], NO_MATCH
                continue
            for row, deal in enumerate(deals, start=first):
                found, word = int(matches[row - first]), int(winners[row - first])
                # A new number, or a row after the winners, ends the match.
                if pending and (found != match or ended):
                    yield self._match(pending, ended)
                    pending, ended = [], 0
                if found == NO_MATCH:
                    yield self._single(row, deal, word)
                    continue
                # This bounds the memory, even if a hostile file gives all rows the same number.
                if len(pending) >= self.game.max_match_deals:
                    yield self._refused(pending, "a match is longer than any can be")
                    pending = []
                match, ended = found, word
                pending.append((row, deal))
        if pending:
            yield self._match(pending, ended)

    def _single(self, row: int, deal: "DealRecord | UserError", word: int) -> Item:
        """Return the item of a single deal."""
        if isinstance(deal, UserError):
            return self._refused([(row, deal)], str(deal))
        if word:
            return self._refused([(row, deal)], f"winners is {word}, but the deal has no match")
        return Read(f"group {self.name}, deal {row}", deal)

    def _match(self, rows: "Sequence[_Row]", word: int) -> Item:
        """Return the item of a match, from its deals and the word of its winners."""
        deals = []
        for _, deal in rows:
            if not isinstance(deal, DealRecord):
                return self._refused(rows, str(deal))
            deals.append(deal)
        players = range(self.game.num_players)
        # A word has bit 7, and otherwise only bits of players.
        if word and not (word & _FINISHED and word ^ _FINISHED < 1 << len(players)):
            return self._refused(rows, f"winners is {word}, which names none")
        winners = tuple(player for player in players if word >> player & 1) if word else None
        return Read(self._place(rows), MatchRecord(tuple(deals), winners))

    def _refused(self, rows: "Sequence[_Row]", reason: str) -> Refused:
        return Refused(self._place(rows), reason)

    def _place(self, rows: "Sequence[_Row]") -> str:
        first, last = rows[0][0], rows[-1][0]
        return f"group {self.name}, " + (
            f"deal {first}" if first == last else f"deals {first} to {last}"
        )

    def _deals(self, rows: slice) -> tuple[list[DealRecord | UserError], np.ndarray, np.ndarray]:
        """Return the deal of each row, or why the row has none; the numbers of matches; winners."""
        found = {name: np.asarray(dataset[rows]) for name, dataset in self.data.items()}
        facts = {n.partition("/")[2]: value for n, value in found.items() if n.startswith("facts/")}
        arrays = DealArrays(found["deck"], found["dealer"], facts, found["actions"], found["points"])
        id, rules = id_and_rules(self.game)
        deals: list[DealRecord | UserError] = []
        texts = self._texts(rows, found["said_end"])
        read = from_arrays(id, rules, arrays, version=self.version)
        for row, deal, said in zip(range(rows.start, rows.stop), read, texts, strict=True):
            try:
                deals.append(dataclasses.replace(deal, **self._said(row, said)))
            except DAMAGE as error:
                deals.append(UserError(one_line(error)))
        return deals, found["match"], found["winners"]

    def _texts(self, rows: slice, ends: np.ndarray) -> list[bytes]:
        # The texts of these rows begin where that of the row before ends.
        first = int(self.data["said_end"][rows.start - 1]) if rows.start else 0
        bounds = [first, *ends.tolist()]
        sizes = np.diff(bounds)
        # Check the bounds before reading: a hostile file may name any.
        if first < 0 or bounds[-1] > len(self.said) or sizes.min() < 0 or sizes.sum() > 16 * MOST_TEXT:
            raise UserError("said_end must ascend, within the data set said")
        whole = np.asarray(self.said[bounds[0] : bounds[-1]]).tobytes()
        return [whole[a - first : b - first] for a, b in zip(bounds[:-1], bounds[1:], strict=True)]

    def _said(self, row: int, text: bytes) -> dict[str, Any]:
        """Return attributes of a record, from those of a deal or of all."""
        if not text and self.common is None:
            return {}
        # The attributes of all deals come first, then those of this deal, which win.
        said = dict(self.common or {})
        if self.common is not None:
            said["source"] = dict(said.get("source", {})) | {"deal": row}
        said |= json_object(text.decode("utf-8")) if text else {}
        for name, value in said.items():
            if name not in SAID:
                raise UserError(f"deal {row}: {quote(name)} is not one of {', '.join(SAID)}")
            if not isinstance(
                value, dict if name in ("notes", "source") else str if name == "version" else list
            ):
                raise UserError(f"deal {row}: {name} is of the wrong type: {quote(value)}")
        if "notes" in said:
            said["notes"] = notes_of(said["notes"])
        return {name: tuple(part) if isinstance(part, list) else part for name, part in said.items()}
