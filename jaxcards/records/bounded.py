"""Safe reading of files with any content, shared by all readers of records."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from jaxcards.errors import UserError

LONGEST_LINE = 1 << 24
"""Size limit in bytes of a line, or of a file that is read whole; longer ones are refused unread."""

H5PY_ERRORS = (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError)
"""The exceptions of h5py for a damaged file."""


def bounded_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines of a file with their numbers, from 1 on; None for one that is too long.

    A byte order mark before the first line is left out.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if len(line) <= LONGEST_LINE:
                yield number, line
                continue
            yield number, None
            # Skip the rest of the long line.
            while line and not line.endswith(b"\n"):
                line = file.readline(LONGEST_LINE + 1)


def whole_text(path: Path) -> str:
    """Return the text of a file that is read whole.

    Raises:
      UserError: if it is too large, or is not text.
    """
    with path.open("rb") as file:
        content = file.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        raise UserError(f"is larger than {LONGEST_LINE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError("is not text in UTF-8") from None
