"""Give hints, and explain moves: the preferences of the policy, and the values of the search."""

import asyncio
import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from jaxcards.play.hints import Hint
from jaxcards.records import to_line
from jaxcards.serve import messages
from jaxcards.serve.refusals import Conflict
from jaxcards.serve.searches.remote import Searches
from jaxcards.serve.searches.requests import ADVISE, POLICY
from jaxcards.serve.table import ServedTable
from jaxcards.serve.tables import Tables

_MOST_ASKED = 2  # by one table at a time: "why" waits for a hint that was left
_PATIENCE = 1.0  # seconds until a client that waits for costs is told how many moves are done


@dataclasses.dataclass
class _Count:
    """Costs that are being computed."""

    task: asyncio.Task[dict[str, Any]] | None = None
    done: int = 0
    all: int = 0

    def tell(self, done: int, all: int) -> None:
        """Keep how many moves are done."""
        self.done, self.all = done, all


class Adviser:
    """Gives hints, one after the other, and remembers those of tables in memory."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[tuple[str, int], dict[str, Any]] = {}
        self._asked: Counter[str] = Counter()
        self._counts: dict[tuple[str, int], _Count] = {}

    async def hint(self, table: ServedTable, player: int, turn: int, values: bool) -> dict[str, Any]:
        """Return a hint for a player who is to act; without values, the policy's choice alone.

        Raises:
          Conflict: the player is not to act, or two answers for this table are being computed.
        """
        if table.acting is None or table.player != player or turn != table.turn:
            raise Conflict("hint_turn")
        place = len(table.actions)
        # A hint with values that is known already also answers a request without values.
        if values or (f"{table.id} {table.number}", place) in self._known:
            return await self._advise(table, place)
        with self._one_of_few(table.id):
            look = table.looks[place]
            found = await self._ask(POLICY, self._searches(table).hint, look, place, False)
        return _message(found, table, place, 0)

    async def why(self, table: ServedTable, player: int, number: int) -> dict[str, Any]:
        """Return the advice of the trained player at a move, from what the player of the move saw.

        Before the end of a deal this is for own moves only: advice for others tells what they hold.

        Raises:
          Conflict: the move has not been played, or is another player's and the deal is not over.
        """
        if not table.ready or number >= len(table.actions):
            raise Conflict("no_move", number=number)
        if table.looks[number].player != player and not table.finished:
            raise Conflict("moves_of_others")
        found = await self._advise(table, number)
        return found | {"played": table.actions[number]}

    async def review(self, table: ServedTable, player: int) -> dict[str, Any]:
        """Return the deal that is over, for a player; see `messages.of_review`.

        Raises:
          Conflict: the deal is not over.
        """
        self._after_the_end(table)
        return await self._tables.batches.apart("review", messages.of_review, table, player)

    async def costs(self, table: ServedTable) -> dict[str, Any]:
        """Return the cost of each move of the deal that is over; see `jaxcards.review`.

        After `_PATIENCE`, return how many moves are `done` so far, and how many there are: `all`.

        Raises:
          Conflict: the deal is not over, or two answers for this table are being computed.
        """
        self._after_the_end(table)
        # The place -1 stands for the costs of the whole deal.
        key = f"{table.id} {table.number}", -1
        if key in self._known:
            return self._known[key]
        count = self._counts.setdefault(key, _Count())
        if count.task is None:
            count.task = asyncio.create_task(self._count(key, table, count))
            # Read the exception of every task: asyncio reports those that stay unread.
            count.task.add_done_callback(lambda task: task.cancelled() or task.exception())
        # Unlike `wait_for`, `wait` lets the task go on after the time is over.
        finished, _ = await asyncio.wait([count.task], timeout=_PATIENCE)
        return count.task.result() if finished else {"done": count.done, "all": count.all}

    async def _count(self, key: tuple[str, int], table: ServedTable, count: "_Count") -> dict[str, Any]:
        try:
            with self._one_of_few(table.id):
                found = await self._ask(ADVISE, self._searches(table).costs, table.record(), count.tell)
                return self._known.setdefault(key, found)
        finally:
            del self._counts[key]

    @contextlib.contextmanager
    def _one_of_few(self, table: str) -> Iterator[None]:
        """Keep a table from asking for many things at a time, as each takes a processor for a while."""
        if self._asked[table] >= _MOST_ASKED:
            raise Conflict("advice_busy")
        self._asked[table] += 1
        try:
            yield
        finally:
            self._asked[table] -= 1
            self._asked += Counter()  # drops the zeros

    def record(self, table: ServedTable) -> str:
        """Return the record of the deal that is over, as a line. Errors as `review`."""
        self._after_the_end(table)
        return to_line(table.record()) + "\n"

    def _after_the_end(self, table: ServedTable) -> None:
        if not table.finished:
            raise Conflict("deal_goes_on")

    async def _advise(self, table: ServedTable, place: int) -> dict[str, Any]:
        key = f"{table.id} {table.number}", place
        if key in self._known:
            return self._known[key]
        with self._one_of_few(table.id):
            found = await self._ask(ADVISE, self._searches(table).hint, table.looks[place], place)
        # A simple bound on memory: forget all, because all of it can be computed again.
        if len(self._known) > 10_000:
            self._known.clear()
        self._known[key] = _message(found, table, place, self._tables.settings.hint_worlds)
        return self._known[key]

    def _searches(self, table: ServedTable) -> Searches:
        return self._tables.library.searches(table.programs, table.match)

    async def _ask(self, lane: str, function: Callable[..., Any], *args: Any) -> Any:
        return await self._tables.batches.apart(f"search {lane}", function, *args)


def _message(found: Hint, table: ServedTable, place: int, worlds: int) -> dict[str, Any]:
    player = table.looks[place].player
    view = table.view(player, place)
    return {
        "best": found.worths[0].action,
        "reason": dataclasses.asdict(found.said(view)),
        "worlds": worlds,
        "unit": view.deal_unit,
        "choices": [
            {
                "action": worth.action,
                "text": dataclasses.asdict(messages.text_of(table, player, place, worth.action)),
                "policy": worth.policy,
                "value": None if worth.value is None else view.in_unit(worth.value),
                "error": worth.error,
            }
            for worth in found.worths
        ],
    }
