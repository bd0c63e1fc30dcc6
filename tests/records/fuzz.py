"""Mutated files, and what reading them has to be like: records or reasons, never anything else."""

import random
import sys
import tempfile
from pathlib import Path

from jaxcards.errors import UserError
from jaxcards.records import formats
from jaxcards.records.items import Read, Refused
from jaxcards.records.lines import from_line, to_line
from jaxcards.records.record import Record

_PIECES = (
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"-1",
    b"1e999",
    b"null",
    b"true",
    b"\x00",
    b"\xff",
    b"NaN",
    b"9" * 50,
    b"\\ud800",
)


def mutated(content: bytes, rng: random.Random) -> bytes:
    """Return a file with a few random changes."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        place, size = rng.randrange(len(found) + 1), rng.choice((1, 1, 4, 40))
        kind = rng.randrange(6)
        if kind == 0 and place < len(found):
            found[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            found[place:place] = rng.choice(_PIECES)
        elif kind == 2:
            del found[place : place + size]
        elif kind == 3:
            other = rng.randrange(len(found) + 1)
            found[place:place] = found[other : other + size]
        elif kind == 4:
            found[place : place + size] = rng.randbytes(size)
        elif rng.random() < 0.2:
            del found[place:]
    return bytes(found)


def whole(record: Record) -> bool:
    """Return whether a record fits its game; if so, its line must be read back to the same record."""
    try:
        line = to_line(record)
    except UserError as error:
        assert "\n" not in str(error)
        return False
    line.encode()
    assert from_line(line) == record
    return True


def read(path: Path) -> tuple[int, int]:
    """Return the numbers of records and of reasons in a file; raise for anything else."""
    try:
        items = list(formats.format_to_read(path).read(path))
    except UserError as error:
        assert "\n" not in str(error)
        return 0, 1
    for item in items:
        if isinstance(item, Read):
            assert isinstance(whole(item.record), bool)
        else:
            assert isinstance(item, Refused) and item.reason and "\n" not in item.reason
    good = sum(isinstance(item, Read) for item in items)
    return good, len(items) - good


def run(source: Path, number: int, seed: int = 0) -> tuple[int, int]:
    """Read mutations of a file; return the sums of `read`."""
    content, good, bad = source.read_bytes(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(number):
            path = Path(folder) / f"mutated{source.name[1:]}"
            path.write_bytes(mutated(content, random.Random(f"{seed}-{n}")))
            try:
                found = read(path)
            except Exception as error:
                raise AssertionError(f"mutation {n} of {source.name} raises {error!r}") from error
            good, bad = good + found[0], bad + found[1]
    return good, bad


if __name__ == "__main__":
    # A process of its own, as a damaged HDF5 file might end it.
    print(*run(Path(sys.argv[1]), int(sys.argv[2])))
