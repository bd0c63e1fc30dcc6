"""New HDF5 files on disks that may become full.

HDF5 cannot give up a file: if a write fails, closing the file fails as well, and the library crashes
the process at its end. `Disk` therefore lets every write of HDF5 succeed, and reports errors to its
owner.
"""

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jaxcards.errors import require


def library() -> Any:
    """Return the package h5py. Raise `UserError` if it is not installed."""
    require("records", "HDF5", "h5py")
    import h5py

    return h5py


class NewFile:
    """A new HDF5 file, open for writing; used with `with`.

    Attributes:
      file: the file of h5py. Change it only inside `batch`.
    """

    def __init__(self, path: str | Path) -> None:
        h5py = library()
        self._disk = Disk(Path(path))
        with uninterrupted():  # an error of the disk waits for `batch` or the end
            # Checksums of all metadata, since HDF5 1.10.
            self.file = h5py.File(self._disk, "w", libver=("v110", "v110"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with uninterrupted():
            self.file.close()
            self._disk.close()
        # An error of the block itself tells more than the one of the disk.
        if kind is None:
            self._disk.check()

    @contextlib.contextmanager
    def batch(self) -> Iterator[None]:
        """Let a block change the file; at its end raise `OSError` if a write failed."""
        with uninterrupted():
            yield
        self._disk.check()


class Disk:
    """A file to which HDF5 writes through its driver for Python files.

    After the first error, writes go to memory. Their number is bounded if the owner calls `check`
    after each batch.
    """

    def __init__(self, path: Path) -> None:
        self._file = open(path, "w+b", buffering=0)
        self._place = 0
        self._error: OSError | None = None
        self._unwritten: list[tuple[int, bytes]] = []

    def check(self) -> None:
        """Raise the first error of a write, if there was one."""
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Close the file, after HDF5 has closed it. Raises nothing."""
        self._file.close()

    # ---- The interface for HDF5 ------------------------------------------------------------------

    def seek(self, offset: int, whence: int = 0) -> int:
        """Set the place of the next read or write, and return it."""
        self._place = offset if whence == 0 else self._file.seek(offset, whence)
        return self._place

    def tell(self) -> int:
        """Return the place of the next read or write."""
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from the present place on, with zeros after the end of the file."""
        view = memoryview(buffer).cast("B")
        self._file.seek(self._place)
        number = 0
        # The system may read less than was asked for.
        while number < len(view) and (more := self._file.readinto(view[number:])):
            number += more
        view[number:] = bytes(len(view) - number)
        # Lay the data that the disk has refused over it.
        for place, data in self._unwritten:
            first, last = max(place, self._place), min(place + len(data), self._place + len(view))
            if first < last:
                view[first - self._place : last - self._place] = data[first - place : last - place]
        return len(view)

    def read(self, size: int = -1) -> bytes:
        """Return some bytes. HDF5 calls `readinto`; h5py recognises a file by this method."""
        buffer = bytearray(size)
        self.readinto(buffer)
        return bytes(buffer)

    def write(self, data: Any) -> int:
        """Write at the present place; keep in memory the data that the disk refuses."""
        view = memoryview(data).cast("B")
        number = 0
        try:
            # After an earlier error, `check` raises it, and the data go to memory.
            self.check()
            self._file.seek(self._place)
            while number < len(view):
                number += self._file.write(view[number:])
        except OSError as error:
            self._error = self._error or error
            self._unwritten.append((self._place + number, bytes(view[number:])))
        # HDF5 always hears of success: it cannot recover from a failed write.
        return len(view)

    def truncate(self, size: int) -> int:
        """Set the size of the file."""
        try:
            self.check()
            self._file.truncate(size)
        except OSError as error:
            self._error = self._error or error
        return size

    def flush(self) -> None:
        """Do nothing: writes are not buffered."""


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM until the end: HDF5 treats an exception inside as a failed write."""
    # Python runs handlers of signals in the main thread alone, and only that thread may set them.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    numbers: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)
    before = {n: signal.signal(n, lambda number, frame: waiting.append(number)) for n in numbers}
    try:
        yield
    finally:
        # None stands for a handler that was not set in Python, which cannot be set again.
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        # Deliver the first signal that came meanwhile.
        for number in waiting[:1]:
            signal.raise_signal(number)
