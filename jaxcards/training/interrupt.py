"""Ctrl-C and SIGTERM end a run cleanly; a second one ends it at once."""

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

T = TypeVar("T")

# A signal may come while Python itself is writing: its own streams would refuse.
_STDERR = 2


class Interrupt:
    """A context that records signals.

    Attributes:
      signal: the first signal received, or None.
    """

    _SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._before: dict[signal.Signals, Any] = {}

    @property
    def exit_status(self) -> int:
        """128 and the number of the signal, as in shells: 130 after Ctrl-C; 0 without a signal."""
        return 0 if self.signal is None else 128 + self.signal.value

    def __enter__(self) -> "Interrupt":
        # Only the main thread may set handlers; elsewhere the caller has to stop the run.
        if threading.current_thread() is threading.main_thread():
            self._before = {s: signal.signal(s, self._note) for s in self._SIGNALS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for s, handler in self._before.items():
            signal.signal(s, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:
            os.write(_STDERR, b"\njaxcards: stopped at once\n")
            # Device threads would block an ordinary exit.
            os._exit(128 + number)
        self.signal = signal.Signals(number)
        text = "\njaxcards: stopping with a checkpoint after this call; again to stop at once\n"
        os.write(_STDERR, text.encode())

    def take(self, number: signal.Signals | None) -> None:
        """Record a signal from another process of the run, if there is one."""
        self.signal = self.signal or number

    def wait_for(self, work: Callable[[], T]) -> T:
        """Return `work()`, which runs in a separate thread.

        Python handles a signal in the main thread only, and only between two instructions. If that
        thread were waiting for the device, a second Ctrl-C would wait, too.
        """
        results: list[T] = []
        errors: list[BaseException] = []
        done = threading.Event()

        def run() -> None:
            try:
                results.append(work())
            # Every kind of error is passed on to the waiting thread.
            except BaseException as error:
                errors.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True).start()
        done.wait()
        if errors:
            raise errors[0]
        return results[0]
