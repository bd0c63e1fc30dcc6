"""Learners of external data: batches of records are read ahead and put on the devices.

The seed and the number of an update alone determine its batch, so that a resumed run gets the same
batches as an uninterrupted one.
"""

import functools
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from jaxcards.agents.learners import sharding
from jaxcards.agents.learners.imitation import measures
from jaxcards.agents.learners.imitation.learner import HeldOutSums, Imitation
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.training.deal_feed import DealFeed
from jaxcards.training.host_learner import CompiledLearner, Step
from jaxcards.training.swisslos_feed import SwisslosFeed

_AHEAD = 4  # batches to read ahead
_GLANCE = 8  # held-out batches to measure while training


class Feed(Protocol):
    """The source of the batches of a run.

    Attributes:
      digest: a 32-bit checksum of the data.
      per_epoch: updates of one pass over the data.
      about: a line about the data.
    """

    digest: int
    per_epoch: int
    about: str

    def batches(self, first: int) -> Iterator[Any]:
        """Yield the batch of each update from number `first` on, for ever, as NumPy arrays."""
        ...

    def held_out(self) -> Iterator[Any]:
        """Yield batches of all held-out data, of the same shapes."""
        ...


def feed_of(learner: Imitation) -> Feed:
    """Return the source of a learner's batches; reads its records, once.

    Raises:
      UserError: if records are not named, or contain no training data.
    """
    config = learner.config
    if not config.data:
        raise UserError("imitation needs records: use jaxcards imitate GAME FILE")
    game = learner.game if config.inputs == "features" else None
    return _feed(Path(config.data), game, config.deals_per_update, config.held_out, config.seed)


@functools.lru_cache(maxsize=1)
def _feed(path: Path, game: Game | None, size: int, held_out: float, seed: int) -> Feed:
    if game is None:
        return SwisslosFeed(path, size, held_out, seed)
    return DealFeed(path, game, size, held_out, seed)


def ahead(batches: Iterator[Any], put: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield `put` of each batch, computed ahead by another thread."""
    # The bounded queue keeps the reader only a few batches ahead.
    waiting: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue(_AHEAD)
    ended = threading.Event()

    def read() -> None:
        try:
            for batch in batches:
                if not _offer(waiting, (put(batch), None), ended):
                    return
            _offer(waiting, (None, StopIteration()), ended)
        except BaseException as error:  # passed on to the reader of the next batch
            _offer(waiting, (None, error), ended)

    thread = threading.Thread(target=read, name="batches", daemon=True)
    thread.start()
    try:
        while True:
            batch, error = waiting.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield batch
    finally:
        # The reader of batches may wait for room in the queue: tell it to stop.
        ended.set()
        thread.join()


def _offer(waiting: "queue.Queue[Any]", item: Any, ended: threading.Event) -> bool:
    """Put an item into a queue, unless its reader has stopped."""
    # Wait in short turns, to notice when the reader of the queue has stopped.
    while not ended.is_set():
        try:
            waiting.put(item, timeout=0.1)
            return True
        except queue.Full:
            continue
    return False


class FedLearner(CompiledLearner):
    """Imitation for the host loop.

    Args:
      learner: the learner.
      feed: its batches.
    """

    learner: Imitation  # type: ignore[assignment]

    def __init__(self, learner: Imitation, feed: Feed | None = None) -> None:
        super().__init__(learner)  # type: ignore[arg-type]
        self.feed = feed or feed_of(learner)
        self._batch = NamedSharding(sharding.mesh(learner.num_devices), PartitionSpec(sharding.AXIS))
        self._measure: Any = None

    def init(self) -> Any:
        fresh = jax.device_get(self.learner.fresh())
        # The state has the checksum of its records, so that a resumed run notices other ones.
        return self.place(fresh._replace(data=np.uint32(self.feed.digest)))

    def place(self, state: Any) -> Any:
        if int(state.data) != self.feed.digest:  # from a checkpoint
            data = self.learner.config.data
            raise UserError(f"{data} has other records than at the start of the run: begin a new run")
        return super().place(state)

    def compile(self, state: Any, num_updates: int) -> Step:
        # The first batch tells the compiler the shapes.
        first = next(self.feed.batches(0))
        train = type(self.learner).train
        lowered = train.lower(self.learner, state, self._put(first), np.float32(1))
        update = lowered.compile(self.options)
        # A resumed run starts with the batch of its next update.
        given = ahead(self.feed.batches(int(state.update)), self._put)
        # The same few held-out batches are measured after every call.
        glance = self._first_held_out()

        def step(state: Any, schedule: float) -> tuple[Any, dict[str, float]]:
            found = []
            for _ in range(num_updates):
                state, metrics = update(state, next(given), np.float32(schedule))
                # Metrics stay on the device for now: to read them would wait for each update.
                found.append(metrics)
            means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
            held = self._sums(self.learner.parameters(state), glance)
            together = measures.figures(_both(held))
            more = {
                "held_out_cross_entropy": together.cross_entropy,
                "held_out_accuracy": together.accuracy,
                "epochs": int(state.update) / self.feed.per_epoch,
            }
            return state, means | more

        return step

    def held_out(self, state: Any) -> HeldOutSums:
        """Return the sums over all held-out data."""
        return self._sums(self.learner.parameters(state), map(self._put, self.feed.held_out()))

    def _first_held_out(self) -> list[Any]:
        batches = self.feed.held_out()
        return [self._put(batch) for batch, _ in zip(batches, range(_GLANCE), strict=False)]

    def _sums(self, params: Any, batches: Any) -> HeldOutSums:
        total: Any = None
        for batch in batches:
            # All batches have the same shapes: the first one compiles the measurement.
            if self._measure is None:
                lowered = type(self.learner).measure.lower(self.learner, params, batch)
                self._measure = lowered.compile(self.options)
            held = jax.device_get(self._measure(params, batch))
            total = held if total is None else jax.tree.map(np.add, total, held)
        return total

    def _put(self, batch: Any) -> Any:
        return jax.device_put(batch, self._batch)


def compiled(learner: Any) -> CompiledLearner:
    """Return a learner for the host loop, with its data."""
    return FedLearner(learner) if isinstance(learner, Imitation) else CompiledLearner(learner)


def _both(held: HeldOutSums) -> measures.Sums:
    return jax.tree.map(np.add, held.calls, held.cards)
