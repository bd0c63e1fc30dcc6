"""The server's end of the process of the searches: starts it, asks it, and starts it again."""

import contextlib
import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from jaxcards.errors import UserError
from jaxcards.serve.refusals import Unavailable
from jaxcards.serve.searches.requests import LANES, Answer, Progress, Request, SearchedGame, Setup

MOST_BEGUN = 40
"""Games that one process begins with before another one takes over: so memory that is not given back
does not pile up."""

_log = logging.getLogger("jaxcards.serve")


class SearchProcess:
    """A process that searches, started when it is first asked. Safe for threads, which wait for it.

    A request whose process dies is asked once more of a new one.

    Args:
      setup: what the process is told.
      most_begun: see `MOST_BEGUN`.
    """

    def __init__(self, setup: Setup, most_begun: int = MOST_BEGUN) -> None:
        self._setup, self._most_begun = pickle.dumps(setup), most_begun
        self._child: _Child | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The id of the process, or None if there is none."""
        child = self._child
        return child.process.pid if child is not None else None

    @property
    def busy(self) -> bool:
        """Whether it works on something."""
        child = self._child
        return child is not None and child.users > 0

    @property
    def ready(self) -> set[tuple[Any, ...]]:
        """What this process is known to have loaded and compiled, each with its game first."""
        child = self._child
        return child.ready if child is not None else set()

    def ask(
        self, lane: str, game: SearchedGame, method: str, *args: Any, progress: Progress | None = None
    ) -> Any:
        """Return the result of a method of `GameSearches`, which may tell its progress before.

        Raises:
          UserError: as the method does.
          Unavailable: the process has died twice, or the server ends.
          RuntimeError: the method failed; the log says more.
        """
        request = Request(game, method, args, progress is not None)
        for _ in range(2):
            with self._held() as child:
                try:
                    answer = child.ask(lane, request, progress)
                except (EOFError, OSError):
                    self._lose(child)
                    continue
            if answer.refused:
                raise UserError(answer.refused)
            if answer.failed:
                raise RuntimeError(f"a search failed by {answer.failed}")
            return answer.found
        raise Unavailable("search_ended")

    def close(self) -> None:
        """End the process, and start none any more."""
        with self._lock:
            self._closed, child, self._child = True, self._child, None
        if child is not None:
            child.end()

    @contextlib.contextmanager
    def _held(self) -> "Iterator[_Child]":
        """Give a process to ask, which begins if there is none, or takes over."""
        with self._lock:
            if self._closed:
                raise Unavailable("server_ends")
            child = self._child
            if child is not None and child.begun >= self._most_begun:
                if not child.users:
                    child.end()
                child = None  # those who wait for the old one have it, and the last of them ends it
            if child is None:
                child = self._child = _Child(self._setup)
            child.users += 1
        try:
            yield child
        finally:
            with self._lock:
                child.users -= 1
                if child is not self._child and not child.users:
                    child.end()

    def _lose(self, child: "_Child") -> None:
        """Forget a process that has died, so that another one begins."""
        status = child.end()
        with self._lock:
            if self._child is child:
                self._child = None
            if not self._closed:
                _log.warning("the process of the searches has ended (status %s)", status)


class _Child:
    """A process, with a connection for each lane.

    Attributes:
      begun: see `Answer`.
      users: how many wait for an answer.
      ready: see `SearchProcess.ready`.
    """

    def __init__(self, setup: bytes) -> None:
        pairs = [socket.socketpair() for _ in ("alive", *LANES)]
        theirs = [pair[1].fileno() for pair in pairs]
        command = [sys.executable, "-P", "-m", "jaxcards.serve.searches.child", *map(str, theirs)]
        self.process = subprocess.Popen(
            command,
            pass_fds=theirs,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            # Ctrl-C in a terminal is for the server. Not a session of its own: Linux would share the
            # processors among sessions, and priorities count only within one.
            process_group=0,
        )
        # Keep only our ends, so that a read fails as soon as the other process dies.
        for _, other in pairs:
            other.close()
        self._alive, *lanes = (Connection(own.detach()) for own, _ in pairs)
        self._lanes = {name: (threading.Lock(), lane) for name, lane in zip(LANES, lanes, strict=True)}
        self.begun, self.users, self.ready = 0, 0, set[tuple[Any, ...]]()
        with contextlib.suppress(OSError):  # it has died at once, as `ask` will notice
            self._alive.send_bytes(setup)

    def ask(self, lane: str, request: Request, progress: Progress | None) -> Answer:
        lock, connection = self._lanes[lane]
        # One request at a time on each connection: answers do not name their requests.
        with lock:
            connection.send(request)
            while (answer := connection.recv()).progress is not None:
                assert progress is not None
                progress(*answer.progress)
        self.begun = answer.begun
        # Games that the process has dropped have to be loaded and compiled again.
        self.ready = {known for known in self.ready if known[0] in answer.games}
        return answer

    def end(self) -> int:
        """End the process, and return its status; who waits for an answer gets `EOFError`."""
        self.process.kill()
        return self.process.wait()


def _environment() -> dict[str, str]:
    """Return the environment of the process: the same modules, and a shared GPU."""
    path = os.pathsep.join(part for part in sys.path if part)
    return {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", **os.environ, "PYTHONPATH": path}
