"""What many tables ask for at the same time goes through one compiled call."""

import asyncio
import functools
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from jaxcards.serve.programs import Programs

Waiting = list[tuple[tuple[Any, ...], "asyncio.Future[Any]"]]


class Batches:
    """Collects calls of the same function of the same game, and makes them together.

    While one batch is computed, the next one gathers. Quick functions, searches, compilations and what
    is loaded have a thread each, so that none of them keeps the others waiting.
    """

    def __init__(self) -> None:
        self._threads = {
            name: ThreadPoolExecutor(1, thread_name_prefix=f"jaxcards-{name}")
            for name in ("quick", "search", "compile", "load")
        }
        self._waiting: dict[tuple[Programs, str], Waiting] = defaultdict(list)
        self._running: dict[tuple[Programs, str], asyncio.Task[None]] = {}
        self._growing: set[tuple[Programs, str]] = set()

    async def prepare(self, programs: Programs, name: str) -> None:
        """Compiles a function for a single table, unless it is."""
        if not programs.is_ready(name):
            await self.apart("compile", programs.compile, name)

    async def run(self, programs: Programs, name: str, *row: Any) -> Any:
        """Calls a function for one table, together with others that ask for it now."""
        await self.prepare(programs, name)
        place = programs, name
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[place].append((row, answer))
        if place not in self._running:
            self._running[place] = asyncio.create_task(self._drain(programs, name))
        return await answer

    async def apart(self, thread: str, function: Any, *args: Any) -> Any:
        """Calls anything in a thread: "quick", "search", "compile" or "load"."""
        call = functools.partial(function, *args)
        return await asyncio.get_running_loop().run_in_executor(self._threads[thread], call)

    async def _drain(self, programs: Programs, name: str) -> None:
        place = programs, name
        try:
            while self._waiting[place]:
                await asyncio.sleep(0)  # whoever is about to ask joins this batch
                size = programs.size(name, len(self._waiting[place]))
                self._grow(programs, name, len(self._waiting[place]))
                batch = self._waiting[place][:size]
                del self._waiting[place][:size]
                await self._answer(programs, name, batch)
        finally:
            del self._running[place]

    async def _answer(self, programs: Programs, name: str, batch: Waiting) -> None:
        thread = "search" if name.startswith("choose search") else "quick"
        try:
            found = await self.apart(thread, programs.run, name, [row for row, _ in batch])
        except Exception as error:  # whoever waits has to hear of it
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, answer), result in zip(batch, found, strict=True):
            if not answer.done():
                answer.set_result(result)

    def _grow(self, programs: Programs, name: str, waiting: int) -> None:
        """Compiles a function for larger batches, beside what is going on, once many tables wait."""
        size = programs.wants(name, waiting)
        if size is None or (programs, name) in self._growing:
            return
        self._growing.add((programs, name))
        grown = self._threads["compile"].submit(programs.compile, name, size)
        grown.add_done_callback(lambda _: self._growing.discard((programs, name)))

    def close(self) -> None:
        """Lets what is computed end, and starts nothing more."""
        for thread in self._threads.values():
            thread.shutdown(wait=False, cancel_futures=True)
