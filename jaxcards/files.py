"""Writing files so that a reader never sees half of one."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jaxcards.errors import UserError


def check_input(path: Path) -> None:
    """Raise `UserError` if a path is not a file that can be read several times, as pipes cannot."""
    if path.is_dir():
        raise UserError(f"{path} is a folder, not a file")
    if not path.exists():
        raise UserError(f"{path}: there is no such file")
    if not path.is_file():
        raise UserError(f"{path} is a pipe or a device: write its content to a file, and name the file")


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Gives a new file beside `path` to write to; at the end it takes the place of `path`.

    Its name ends as `path` does, for writers that choose a format by it. After an error `path` is
    what it was, and the new file is gone.
    """
    path = Path(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _open_to_others(temporary, 0o666)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Writes a text in UTF-8; see `replacing`."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Gives a new folder beside `path` to write into; at the end it becomes `path`, which must be new.

    After an error the new folder is gone.
    """
    path = Path(path)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix))
    try:
        yield temporary
        _open_to_others(temporary, 0o777)
        temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _open_to_others(path: Path, mode: int) -> None:
    """Gives a path of `tempfile`, which only its owner may read, the mode that new ones have."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(mode & ~mask)
