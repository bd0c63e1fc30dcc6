"""Make the calls that many tables ask for at the same time in one compiled call."""

import asyncio
import functools
import os
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from jaxcards.host.rows import Functions
from jaxcards.serve.searches.requests import LANES

SIZES = (4, 32)
"""Tables of a batch: the first size is compiled before a table begins, the other when many wait."""

Waiting = list[tuple[tuple[Any, ...], "asyncio.Future[Any]"]]


class Batches:
    """Collects calls of the same function of the same game, and makes them together.

    While one batch is computed, the next one gathers. Quick functions, compilations, loading and
    reviews have a thread each, so that they do not wait for each other. Each lane to the process of
    the searches has a thread that waits for answers.

    Args:
      nice: niceness of the thread that compiles.
    """

    def __init__(self, nice: int = 0) -> None:
        names = "quick", "load", "review", *(f"search {lane}" for lane in LANES)
        self._threads = {name: ThreadPoolExecutor(1, f"jaxcards {name}") for name in names}
        self._threads["compile"] = ThreadPoolExecutor(1, "jaxcards compile", _stand_back, (nice,))
        self._waiting: dict[tuple[Functions, str], Waiting] = defaultdict(list)
        self._running: dict[tuple[Functions, str], asyncio.Task[None]] = {}
        self._growing: set[tuple[Functions, str]] = set()

    async def prepare(self, functions: Functions, name: str) -> None:
        """Compile a function for its first size, unless it is compiled."""
        if not functions.is_ready(name):
            await self.apart("compile", functions.compile, name)

    async def run(self, functions: Functions, name: str, *row: Any) -> Any:
        """Call a function for one table, together with others that ask for it now."""
        await self.prepare(functions, name)
        place = functions, name
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[place].append((row, answer))
        # The first table that waits begins a task that works until none waits; others join it.
        if place not in self._running:
            self._running[place] = asyncio.create_task(self._drain(functions, name))
        return await answer

    async def apart(self, thread: str, function: Any, *args: Any) -> Any:
        """Call a function in a thread: "quick", "compile", "load", "review", or "search LANE"."""
        call = functools.partial(function, *args)
        return await asyncio.get_running_loop().run_in_executor(self._threads[thread], call)

    async def _drain(self, functions: Functions, name: str) -> None:
        place = functions, name
        try:
            while self._waiting[place]:
                await asyncio.sleep(0)  # tables that are about to ask join this batch
                size = functions.size(name, len(self._waiting[place]))
                self._grow(functions, name, len(self._waiting[place]))
                batch = self._waiting[place][:size]
                del self._waiting[place][:size]
                await self._answer(functions, name, batch)
        finally:
            del self._running[place]
            if not self._waiting[place]:
                del self._waiting[place]  # so that games that the library has forgotten leave memory

    async def _answer(self, functions: Functions, name: str, batch: Waiting) -> None:
        try:
            results = await self.apart("quick", functions.run, name, [row for row, _ in batch])
        except Exception as error:  # every table that waits gets the error
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, answer), result in zip(batch, results, strict=True):
            # A request that was given up has cancelled its answer.
            if not answer.done():
                answer.set_result(result)

    def _grow(self, functions: Functions, name: str, waiting: int) -> None:
        """Compile a function for larger batches in the background, once many tables wait."""
        size = functions.wants(name, waiting)
        if size is None or (functions, name) in self._growing:
            return
        self._growing.add((functions, name))
        grown = self._threads["compile"].submit(functions.compile, name, size)
        grown.add_done_callback(lambda _: self._growing.discard((functions, name)))

    def close(self) -> None:
        """Let running calls end, and start no others."""
        for thread in self._threads.values():
            thread.shutdown(wait=False, cancel_futures=True)


def _stand_back(nice: int) -> None:
    """Raise the niceness of this thread, where threads have a niceness of their own."""
    if nice and sys.platform == "linux":
        before = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), before + nice)
