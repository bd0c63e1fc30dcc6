"""Checkpoints of a run, each written under a temporary name and renamed; the newest two are kept.

A checkpoint consists of host arrays, so that a run can continue, and a player can play, on other
devices than it was saved on.
"""

import contextlib
import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import orbax.checkpoint as ocp
from absl import logging

from jaxcards import registry
from jaxcards.errors import UserError, WriteError
from jaxcards.files import write_text
from jaxcards.training.counters import Counters

_KEPT = 2
_CHECKSUMS = "checksums.txt"
# Errors of disks, which libraries sometimes report only in words.
_OF_DISKS = (
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.ENOENT, errno.EIO,
)  # fmt: skip


class Checkpoints:
    """Save the states of one run.

    Args:
      folder: of the checkpoints; created if it does not exist.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        # Saves are synchronous, because the checksums need the finished files.
        options = ocp.CheckpointManagerOptions(
            max_to_keep=_KEPT,
            cleanup_tmp_directories=True,
            enable_async_checkpointing=False,
            create=False,
            multiprocessing_options=_alone(),
        )
        with _quiet():
            self._manager = ocp.CheckpointManager(folder.absolute(), options=options)

    def save(self, state: Any, counters: Counters, player: dict[str, Any]) -> None:
        """Save unless this update is saved already.

        Args:
          state: a pytree of arrays.
          counters: `update` is the checkpoint's number.
          player: `describe_player` of the learner.

        Raises:
          WriteError: if the disk is full, or cannot be written for another reason.
        """
        # The last call of a run may have saved this update already.
        if counters.update in self._manager.all_steps():
            return
        arrays = jax.tree.map(np.asarray, jax.device_get(state))
        items = ocp.args.Composite(
            state=ocp.args.StandardSave(arrays),
            run=ocp.args.JsonSave({"counters": counters.to_json(), "player": player}),
        )
        try:
            with _quiet():
                self._manager.save(counters.update, args=items)
            _write_checksums(self._folder / str(counters.update))
        except Exception as error:  # each layer of the libraries has its own error types
            if (number := _number_of(error)) is None:
                raise
            raise WriteError(number, os.strerror(number), str(self._folder)) from error

    def close(self) -> None:
        self._manager.close()


def _number_of(error: Exception) -> int | None:
    """Return the system error number behind a library's error, or None."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    return next((number for number in _OF_DISKS if os.strerror(number) in str(error)), None)


def latest(folder: Path) -> int | None:
    """Return the update of the newest checkpoint of a folder, or None."""
    if not folder.is_dir():
        return None
    with _reading(folder) as manager:
        return manager.latest_step()


def read(folder: Path, update: int, like: Any = None) -> tuple[Any, Counters, dict[str, Any]]:
    """Read a checkpoint. Those of version 0.2 have no checksums.

    Args:
      folder: of the checkpoints.
      update: number of the checkpoint.
      like: pytree with the structure and the shapes of the state; None for plain dictionaries, also for
        named tuples.

    Returns:
      The state with NumPy arrays, the counters, and the description of the player, with the current
      name and the version of its game.

    Raises:
      UserError: if it is damaged, or has another shape.
    """
    _check_checksums(folder / str(update))
    target = None if like is None else jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), like)
    items = ocp.args.Composite(state=ocp.args.StandardRestore(target), run=ocp.args.JsonRestore())
    try:
        with _reading(folder) as manager:
            found = manager.restore(update, args=items)
        player = found.run["player"]
        # The game may have another name by now, and older checkpoints lack the version of its preset.
        if "game" in player:
            player = player | {"game": registry.versioned_id(player["game"])}
        return found.state, Counters.from_json(found.run["counters"]), player
    except Exception as error:  # any error of the libraries for a damaged file
        raise _damaged(folder / str(update), type(error).__name__) from error


def _damaged(checkpoint: Path, reason: str) -> UserError:
    return UserError(
        f"{checkpoint} is damaged ({reason}): restore it, or delete it to go back to the checkpoint "
        "before it"
    )


def _write_checksums(checkpoint: Path) -> None:
    """Write the checksum of every file of a checkpoint, as sha256sum does."""
    files = sorted(path for path in checkpoint.rglob("*") if path.is_file())
    lines = [f"{_checksum(path)}  {path.relative_to(checkpoint).as_posix()}\n" for path in files]
    write_text(checkpoint / _CHECKSUMS, "".join(lines))


def _check_checksums(checkpoint: Path) -> None:
    """Raise `UserError` if a file of a checkpoint has changed, before any library reads it."""
    file = checkpoint / _CHECKSUMS
    try:
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        for line in lines:
            # Two spaces separate checksum and name, as in the output of sha256sum.
            expected, _, name = line.partition("  ")
            if _checksum(checkpoint / name) != expected:
                raise _damaged(checkpoint, f"{name} has changed")
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(checkpoint, type(error).__name__) from None


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def _reading(folder: Path) -> Iterator[ocp.CheckpointManager]:
    """Return a read-only manager, because another process may be training in this folder."""
    with _quiet():
        options = ocp.CheckpointManagerOptions(
            read_only=True, create=False, multiprocessing_options=_alone()
        )
        manager = ocp.CheckpointManager(folder.absolute(), options=options)
        with contextlib.closing(manager):
            yield manager


def _alone() -> ocp.options.MultiprocessingOptions:
    """Make this process save by itself while several train together."""
    own = jax.process_index()
    return ocp.options.MultiprocessingOptions(
        primary_host=own, active_processes={own}, barrier_sync_key_prefix="jaxcards"
    )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress warnings of the library: they are about intended behaviour, and errors are raised."""
    before = logging.get_verbosity()
    logging.set_verbosity(logging.FATAL)
    try:
        yield
    finally:
        logging.set_verbosity(before)
