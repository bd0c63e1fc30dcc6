"""Progress of a run: a bar on a terminal, elsewhere a line from time to time."""

import sys
import time
from typing import Any, TextIO

from jaxcards.training.counters import Counters

_LINE_SECONDS = 15.0


class Progress:
    """Show the progress of a run.

    Args:
      stream: the output; by default stderr.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._bar: Any = None
        self._last_line: float | None = None
        if self._stream.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                file=self._stream,
                unit="update",
                dynamic_ncols=True,
                bar_format="{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}{postfix}",
            )

    def say(self, text: str) -> None:
        """Print a separate line."""
        if self._bar is not None:
            self._bar.write(text, file=self._stream)
        else:
            print(text, file=self._stream, flush=True)

    def show(self, counters: Counters, record: dict[str, Any], left: float | None, result: str) -> None:
        """Show the state after a call of the compiled step.

        Args:
          counters: the progress of the run.
          record: the measurements of the call.
          left: seconds to the end, or None before the plan is made.
          result: the newest evaluation in words, and its update.
        """
        parts = [
            f"{short(record['deals_per_second'])} deals/s",
            f"{short(record['decisions_per_second'])} decisions/s",
            f"{clock(left)} left" if left is not None else "",
            _won(record.get("won_against_random")),
            result,
        ]
        text = ", ".join(part for part in parts if part)
        if self._bar is not None:
            self._bar.total = counters.plan.updates if counters.plan else None
            self._bar.n = counters.update
            self._bar.set_postfix_str(text)
            return
        now = time.monotonic()
        if self._last_line is None or now - self._last_line >= _LINE_SECONDS:
            self._last_line = now
            total = f"/{counters.plan.updates}" if counters.plan else ""
            self.say(f"update {counters.update}{total}: {text}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _won(share: float | None) -> str:
    """Return in words the number of wins in the last deals against random players."""
    return "" if share is None else f"won {share:.0%} of the last 100 deals against random"


def short(number: float) -> str:
    """Return three digits and a unit: 1234567 -> "1.23M"."""
    for unit in ("", "k", "M", "G"):
        # From 999.5 on, rounding would give four digits.
        if abs(number) < 999.5 or unit == "G":
            break
        number /= 1000
    digits = 0 if abs(number) >= 99.95 or not unit else 1 if abs(number) >= 9.995 else 2
    return f"{number:.{digits}f}{unit}"


def clock(seconds: float) -> str:
    """Return minutes and seconds, or hours as well: 75 -> "1:15"."""
    minutes, rest = divmod(round(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
