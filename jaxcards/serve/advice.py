"""Hints, and why a move was made: what the policy likes, and what the search expects."""

import contextlib
import weakref
from collections.abc import Iterator
from typing import Any

from jaxcards.agent import Agent
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.play.hints import Hint, Hints
from jaxcards.records import DealRecord, to_line
from jaxcards.review import Reviewer
from jaxcards.serve import messages
from jaxcards.serve.course import Live
from jaxcards.serve.house import House
from jaxcards.serve.programs import Programs
from jaxcards.serve.refusals import Conflict
from jaxcards.serve.table import DEAL_OVER, OVER

_BASES = ("champion", "heuristic")


class Adviser:
    """Gives hints, one after the other, and remembers those of tables in memory."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._hints: weakref.WeakKeyDictionary[Programs, dict[bool, Hints]] = (
            weakref.WeakKeyDictionary()
        )
        self._known: dict[tuple[str, int], dict[str, Any]] = {}
        self._asked: set[str] = set()

    async def hint(self, live: Live, player: int, turn: int) -> dict[str, Any]:
        """Returns a hint for a player who is to act.

        Raises:
          Conflict: the player is not to act, or a hint for this table is on its way.
        """
        table = live.table
        if table.acting is None or table.look.player != player or turn != table.turn:
            raise Conflict("a hint is for the player whose turn it is, at the turn that it sees")
        return await self._advise(live, len(table.actions))

    async def why(self, live: Live, player: int, number: int) -> dict[str, Any]:
        """Returns what the trained player thinks of a move, with what its player saw then.

        Before the end of a deal only of the own moves: what a policy thinks tells what a player holds.

        Raises:
          Conflict: there is no such move yet, or it is another player's and the deal is not over.
        """
        table = live.table
        if not table.ready or number >= len(table.actions):
            raise Conflict(f"there is no move {number} in this deal")
        if table.looks[number].player != player and table.status not in (DEAL_OVER, OVER):
            raise Conflict("what others thought is told when the deal is over")
        found = await self._advise(live, number)
        return found | {"played": table.actions[number]}

    async def review(self, live: Live) -> dict[str, Any]:
        """Returns the deal that is over, see `messages.of_review`.

        Raises:
          Conflict: it is not over.
        """
        self._after_the_end(live)
        return await self._house.batches.apart("quick", messages.of_review, live.table)

    async def costs(self, live: Live) -> dict[str, Any]:
        """Returns what each move of the deal that is over cost; see `jaxcards.review`.

        Raises:
          Conflict: the deal is not over, or its costs are on their way.
        """
        self._after_the_end(live)
        table = live.table
        key = f"{table.id} {table.number}", -1
        if key not in self._known:
            with self._once(table.id):
                hints = await self._hints_of(live)
                record = table.record()
                self._known[key] = await self._house.batches.apart("search", _costs, hints, record)
        return self._known[key]

    @contextlib.contextmanager
    def _once(self, table: str) -> Iterator[None]:
        """Keeps a table from asking for two things at a time, as each takes a processor for a while."""
        if table in self._asked:
            raise Conflict("advice for this table is on its way")
        self._asked.add(table)
        try:
            yield
        finally:
            self._asked.discard(table)

    def record(self, live: Live) -> str:
        """Returns the record of the deal that is over, as a line. Errors as `review`."""
        self._after_the_end(live)
        return to_line(live.table.record()) + "\n"

    def _after_the_end(self, live: Live) -> None:
        if live.table.status not in (DEAL_OVER, OVER):
            raise Conflict("hands are open when the deal is over, not before")

    async def _advise(self, live: Live, place: int) -> dict[str, Any]:
        table = live.table
        key = f"{table.id} {table.number}", place
        if key in self._known:
            return self._known[key]
        with self._once(table.id):
            hints = await self._hints_of(live)
            state, texts = table.state(place), table.view(table.looks[place].player, place)
            found = await self._house.batches.apart("search", hints.hint, state, place)
        if len(self._known) > 10_000:
            self._known.clear()
        names = {choice.action: choice.text for choice in texts.choices}
        self._known[key] = _message(found, hints, names)
        return self._known[key]

    async def _hints_of(self, live: Live) -> Hints:
        """Returns the hints of a game: by the champion, or by the heuristic where there is none."""
        programs, match = live.table.programs, live.table.match
        known = self._hints.setdefault(programs, {})
        if match not in known:
            game: Game = programs.match if match and programs.match is not None else programs.game
            name, agent, params = await self._house.batches.apart("load", self._base, game)
            worlds = self._house.settings.hint_worlds
            known[match] = Hints(programs.game, agent, params, worlds=worlds, name=f"the {name}")
        return known[match]

    def _base(self, game: Game) -> tuple[str, Agent, Any]:
        for name in _BASES[:-1]:
            try:
                return name, *self._house.library.load(name, game)
            except UserError:
                continue  # no network has learned these rules
        return _BASES[-1], *self._house.library.load(_BASES[-1], game)


def _costs(hints: Hints, record: DealRecord) -> dict[str, Any]:
    """Returns the review of a deal as values of JSON, by the player that gives the hints."""
    reviewer = Reviewer(hints.game, hints.base, hints.params, worlds=hints.worlds, name=hints.name)
    return reviewer.deal(record).to_dict()


def _message(found: Hint, hints: Hints, names: dict[int, str]) -> dict[str, Any]:
    unit = "points" if hints.game.teams is None else "points ahead"
    return {
        "best": found.worths[0].action,
        "reason": found.reason,
        "worlds": hints.worlds,
        "unit": unit,
        "choices": [
            {
                "action": worth.action,
                "text": names.get(worth.action, hints.game.action_to_string(worth.action)),
                "policy": worth.policy,
                "value": worth.value,
                "error": worth.error,
            }
            for worth in found.worths
        ],
    }
