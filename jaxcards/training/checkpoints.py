"""Checkpoints of a run, each written under another name and renamed; the newest two are kept.

A checkpoint consists of arrays of the host, so that a run can go on, and a player can play, on other
devices than it was saved on.
"""

import contextlib
import errno
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
from jaxcards.training.counters import Counters

_KEPT = 2
_OF_DISKS = (
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.ENOENT, errno.EIO,
)  # fmt: skip


class Checkpoints:
    """Saves the states of one run.

    Args:
      folder: where; made if it does not exist.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
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
          WriteError: the disk is full, or cannot be written for another reason.
        """
        if counters.update in self._manager.all_steps():
            return
        items = ocp.args.Composite(
            state=ocp.args.StandardSave(jax.tree.map(np.asarray, jax.device_get(state))),
            run=ocp.args.JsonSave({"counters": counters.to_json(), "player": player}),
        )
        try:
            with _quiet():
                self._manager.save(counters.update, args=items)
        except Exception as error:  # the libraries have an error of their own for each layer
            if (number := _number_of(error)) is None:
                raise
            raise WriteError(number, os.strerror(number), str(self._folder)) from error

    def close(self) -> None:
        self._manager.close()


def _number_of(error: Exception) -> int | None:
    """Return the number of the system's error that an error of a library is about, if it is."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    return next((number for number in _OF_DISKS if os.strerror(number) in str(error)), None)


def latest(folder: Path) -> int | None:
    """Returns the update of the newest checkpoint of a folder, or None."""
    if not folder.is_dir():
        return None
    with _reading(folder) as manager:
        return manager.latest_step()


def read(folder: Path, update: int, like: Any = None) -> tuple[Any, Counters, dict[str, Any]]:
    """Reads a checkpoint.

    Args:
      folder: of the checkpoints.
      update: which one.
      like: pytree with the structure and the shapes of the state; None for plain dictionaries in place
        of all named tuples.

    Returns:
      The state with arrays of NumPy, the counters, and the description of the player, with the name
      that its game has now.

    Raises:
      UserError: it cannot be read, or is of another shape.
    """
    target = None if like is None else jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), like)
    items = ocp.args.Composite(state=ocp.args.StandardRestore(target), run=ocp.args.JsonRestore())
    try:
        with _reading(folder) as manager:
            found = manager.restore(update, args=items)
        player = found.run["player"]
        if "game" in player:
            player = player | {"game": registry.current_id(player["game"])}
        return found.state, Counters.from_json(found.run["counters"]), player
    except Exception as error:  # whatever a damaged file makes the libraries raise
        raise UserError(
            f"{folder / str(update)} cannot be read ({type(error).__name__}); "
            "delete it to go back to the checkpoint before it"
        ) from error


@contextlib.contextmanager
def _reading(folder: Path) -> Iterator[ocp.CheckpointManager]:
    """A manager that changes nothing, as another process may be training in this folder."""
    with _quiet():
        options = ocp.CheckpointManagerOptions(
            read_only=True, create=False, multiprocessing_options=_alone()
        )
        manager = ocp.CheckpointManager(folder.absolute(), options=options)
        with contextlib.closing(manager):
            yield manager


def _alone() -> ocp.options.MultiprocessingOptions:
    """Of several processes that train together, this one saves by itself."""
    own = jax.process_index()
    return ocp.options.MultiprocessingOptions(
        primary_host=own, active_processes={own}, barrier_sync_key_prefix="jaxcards"
    )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress messages of the library: what they warn of is intended, and errors are raised, too."""
    before = logging.get_verbosity()
    logging.set_verbosity(logging.FATAL)
    try:
        yield
    finally:
        logging.set_verbosity(before)
