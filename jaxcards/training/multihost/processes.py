"""Several processes that train together, on one host or on many: connection and messages.

In JAX every process must call the same compiled functions in the same order. Process 0 decides which;
the others wait for its messages. Messages go through the key-value store of `jax.distributed`. There, a
process can wait for the whole evaluation of another one, while a collective CPU operation gives up
after 30 seconds.
"""

import ipaddress
import json
import os
import signal
import socket
import sys
import threading
from typing import Any, NoReturn

import jax
from jax._src import distributed  # the key-value store has no public name

from jaxcards.errors import UserError

_PATIENCE = 300.0  # seconds within which all processes must be started
_SHUTDOWN = 30  # seconds within which all must end, after process 0 ends
_POLL = 10_000  # milliseconds of one poll of the store
_COMPILING = 3_600_000  # milliseconds that the slowest process may take longer than process 0


class LostProcess(UserError):
    """The connection between the processes of a run is lost."""


class Channel:
    """The messages between the processes of a run.

    Attributes:
      process: number of this process; 0 is the leader.
      count: number of processes.
    """

    def __init__(self) -> None:
        state = distributed.global_state
        assert state.client is not None, "jax.distributed is not initialised"
        self.process, self.count = int(state.process_id), int(state.num_processes or 1)
        self._client: Any = state.client
        self._number = 0

    # ---- Process 0 ------------------------------------------------------------------------------

    def announce(self, word: str, value: Any = None) -> None:
        """Send a message to all other processes; `value` is a JSON value."""
        self._client.key_value_set(f"jaxcards/word/{self._number}", json.dumps([word, value]))
        if self._number:
            # All have handled the previous message: process 0 has computed with them since, or has
            # gathered their answers.
            self._client.key_value_delete(f"jaxcards/word/{self._number - 1}")
        self._number += 1

    def gather(self, topic: str) -> None:
        """Wait until every other process has answered.

        Raises:
          UserError: if one of them answered with an error.
          LostProcess: if one of them does not answer.
        """
        for process in range(1, self.count):
            key = f"jaxcards/answer/{topic}/{process}"
            try:
                error = self._client.blocking_key_value_get(key, _COMPILING)
                self._client.key_value_delete(key)
            except RuntimeError as failure:
                raise LostProcess(f"process {process} does not answer") from failure
            if error != "-":
                raise UserError(f"process {process} {error}")

    def asked_to_stop(self) -> signal.Signals | None:
        """Return the signal received by another process, or None."""
        try:
            return signal.Signals(int(self._client.key_value_try_get("jaxcards/stop")))
        except RuntimeError:  # the key does not exist
            return None

    def end(self, status: int) -> None:
        """Release the others, if this is process 0, and wait until all have ended."""
        if self.process == 0:
            self.announce("end", status)
        jax.distributed.shutdown()

    # ---- The others -----------------------------------------------------------------------------

    def listen(self) -> tuple[str, Any]:
        """Wait for the next message of process 0 while process 0 lives.

        Raises:
          LostProcess: if process 0 is gone.
        """
        while True:
            try:
                text = self._client.blocking_key_value_get(f"jaxcards/word/{self._number}", _POLL)
            except RuntimeError as failure:
                # Process 0 may evaluate for long: ask again while it lives.
                if "DEADLINE_EXCEEDED" in str(failure):
                    continue
                raise LostProcess("lost the connection to process 0") from failure
            self._number += 1
            word, value = json.loads(text)
            return word, value

    def answer(self, topic: str, error: str = "-") -> None:
        """Answer a `gather` of process 0, with an error if there is one."""
        self._client.key_value_set(f"jaxcards/answer/{topic}/{self.process}", error)

    def ask_to_stop(self, number: signal.Signals) -> None:
        """Ask process 0 to end the run with a checkpoint."""
        self._client.key_value_set("jaxcards/stop", str(number.value), allow_overwrite=True)


def connect(coordinator: str | None, num_processes: int | None, process_id: int | None) -> Channel:
    """Join the other processes; called before JAX starts its backend.

    Args:
      coordinator: host and port of process 0, or None to ask the cluster (as
        `jax.distributed.initialize` does) for this and the numbers.
      num_processes: their number.
      process_id: number of this process, from 0.

    Raises:
      UserError: if the cluster or the host is not found, or the port is in use.
    """
    if coordinator is not None:
        _check_address(coordinator, listens=process_id == 0)
    met = threading.Event()
    threading.Thread(target=_give_up, args=(met,), daemon=True).start()
    options: dict[str, Any] = {
        # Register `_give_up` first: JAX would abort the process with a stack trace.
        "initialization_timeout": int(_PATIENCE) + 60,
        "shutdown_timeout_seconds": _SHUTDOWN,
    }
    try:
        if coordinator is None:
            jax.distributed.initialize(**options)
        else:
            host = coordinator.rpartition(":")[0]
            jax.distributed.initialize(
                coordinator,
                num_processes,
                process_id,
                # A cluster would assign one device to a process; here it gets all that it sees.
                cluster_detection_method="deactivate",
                coordinator_bind_address=coordinator if _is_loopback(host) else None,
                **options,
            )
    except ValueError as error:
        raise UserError(
            "--distributed finds no cluster that tells how many processes there are (such as SLURM "
            "or Open MPI): give --coordinator, --num-processes and --process-id"
        ) from error
    finally:
        met.set()
    return Channel()


def leave(text: str) -> NoReturn:
    """Print the reason and end this process at once: an orderly exit would wait for lost processes."""
    print(text, file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(2)


def _give_up(met: threading.Event) -> None:
    if not met.wait(_PATIENCE):
        leave(f"jaxcards: error: the processes did not all meet in {_PATIENCE:.0f} seconds")


def _check_address(coordinator: str, listens: bool) -> None:
    host, _, port = coordinator.rpartition(":")
    try:
        addresses = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except OSError:
        raise UserError(f"--coordinator {coordinator}: host {host} not found") from None
    if not listens:
        return
    family = addresses[0][0]
    # Try the port first, for a readable error.
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            # As JAX listens: on the loopback alone, or on all addresses.
            probe.bind((host.strip("[]") if _is_loopback(host) else "", int(port)))
        except OSError as error:
            raise UserError(
                f"--coordinator {coordinator}: process 0 cannot listen there ({error.strerror})"
            ) from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
