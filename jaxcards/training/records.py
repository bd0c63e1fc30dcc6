"""The files that a run writes while it trains, and the mean records of several seeds."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from jaxcards.evaluation.intervals import mean_interval
from jaxcards.training.checkpoints import Checkpoints
from jaxcards.training.counters import Counters
from jaxcards.training.curve import opponents
from jaxcards.training.folder import RunFolder
from jaxcards.training.metrics import MetricsLog


class Records:
    """Metrics and checkpoints of one run.

    Args:
      folder: of the run.
      player: description of the player, stored in the checkpoints.
      counters: of the newest checkpoint.
      write_player: see `Loop`.
    """

    def __init__(
        self,
        folder: RunFolder,
        player: dict[str, Any],
        counters: Counters,
        write_player: Callable[[Any, RunFolder], None],
    ) -> None:
        self._folder, self._player, self._write_player = folder, player, write_player
        self.decisions, self.metrics_bytes = counters.decisions, counters.metrics_bytes
        self._log = MetricsLog(folder, self.metrics_bytes, counters.update)
        self._saved = Checkpoints(folder.checkpoints)

    def write(self, record: dict[str, Any]) -> None:
        """Add a record to the metrics."""
        self.metrics_bytes = self._log.write(record)

    def save(self, state: Any, counters: Counters) -> None:
        """Write a checkpoint, with the decisions of this run."""
        # Metrics first: the checkpoint knows the length of their file.
        self._log.sync()
        own = dataclasses.replace(
            counters, decisions=self.decisions, metrics_bytes=self.metrics_bytes
        )
        self._saved.save(state, own, self._player)
        self._write_player(state, self._folder)

    def close(self) -> None:
        self._log.close()
        self._saved.close()


def results_of(record: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the results of a record: opponent -> mean and half width of its 95 % interval."""
    names = opponents([record])
    return {name: (record[f"against_{name}"], record[f"against_{name}_half_width"]) for name in names}


def mean_record(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the means of the entries of one record for each seed.

    With several seeds, a half width is that of the 95 % interval over the seeds.
    """
    mean: dict[str, Any] = {}
    for key, first in records[0].items():
        values = [record[key] for record in records]
        # Entries such as the number of updates are equal, and stay whole numbers.
        mean[key] = first if values.count(first) == len(values) else fmean(values)
    if len(records) > 1:
        for name in results_of(records[0]):
            interval = mean_interval(np.array([record[f"against_{name}"] for record in records]))
            mean[f"against_{name}_half_width"] = interval.high - interval.mean
    return mean
