"""Atomic file writes: a reader never sees half a file, even if the writer is killed."""

import contextlib
import glob
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError, WriteError

if sys.platform != "win32":
    import fcntl


LOCK_FILE = ".lock"
"""The file of a folder that `holding` locks; it contains the process number."""


def check_input(path: Path) -> None:
    """Raise `UserError` unless a path is a file that can be read several times; pipes cannot."""
    if path.is_dir():
        raise UserError(f"{path} is a folder, not a file")
    if not path.exists():
        raise UserError(f"{path}: file not found")
    if not path.is_file():
        raise UserError(f"{path} is a pipe or a device: write its content to a file, and name the file")


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a new file beside `path` to write to; at the end it replaces `path`.

    The file name ends as `path` does, for writers that choose a format by suffix. After an error,
    `path` is unchanged and the new file is removed. A killed process leaves the hidden new file behind;
    the next writer of `path` removes it.

    Raises:
      WriteError: if the file cannot be written.
    """
    path = Path(path)
    with writing(path), _beside(path, _new_file) as temporary:
        yield temporary
        _open_to_others(temporary, 0o666)
        # Before the rename: even after a power failure, the new name leads to a whole file.
        _to_disk(temporary)
        temporary.replace(path)


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file as a whole; see `replacing`."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: str | Path, text: str) -> None:
    """Write a text in UTF-8 as a whole; see `replacing`."""
    write_bytes(path, text.encode("utf-8"))


def checksum(arrays: Any, text: str = "") -> str:
    """Return the SHA-256 checksum of the leaves of a tree of arrays, and of a text."""
    import jax
    import numpy as np

    digest = hashlib.sha256(text.encode())
    for leaf in map(np.asarray, jax.tree.leaves(arrays)):
        digest.update(f"{leaf.dtype}{leaf.shape}".encode() + leaf.tobytes())
    return digest.hexdigest()


@contextlib.contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Yield a new folder beside `path` to write into; at the end it becomes `path`, which must be new.

    After an error, the new folder is removed. See `replacing` for killed processes, and for errors.
    """
    path = Path(path)
    with writing(path), _beside(path, tempfile.mkdtemp) as temporary:
        yield temporary
        _open_to_others(temporary, 0o777)
        temporary.rename(path)


@contextlib.contextmanager
def holding(folder: str | Path) -> Iterator[None]:
    """Lock a folder, and create it if it is missing, so that no second process works in it.

    The lock ends with the process, even if the process is killed. On disks without locks, the folder is
    not locked. A folder that is empty at the end is removed, together with the parents that were
    created for it.

    Raises:
      UserError: if another process holds the folder.
    """
    folder = Path(folder)
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":  # Windows has no such locks
        yield
        return
    # Mode "a+" keeps the content: the number of a process that holds the lock.
    with open(folder / LOCK_FILE, "a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "?"
            raise UserError(
                f"{folder} is in use by process {holder}: wait for its end, or name another folder"
            ) from None
        except OSError:
            pass  # the disk does not support locks
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                (folder / LOCK_FILE).unlink()
                for path in made or [folder]:
                    path.rmdir()  # fails if the folder has files


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn system errors about a path, or about files in it or beside it, into `WriteError`."""
    try:
        yield
    except (WriteError, BrokenPipeError):
        raise
    except OSError as error:
        # An error about a file elsewhere is not one of writing this path.
        name = error.filename2 or error.filename
        folder = os.path.abspath(path.parent)
        if name is not None and not Path(os.path.abspath(os.fsdecode(name))).is_relative_to(folder):
            raise
        raise WriteError(error.errno, error.strerror or str(error), str(path)) from error


@contextlib.contextmanager
def _beside(path: Path, make: Callable[..., str]) -> Iterator[Path]:
    """Yield a new hidden file or folder beside a path, and remove it at the end if it still exists.

    The writer holds a lock on it. Files for the same path without a lock were left by killed processes,
    and are removed first.
    """
    start, end = f".{path.name}-", f".unfinished{path.suffix}"
    for found in path.parent.glob(f"{glob.escape(start)}*{glob.escape(end)}"):
        if (lock := _lock(found, wait=False)) is not None:
            _remove(found)
            os.close(lock)
    while True:
        temporary = Path(make(dir=path.parent, prefix=start, suffix=end))
        lock = _lock(temporary, wait=True)
        if temporary.exists():  # another process may have removed it before it was locked
            break
    try:
        yield temporary
    finally:
        _remove(temporary)
        if lock is not None:
            os.close(lock)


def _lock(path: Path, wait: bool) -> int | None:
    """Return a handle that holds the lock of a path; None if the lock is not available."""
    if sys.platform == "win32":  # Windows has no such locks
        return None
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BaseException as error:
        os.close(handle)
        if isinstance(error, OSError):  # held by another process, or the disk has no locks
            return None
        raise
    return handle


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _new_file(**name: Any) -> str:
    handle, found = tempfile.mkstemp(**name)
    os.close(handle)
    return found


def _to_disk(path: Path) -> None:
    """Flush a file to the disk, which may report only now that it is full."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _open_to_others(path: Path, mode: int) -> None:
    """Give a path of `tempfile`, which only its owner may read, the mode of ordinary new files."""
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(mode & ~mask)
