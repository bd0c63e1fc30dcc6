"""The finished pairs of an evaluation in a file, so that it can be interrupted."""

import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.files import checksum, write_bytes

_PART_SECONDS = 10.0


class KeptPairs:
    """Results of pairs by their players' numbers, in a file of NumPy's format .npz.

    Args:
      path: the file, which is created with the first pair; None disables it.
      subject: everything that determines the results, as JSON values.
      params: the parameters of the players, which also determine the results.

    Raises:
      UserError: if the file belongs to another evaluation, or cannot be read.
    """

    def __init__(self, path: Path | None, subject: dict[str, Any], params: Any) -> None:
        self.path = path
        # Results are reused only if everything that determines them is the same.
        self._about = json.dumps(subject | {"params": checksum(params)}, sort_keys=True)
        self._pairs: dict[str, np.ndarray] = {}
        # The first part is written ten seconds after the start.
        self._written = time.monotonic()
        if path is not None and path.exists():
            self._pairs = self._read(path)

    def __len__(self) -> int:
        # A pair has two arrays: its results, and the number of matches that ended at their bound.
        return len(self._pairs) // 2

    def get(self, a: int, b: int) -> tuple[np.ndarray, int]:
        """Return the stored results of a pair: float64[n, 3], its first deals, and the ended ones."""
        if f"{a}-{b}" not in self._pairs:
            return np.zeros((0, 3)), 0
        return self._pairs[f"{a}-{b}"], int(self._pairs[f"{a}-{b} ended"])

    def put(self, a: int, b: int, results: np.ndarray, ended: int) -> None:
        """Store a pair."""
        self._pairs |= {f"{a}-{b}": results, f"{a}-{b} ended": np.asarray(ended)}
        if self.path is not None:
            self._written = time.monotonic()
            arrays: dict[str, Any] = self._pairs | {"about": np.asarray(self._about)}
            content = io.BytesIO()
            np.savez_compressed(content, **arrays)
            write_bytes(self.path, content.getvalue())

    def put_part(self, a: int, b: int, results: np.ndarray, ended: int) -> None:
        """Store the first deals of a pair, unless the last write was within ten seconds."""
        if time.monotonic() - self._written > _PART_SECONDS:
            self.put(a, b, results, ended)

    def remove(self) -> None:
        """Delete the file: the evaluation is complete."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _read(self, path: Path) -> dict[str, np.ndarray]:
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                found = dict(file)
            about = str(found.pop("about"))
        except Exception as error:  # any error of NumPy for a damaged file
            raise UserError(f"{path} cannot be read ({type(error).__name__}): delete it") from None
        if about != self._about:
            raise UserError(
                f"{path} holds pairs of another evaluation (other players, deals or seed): finish "
                "that evaluation, or delete the file"
            )
        return found
