"""The numbers of a run: metrics.jsonl, which `--resume` continues exactly, and TensorBoard."""

import json
import os
from pathlib import Path
from typing import Any

from jaxcards.errors import UserError
from jaxcards.training.folder import RunFolder


class MetricsLog:
    """Write one record after the other.

    Args:
      folder: of the run.
      position: length of the file in bytes at the checkpoint. Later records are cut off, and will be
        written again.
      update: updates done at the checkpoint.

    Raises:
      UserError: if the file has a damaged line, or is shorter than at the checkpoint.
    """

    def __init__(self, folder: RunFolder, position: int = 0, update: int = 0) -> None:
        from tensorboardX import SummaryWriter

        folder.metrics.touch()
        kept = folder.metrics.read_bytes()[:position]
        _records(folder.metrics, kept)  # raises the error for a damaged file before any work
        if len(kept) < position:
            raise UserError(
                f"{folder.metrics} has lost records of the {update} updates of its checkpoint: restore "
                "the file"
            )
        os.truncate(folder.metrics, len(kept))
        self._file = folder.metrics.open("ab")
        # TensorBoard drops the entries that an interrupted run had written after its checkpoint.
        self._board = SummaryWriter(str(folder.tensorboard), purge_step=update + 1)

    def write(self, record: dict[str, Any]) -> int:
        """Add a record with the key `update`; return the length of the file."""
        self._file.write(json.dumps(record, allow_nan=False).encode() + b"\n")
        self._file.flush()
        for name, value in record.items():
            if name != "update":
                # TensorBoard puts the names with the same first part together.
                self._board.add_scalar(f"{_group(name)}/{name}", value, record["update"])
        return self._file.tell()

    def sync(self) -> None:
        """Flush the file to disk, so that it survives a crash of the machine."""
        self._board.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()
        self._board.close()


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """Return the records of a file.

    A last line that a crash cut short is left out.

    Raises:
      UserError: if another line is damaged.
    """
    return _records(path, path.read_bytes()) if path.exists() else []


def _records(path: Path, content: bytes) -> list[dict[str, Any]]:
    records = []
    # The last part is empty, or a line that a crash has cut short.
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            records.append(dict(json.loads(line).items()))
        except (ValueError, AttributeError):
            raise UserError(
                f"{path}: line {number} is damaged: restore the file, or remove the line"
            ) from None
    return records


def _group(name: str) -> str:
    if name.startswith("against_"):
        return "evaluation"
    if name in ("seconds", "deals", "decisions") or name.endswith("_per_second"):
        return "speed"
    return "learning"
