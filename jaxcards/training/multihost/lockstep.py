"""One learner in several processes: process 0 runs the host loop, the others follow.

Only process 0 has a run folder, a clock and an evaluation. It sends the others the state to compute
with, and a command for each call.
"""

from functools import partial
from typing import Any

import jax
import numpy as np
from jax.experimental import multihost_utils

from jaxcards.errors import UserError
from jaxcards.training.host_learner import HostLearner, Step
from jaxcards.training.interrupt import Interrupt
from jaxcards.training.multihost.processes import Channel, LostProcess


class LeadingLearner:
    """The learner of process 0: announces every call, and makes it together with the others.

    Args:
      learner: the learner of every process.
      channel: to the others.
    """

    def __init__(self, learner: HostLearner, channel: Channel) -> None:
        self.learner, self._channel = learner, channel

    def init(self) -> Any:
        return self.place(jax.device_get(self.learner.init()))

    def shapes(self) -> Any:
        return self.learner.shapes()

    def place(self, state: Any) -> Any:
        # Announce first: a broadcast waits until every process takes part.
        self._channel.announce("state")
        return self.learner.place(_together(lambda: broadcast(state)))

    def parameters(self, state: Any) -> Any:
        return self.learner.parameters(state)

    def each(self, tree: Any) -> list[Any]:
        return self.learner.each(tree)

    def compile(self, state: Any, num_updates: int) -> Step:
        self._channel.announce("compile", num_updates)
        step = self.learner.compile(state, num_updates)
        # Another process may compile for longer than a collective operation waits.
        self._channel.gather("compiled")

        def announced(state: Any, schedule: float) -> tuple[Any, dict[str, float]]:
            self._channel.announce("step", schedule)
            return _together(lambda: step(state, schedule))

        return announced


def agree(channel: Channel, settings: str) -> None:
    """Check that all processes were started with the same settings.

    Args:
      channel: between them.
      settings: all settings of the run, a line each.

    Raises:
      UserError: if the settings differ.
    """
    if channel.process == 0:
        channel.announce("settings", settings)
        channel.gather("settings")
        return
    _, first = channel.listen()
    pairs = zip(first.splitlines(), settings.splitlines(), strict=True)
    different = [f"{own}, not {other}" for other, own in pairs if own != other]
    error = f"was started with other settings than process 0: {'; '.join(different)}"
    # "-" stands for success.
    channel.answer("settings", error if different else "-")
    if different:
        raise UserError(f"process {channel.process} {error}")


def follow(learner: HostLearner, channel: Channel) -> int:
    """Follow process 0, in another process.

    Returns:
      The exit status of process 0.

    Raises:
      LostProcess: if process 0 or another one is gone.
    """
    jax.devices()  # processes wait for each other while JAX starts
    state: Any = None
    step: Step | None = None
    asked = False
    with Interrupt() as interrupt:
        while True:
            word, value = interrupt.wait_for(channel.listen)
            # Process 0 decides when the run ends; ask it once.
            if interrupt.signal is not None and not asked:
                channel.ask_to_stop(interrupt.signal)
                asked = True
            if word == "end":
                return int(value)
            elif word == "state":
                state = _receive(learner)
            elif word == "compile":
                step = _compile(learner, channel, state, value)
            else:
                assert word == "step" and step is not None, word
                state, _ = interrupt.wait_for(partial(_together, partial(step, state, value)))


def _receive(learner: HostLearner) -> Any:
    # Only shapes and types matter: the values come from process 0.
    empty = jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), learner.shapes())
    return learner.place(_together(lambda: broadcast(empty)))


def _compile(learner: HostLearner, channel: Channel, state: Any, num_updates: int) -> Step:
    try:
        step = learner.compile(state, num_updates)
    except Exception as error:
        # Process 0 waits for an answer: send the reason before this process ends.
        channel.answer("compiled", f"cannot compile: {_first_line(error)}")
        raise
    channel.answer("compiled")
    return step


def broadcast(state: Any) -> Any:
    """Return the state of process 0, bit for bit, in every process; all call it at once.

    Args:
      state: pytree of NumPy arrays; in other processes, of the same shapes and types.
    """
    leaves, structure = jax.tree.flatten(jax.tree.map(np.asarray, state))
    # As one array of bytes: a broadcast is a sum, which would turn -0 into 0.
    own = np.concatenate([x.reshape(-1).view(np.uint8) for x in leaves])
    sent = np.asarray(multihost_utils.broadcast_one_to_all(own))
    ends = np.cumsum([x.nbytes for x in leaves])
    parts = np.split(sent, ends[:-1])
    found = [p.view(x.dtype).reshape(x.shape) for p, x in zip(parts, leaves, strict=True)]
    return jax.tree.unflatten(structure, found)


def _together(call: Any) -> Any:
    """Return `call()`, in which all processes take part.

    Raises:
      LostProcess: if it failed, most likely because one of them has ended.
    """
    try:
        return call()
    except UserError:
        raise
    except (RuntimeError, ValueError) as error:  # JAX raises both for a broken connection
        raise LostProcess(
            f"the connection between the processes is lost ({_first_line(error)}); "
            "once all have ended, continue with --resume"
        ) from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]
