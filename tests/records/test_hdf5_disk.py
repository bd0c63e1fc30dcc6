"""HDF5 files on a disk that becomes full: an error of the disk, and no crash."""

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from jaxcards.records.hdf5_disk import Disk, NewFile


class Full:
    """A raw file with room for some bytes."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, data):
        room = self._room - self._file.tell()
        if room <= 0:
            raise OSError(28, "No space left on device")
        return self._file.write(data[:room])


def fill(path, room):
    """Write more data than the disk can hold; return the error of each batch."""
    errors = []
    new = NewFile(path)
    new._disk._file = Full(new._disk._file, room)
    for number in range(3):
        try:
            with new.batch():
                rows = np.random.default_rng(number).integers(0, 255, (1 << 12, 20), np.uint8)
                new.file.create_dataset(f"{number}", data=rows, chunks=(1 << 8, 20), fletcher32=True)
        except OSError as error:
            errors.append(error.errno)
    new.__exit__(KeyError, KeyError(), None)
    return errors


@pytest.mark.parametrize("room", [1, 100, 5_000, 50_000, 200_000])
def test_a_full_disk_is_an_error_of_the_batch(room, tmp_path):
    errors = fill(tmp_path / "a.h5", room)
    assert errors and set(errors) == {28}


def test_with_room_the_file_is_whole(tmp_path):
    assert not fill(tmp_path / "a.h5", 1 << 20)
    with h5py.File(tmp_path / "a.h5") as file:
        assert sorted(file) == ["0", "1", "2"] and file["2"].shape == (1 << 12, 20)


def test_what_the_disk_refuses_is_read_again(tmp_path):
    disk = Disk(tmp_path / "a")
    disk._file = Full(disk._file, 4)
    disk.write(b"abcdef")
    disk.seek(3)
    disk.write(b"xyz")
    disk.seek(1)
    assert disk.read(7) == b"bcxyz\0\0"
    with pytest.raises(OSError, match="No space left"):
        disk.check()
    disk.close()
    assert (tmp_path / "a").read_bytes() == b"abcd"


def test_an_interrupt_waits():
    """In a process of its own, whose handlers no other test has changed."""
    code = """
import signal
from jaxcards.records.hdf5_disk import uninterrupted
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores it
try:
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
        print("done")
except KeyboardInterrupt:
    print("interrupted")
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stdout.split() == ["done", "interrupted"], done.stderr
