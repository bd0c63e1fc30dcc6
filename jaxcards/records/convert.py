"""Conversion of files of records to one file: records are replayed, and bad ones are set aside."""

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from jaxcards.errors import UserError
from jaxcards.files import check_input, new_folder, replacing
from jaxcards.records.formats import Writer, format_to_read, format_to_write, has_known_ending
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.record import DealRecord, Record, deals_of

TOGETHER = 1024  # deals that are replayed side by side
_REFUSED = ".refused.jsonl"
_LONGEST_TEXT = 100_000  # characters of a refused record to keep


@dataclasses.dataclass
class Counts:
    """Numbers of written and of refused records, which add up to all records read.

    Attributes:
      written: records in the new file, repaired ones included.
      deals: deals of the records written.
      repaired: records written with a repair.
      refused: records that are not in the new file.
      first: the first reason of a refusal, with its place.
    """

    written: int = 0
    deals: int = 0
    repaired: int = 0
    refused: int = 0
    first: str = ""


def refused_file(path: Path) -> Path:
    """Return the file for refused records beside a new one."""
    return path.with_name(path.name + _REFUSED)


def inputs(path: Path, pass_over: Callable[[Path], None] = lambda file: None) -> list[Path]:
    """Return the files to read: the given file, or the files of records in a folder, sorted by name.

    A file in a folder counts if its content or its suffix is that of a format.

    Args:
      path: of a file or a folder.
      pass_over: called with every other member of the folder.

    Raises:
      UserError: if the folder has no records, or a path is a pipe or a device.
    """
    if not path.is_dir():
        check_input(path)
        format_to_read(path)
        return [path]
    files = []
    for file in sorted(path.iterdir()):
        if _holds_records(file):
            files.append(file)
        else:
            pass_over(file)
    if not files:
        raise UserError(f"{path}: no file in the folder holds records")
    return files


def _holds_records(file: Path) -> bool:
    if file.is_dir() or file.name.endswith(_REFUSED):
        return False
    check_input(file)
    try:
        format_to_read(file)
    except UserError:
        # A damaged file with a known suffix counts as well, so that the conversion reports its error.
        return has_known_ending(file)
    return True


def convert(
    files: Sequence[Path],
    out: Path,
    progress: Callable[[Counts], None] = lambda counts: None,
    seed: int = 0,
) -> Counts:
    """Write the records of some files to a new one, each of them after a replay.

    Records that are malformed, or do not replay, go into `refused_file(out)`: a line of JSON each, with
    file, place, reason and text. That file exists only if records were refused. Both are written under
    temporary names and renamed, so that an error leaves no files behind.

    Args:
      files: the files to read, in this order; see `inputs`.
      out: the file to write, in the format of its suffix. It may replace a file, but not a folder.
      progress: called with the counts from time to time.
      seed: for data that a format needs and records lack; see `formats.Format`.

    Raises:
      UserError: if `out` has an unknown suffix, a file is of an unknown format, or every record failed.
    """
    wanted = format_to_write(out)
    assert wanted.write is not None
    if wanted.folder and out.exists():
        raise UserError(f"{out} exists: remove it, or name another folder")
    beside = new_folder if wanted.folder else replacing
    counts = Counts()
    # The error `_Nothing` keeps a new file without records from getting its name.
    with _Refusals.beside(out) as refused, contextlib.suppress(_Nothing), beside(out) as target:
        with wanted.write(target, seed) as writer:
            for file in files:
                for some in grouped(items_of(file)):
                    _pass_on(file, some, writer, refused, counts)
                    progress(counts)
        if not counts.written:
            raise _Nothing
    if not counts.written:
        raise UserError(f"cannot read any record: {counts.first or f'{files[0]} holds no records'}")
    return counts


class _Nothing(Exception):
    """The error for zero records to write."""


class _Refusals:
    """The file of refused records, which is created with the first one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = path.open("w", encoding="utf-8")

    @classmethod
    @contextlib.contextmanager
    def beside(cls, out: Path) -> "Iterator[_Refusals]":
        """Yield the refusals of a new file; at the end they get their final name if there are any."""
        final = refused_file(out)
        with contextlib.suppress(_Nothing), replacing(final) as temporary:
            refusals = cls(temporary)
            try:
                yield refusals
            finally:
                refusals.close()
            # An empty file of refusals is not kept.
            if not temporary.stat().st_size:
                raise _Nothing
            return
        final.unlink(missing_ok=True)  # from an earlier run

    def add(self, file: Path, item: Refused) -> None:
        """Write a refused record, and the reason."""
        line = {"file": str(file), "place": item.place, "reason": item.reason}
        line["text"] = item.text[:_LONGEST_TEXT]
        # Halves of a character cannot be written in UTF-8, and become question marks.
        text = json.dumps(line, ensure_ascii=False).encode("utf-8", "replace").decode()
        self._lines.write(text + "\n")

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def items_of(file: Path) -> Iterator[Item]:
    """Yield the items of a file. An error that ends the reading becomes an item."""
    try:
        yield from format_to_read(file).read(file)
    except UserError as error:
        yield Refused("the file", str(error))
    except OSError as error:
        yield Refused("the file", f"cannot be read: {error.strerror or error}")


def grouped(items: Iterator[Item]) -> Iterator[list[Item]]:
    """Yield items in lists of about `TOGETHER` deals."""
    some: list[Item] = []
    deals = 0
    for item in items:
        some.append(item)
        deals += len(deals_of(item.record)) if isinstance(item, Read) else 1
        if deals >= TOGETHER:
            yield some
            some, deals = [], 0
    if some:
        yield some


def _pass_on(
    file: Path, items: Sequence[Item], writer: Writer, refused: _Refusals, counts: Counts
) -> None:
    """Write the records that replay, and set the others aside."""
    from jaxcards.records.verify import problems

    read = [item for item in items if isinstance(item, Read)]
    # All records are replayed together; the reasons are found again by the item.
    found = dict(zip(map(id, read), problems([item.record for item in read]), strict=True))
    good: list[Read] = []
    for item in items:
        reason = item.reason if isinstance(item, Refused) else found[id(item)]
        if reason is None:
            assert isinstance(item, Read)
            good.append(item)
            continue
        counts.refused += 1
        counts.first = counts.first or f"{file}, {item.place}: {reason}"
        refused.add(file, Refused(item.place, reason, item.text))
    writer.write([_with_repairs(item) for item in good])
    counts.written += len(good)
    counts.deals += sum(len(deals_of(item.record)) for item in good)
    counts.repaired += sum(bool(item.repairs) for item in good)


def _with_repairs(item: Read) -> Record:
    """Return a record whose source lists its repairs."""
    record = item.record
    if not item.repairs or not isinstance(record, DealRecord):
        return record
    return dataclasses.replace(record, source={**record.source, "repaired": "; ".join(item.repairs)})
