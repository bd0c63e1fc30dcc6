"""Reads HDF5 files of records, which may be foreign, damaged or hostile: see `hdf5` for their form."""

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jaxcards.errors import UserError, quote
from jaxcards.records.arrays import DealArrays, from_arrays
from jaxcards.records.hdf5 import FORMAT, FORMAT_NAME, NO_MATCH, ROWS, SAID, columns, library
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.lines import json_object
from jaxcards.records.record import DealRecord, MatchRecord, game_of, id_and_rules

if TYPE_CHECKING:
    from jaxcards.game import Game

_MOST_GROUPS, _MOST_TEXT = 10_000, 1 << 20
_LARGEST_CHUNK = 1 << 26  # bytes; a small file can name huge ones
# What h5py raises for a damaged file, besides `UserError`, which is a `ValueError`.
_DAMAGE = (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError)


def read(path: str | Path) -> Iterator[Item]:
    """Yields the records of a file, group by group; memory stays bounded.

    Raises:
      UserError: the file is no HDF5 file of records, or is damaged where all depends on it.
    """
    h5py = library()
    try:
        file = h5py.File(path, "r", locking=False)
    except OSError as error:
        raise UserError(f"is no HDF5 file, or a damaged one: {_one_line(error)}") from None
    with file:
        version, names = _contents(file)
        for name in names:
            try:
                yield from _group_items(_hard(file, name, h5py.Group), name, version, h5py)
            except _DAMAGE as error:
                yield Refused(f"group {name}", _one_line(error))


def _one_line(error: BaseException) -> str:
    if isinstance(error, UserError):
        return str(error)
    return f"damaged: {' '.join(str(error).split())[:200]}"


def _contents(file: Any) -> tuple[str, list[str]]:
    """Returns the version of jaxcards that wrote a file, and the names of its groups."""
    try:
        name, number = _text(file, "format"), file.attrs.get("format_version")
        version, groups = _text(file, "jaxcards_version"), len(file)
        names = sorted(file) if groups <= _MOST_GROUPS else []
    except _DAMAGE as error:
        raise UserError(_one_line(error)) from None
    if name != FORMAT_NAME:
        raise UserError(f"is no file of records: its attribute format is not {FORMAT_NAME!r}")
    if not isinstance(number, np.integer) or not 1 <= number <= FORMAT:
        raise UserError(
            f"its format_version is {quote(number)}; this version reads those up to {FORMAT}"
        )
    if groups > _MOST_GROUPS:
        raise UserError(f"has {groups} groups, and at most {_MOST_GROUPS} are read")
    return version, names


def _text(holder: Any, name: str) -> str:
    """Returns an attribute that is a text of bounded length."""
    if name not in holder.attrs:
        raise UserError(f"the attribute {name} is missing")
    attribute = holder.attrs.get_id(name)
    kind = attribute.get_type()
    is_text = isinstance(kind, library().h5t.TypeStringID) and not kind.is_variable_str()
    if not is_text or attribute.shape != () or kind.get_size() > _MOST_TEXT:
        raise UserError(f"the attribute {name} is no short text of fixed length")
    value = holder.attrs[name]
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _hard(parent: Any, name: str, kind: type) -> Any:
    """Returns a member of a file, which must be in the file itself."""
    h5py = library()
    if not isinstance(parent.get(name, getlink=True), h5py.HardLink):
        raise UserError(f"{name} is a link, and links are not followed")
    found = parent[name]
    if not isinstance(found, kind):
        raise UserError(f"{name} is no {kind.__name__.lower()}")
    return found


def _group_items(group: Any, name: str, version: str, h5py: Any) -> Iterator[Item]:
    rules = json_object(_text(group, "rules"))
    game = game_of(DealRecord(_text(group, "game"), (), 0, (), rules))
    common_text = _text(group, "common")
    common = json_object(common_text) if common_text else None
    data = {column: _data_set(group, column, *kind, h5py) for column, kind in columns(game).items()}
    said = _data_set(group, "said", (), np.uint8, h5py)
    numbers = {column: len(dataset) for column, dataset in data.items()}
    if len(set(numbers.values())) != 1:
        raise UserError(f"its data sets have different lengths: {numbers}")
    reader = _Reader(game, name, version, common, data, said)
    yield from reader.items(numbers["deck"])


def _data_set(group: Any, name: str, shape: tuple[int, ...], dtype: Any, h5py: Any) -> Any:
    """Returns a data set, if its shape and type are those of the format."""
    parent = group
    *folders, last = name.split("/")
    for folder in folders:
        parent = _hard(_present(parent, folder), folder, h5py.Group)
    dataset = _hard(_present(parent, last), last, h5py.Dataset)
    if dataset.dtype != np.dtype(dtype) or dataset.ndim != 1 + len(shape) or dataset.shape[1:] != shape:
        raise UserError(
            f"{name} must be {np.dtype(dtype)}[n{''.join(f', {size}' for size in shape)}], not "
            f"{dataset.dtype}{list(dataset.shape)}"
        )
    if dataset.is_virtual or dataset.external:
        raise UserError(f"{name} lies in another file, and others are not opened")
    chunk = int(np.prod(dataset.chunks or (0,), dtype=np.float64)) * dataset.dtype.itemsize
    if chunk > _LARGEST_CHUNK:
        raise UserError(f"{name} has chunks of {chunk} bytes, and at most {_LARGEST_CHUNK} are read")
    if not _is_whole(dataset):
        raise UserError(f"{name} says it has {dataset.shape[0]} rows, and not all of them are there")
    return dataset


def _is_whole(dataset: Any) -> bool:
    """Whether all rows are in the file: HDF5 makes up what is missing, without an end."""
    if dataset.chunks is None:
        return dataset.id.get_storage_size() >= dataset.size * dataset.dtype.itemsize
    pairs = zip(dataset.shape, dataset.chunks, strict=True)
    return dataset.id.get_num_chunks() >= math.prod(-(-size // chunk) for size, chunk in pairs)


def _present(parent: Any, name: str) -> Any:
    if name not in parent:
        raise UserError(f"{name} is missing")
    return parent


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
            except _DAMAGE as error:
                place = f"group {self.name}, deals {rows.start} to {rows.stop - 1}"
                yield Refused(place, _one_line(error))
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
        if first < 0 or bounds[-1] > len(self.said) or sizes.min() < 0 or sizes.sum() > 16 * _MOST_TEXT:
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
