"""The formats of files of records: detection, reading and writing.

Readers yield items and use little memory, whatever the file contains. JAX is not imported until a file
is read.
"""

import codecs
import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from jaxcards.errors import UserError, unknown
from jaxcards.records.bounded import H5PY_ERRORS, LONGEST_LINE, bounded_lines, whole_text
from jaxcards.records.hdf5_disk import library
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.record import Record

OWN_ARRAYS, SWISSLOS = "HDF5", "Swisslos data"
"""Names of the two formats in HDF5: our own, and that of the Swisslos data."""

_LOOKED_AT = 3  # groups that are inspected to detect the format
_EGN_MATCH = ".emn"
_HEAD = 4096  # bytes that are inspected to detect the format of a file


class Writer(Protocol):
    """Write records to a file, some at a time; used with `with`."""

    def write(self, records: Sequence[Record]) -> None: ...

    def __enter__(self) -> "Writer": ...

    def __exit__(self, *error: Any) -> None: ...


@dataclasses.dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes:
      name: its name for people.
      endings: suffixes of its files; the first one is the usual one.
      fits: whether a file begins like one of the format.
      folder: whether it is written as a folder of files; each of them is read by itself.
      holds: whether a file that fits is of the format, if its beginning is ambiguous.
      read: from a path to its items.
      write: from a path and a seed to a writer; None for read-only formats. The seed determines data
        that a format needs and a record lacks, such as times.
    """

    name: str
    endings: tuple[str, ...]
    fits: Callable[[bytes], bool]
    read: Callable[[Path], Iterator[Item]]
    write: Callable[[Path, int], Writer] | None
    holds: Callable[[Path], bool] = lambda path: True
    folder: bool = False


def format_to_read(path: Path) -> Format:
    """Return the format of a file, by its content.

    Raises:
      UserError: if the format is unknown.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD).removeprefix(codecs.BOM_UTF8)
    if _is_egn_match(path, head):
        raise UserError(
            f"{path}: match files of Euchre Game Notation (.emn) are not supported: save each game "
            "as an .egn file"
        )
    for found in FORMATS:
        if found.fits(head) and found.holds(path):
            return found
    by_ending = _by_ending(path)
    if by_ending is not None and by_ending.read is read_lines and head:
        return by_ending  # each line is refused with a reason
    names = ", ".join(f"{f.name} ({f.endings[0]})" for f in FORMATS)
    raise UserError(f"{path}: is not a file of records; formats are {names}")


def has_known_ending(path: Path) -> bool:
    """Return whether the name of a file has a suffix of a format, read or not."""
    return _by_ending(path) is not None or path.suffix.lower() == _EGN_MATCH


def format_to_write(path: Path) -> Format:
    """Return the format of a new file, by the suffix of its name.

    Raises:
      UserError: if no writable format has the suffix.
    """
    found = _by_ending(path)
    if found is None or found.write is None:
        endings = [ending for f in FORMATS if f.write is not None for ending in f.endings]
        raise unknown("ending of a file", path.suffix, endings, str(path))
    return found


def _by_ending(path: Path) -> Format | None:
    """Return the format of a suffix; ".swisslos.h5" is different from ".h5"."""
    name = path.name.lower()
    known = {ending: found for found in FORMATS for ending in found.endings if name.endswith(ending)}
    return known[max(known, key=len)] if known else None


# --- Lines of JSON ------------------------------------------------------------------------------


def read_lines(path: Path) -> Iterator[Item]:
    """Yield the records of a file with a record a line. Empty lines are skipped."""
    from jaxcards.records.lines import from_line

    for number, line in bounded_lines(path):
        place = f"line {number}"
        if line is None:
            yield Refused(place, f"is longer than {LONGEST_LINE} bytes")
            continue
        text = line.decode("utf-8", "replace").strip("\r\n \t")
        if not text:
            continue
        try:
            # Strictly this time: the text above is only for a refusal.
            yield Read(place, from_line(line.decode("utf-8")), text=text)
        except UnicodeDecodeError:
            yield Refused(place, "is not text in UTF-8", text)
        except UserError as error:
            yield Refused(place, str(error), text)


class LinesWriter:
    """Write a record a line."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "w", encoding="utf-8", newline="\n")

    def __enter__(self) -> "LinesWriter":
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.close()

    def write(self, records: Sequence[Record]) -> None:
        from jaxcards.records.lines import to_line

        for record in records:
            self._file.write(to_line(record) + "\n")


# --- The others ---------------------------------------------------------------------------------


def _read_hdf5(path: Path) -> Iterator[Item]:
    from jaxcards.records import hdf5_reader

    return hdf5_reader.read(path)


def _write_hdf5(path: Path, seed: int) -> Writer:
    from jaxcards.records import hdf5

    return hdf5.Writer(path)


def _read_swisslos(path: Path) -> Iterator[Item]:
    from jaxcards.records import swisslos

    return swisslos.read(path)


def _write_swisslos(path: Path, seed: int) -> Writer:
    from jaxcards.records import swisslos_writer

    return swisslos_writer.Writer(path)


def _holds_swisslos(path: Path) -> bool:
    """Return whether an HDF5 file has groups like the Swisslos data; False for a damaged file."""
    h5py = library()
    try:
        with h5py.File(path, "r", locking=False) as file:
            # Our own files name their format.
            if "format" in file.attrs:
                return False
            first = [name for name, _ in zip(file, range(_LOOKED_AT), strict=False)]
            # Links are not followed: they may lead to other files.
            own = [name for name in first if isinstance(file.get(name, getlink=True), h5py.HardLink)]
            # A group of the Swisslos data has a data set `state`.
            return any("state" in file[name] for name in own)
    except H5PY_ERRORS:
        return False


def _read_logs(path: Path) -> Iterator[Item]:
    from jaxcards.records import swisslos_logs

    return swisslos_logs.read(path)


def _write_logs(path: Path, seed: int) -> Writer:
    from jaxcards.records import swisslos_logs_writer

    return swisslos_logs_writer.Writer(path, seed)


def _is_log(head: bytes) -> bool:
    return re.match(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} ", head) is not None


def _read_egn(path: Path) -> Iterator[Item]:
    from jaxcards.records import egn

    return egn.read(whole_text(path), path.name)


def _write_egn(path: Path, seed: int) -> Writer:
    from jaxcards.records import egn_writer

    return egn_writer.Writer(path)


def _read_hslu(path: Path) -> Iterator[Item]:
    from jaxcards.records import hslu

    return hslu.read(path)


def _write_hslu(path: Path, seed: int) -> Writer:
    from jaxcards.records import hslu_writer

    return hslu_writer.Writer(path)


def _read_openspiel(path: Path) -> Iterator[Item]:
    from jaxcards.records import openspiel

    return openspiel.read(path)


def _read_pbn(path: Path) -> Iterator[Item]:
    from jaxcards.records import bridge

    return bridge.counted(bridge.read_pbn(whole_text(path), path.name))


def _write_pbn(path: Path, seed: int) -> Writer:
    from jaxcards.records import bridge_writer

    return bridge_writer.pbn(path, seed)


def _read_lin(path: Path) -> Iterator[Item]:
    from jaxcards.records import bridge

    return bridge.counted(bridge.read_lin(whole_text(path), path.name))


def _write_lin(path: Path, seed: int) -> Writer:
    from jaxcards.records import bridge_writer

    return bridge_writer.lin(path, seed)


def _read_iss(path: Path) -> Iterator[Item]:
    from jaxcards.records import iss

    return iss.read(path)


def _is_hdf5(head: bytes) -> bool:
    return head.startswith(b"\x89HDF\r\n\x1a\n")


def _is_egn(head: bytes) -> bool:
    return re.search(rb'"fileType"\s*:\s*"Euchre Game Notation"', head) is not None


def _is_egn_match(path: Path, head: bytes) -> bool:
    named = re.search(rb'"fileType"\s*:\s*"Euchre Match Notation"', head)
    return path.suffix.lower() == _EGN_MATCH or named is not None


def _is_lines(head: bytes) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and b'"record"' in first


def _is_openspiel(head: bytes) -> bool:
    return re.match(rb"# Automatically generated by OpenSpiel|\s*(euchre|oh_hell)\(", head) is not None


def _is_pbn(head: bytes) -> bool:
    # Directives, which begin with %, and blank lines may come before the first tag.
    return re.match(rb'(%[^\n]*\n|\s)*\[\w+ +"', head) is not None


def _is_lin(head: bytes) -> bool:
    # Other codes may come before the deal, md.
    return re.match(rb"\s*([a-z]{2}\|[^|]*\|\s*)*md\|", head) is not None


def _is_iss(head: bytes) -> bool:
    return re.match(rb"\s*\(?;GM\[Skat\]", head) is not None


def _is_hslu(head: bytes) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    names = (b'"rounds"', b'"jassTyp"', b'"tricks"')
    # A log entry has text before its object. Lines of our own format have `record`.
    return b"{" in first and any(name in first for name in names) and b'"record"' not in first


FORMATS: tuple[Format, ...] = (
    Format(
        OWN_ARRAYS,
        (".h5", ".hdf5"),
        _is_hdf5,
        _read_hdf5,
        _write_hdf5,
        lambda path: not _holds_swisslos(path),
    ),
    Format(SWISSLOS, (".swisslos.h5", ".swisslos.hdf5"), _is_hdf5, _read_swisslos, _write_swisslos),
    Format("Euchre Game Notation", (".egn",), _is_egn, _read_egn, _write_egn),
    Format("OpenSpiel histories", (".openspiel",), _is_openspiel, _read_openspiel, None),
    Format("logs of the International Skat Server", (".iss", ".sgf"), _is_iss, _read_iss, None),
    Format("Jass JSON", (".hslu",), _is_hslu, _read_hslu, _write_hslu),
    Format("Swisslos logs", (".logs",), _is_log, _read_logs, _write_logs, folder=True),
    Format("Portable Bridge Notation", (".pbn",), _is_pbn, _read_pbn, _write_pbn),
    Format("LIN files of Bridge", (".lin",), _is_lin, _read_lin, _write_lin),
    Format("lines of JSON", (".jsonl",), _is_lines, read_lines, lambda path, seed: LinesWriter(path)),
)
"""All formats, the one with the most reliable detection first."""
