"""Play tables: deals are dealt, actions played, and players move by themselves.

The state of a table changes only between two awaits, so that no two actions meet. What changes is
written first and told then.
"""

import asyncio
import logging
import time
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.play.results import won_share
from jaxcards.serve import recorded
from jaxcards.serve.library import Library
from jaxcards.serve.programs import LOOK, Closed, Look
from jaxcards.serve.refusals import Unavailable
from jaxcards.serve.settings import ServeSettings
from jaxcards.serve.store import Kept, Outcome, Store
from jaxcards.serve.table import OVER, Table, deal_key, outcome_of

_log = logging.getLogger("jaxcards.serve")


class Dealer:
    """Plays tables.

    Attributes:
      settings: of the server.
      store: where everything is written.
      library: has the games.
    """

    def __init__(self, settings: ServeSettings, store: Store, library: Library) -> None:
        self.settings, self.store, self.library = settings, store, library
        self.batches = library.batches

    # ---- Dealing --------------------------------------------------------------------------------

    def start(self, table: Table, what: Any) -> None:
        """Run a task of a table; a failure is told to its players."""

        async def guarded() -> None:
            try:
                await what
            except UserError as error:
                table.failure, table.again = str(error), isinstance(error, Unavailable)
                self.tell(table)
            except Exception:
                _log.exception("table %s failed", table.id)
                table.failure = "this table cannot go on; the log of the server says why"
                self.tell(table)

        table.busy = True
        table.task = asyncio.create_task(guarded())

    async def deal_first(self, table: Table, kept: Kept) -> None:
        """Compile what a table needs, then deal its first deal."""
        kinds = [occupant.kind for occupant in table.occupants if not occupant.is_person]
        await self.library.compile(table.programs, sorted(set(kinds)), table.match)
        if kept.totals or kept.num_deals:
            standing = table.cards, kept.totals, kept.num_deals
            row = await self.batches.apart("load", table.programs.begin_at, *standing)
        elif table.match:
            row = await self.batches.run(table.programs, "begin match", table.cards)
        else:
            row = await self.batches.run(table.programs, "begin", deal_key(table.cards, 0))
        await self._deal(table, kept.num_deals, row, table.totals)
        await self._bots(table)

    async def _deal(self, table: Table, number: int, row: np.ndarray, totals: list[int]) -> None:
        programs = table.programs
        opening = programs.opening_of(await self.batches.run(programs, "opening", row))
        look = programs.look(await self.batches.run(programs, "advance", row, np.int32(LOOK)))
        self.store.begin_deal(table.id, number, opening)
        table.begin(number, opening, look, totals)
        table.ready = True
        self.tell(table)

    async def replay(self, table: Table, kept: Kept, known: tuple[int, ...] | None = None) -> None:
        """Play the deal of a table again, up to where it stood, and go on.

        Args:
          table, kept: the table.
          known: what the deal is said to have come to, if it is over.

        Raises:
          UserError: an action is not legal, or the deal came to something else.
        """
        programs = table.programs
        *earlier, (number, opening, actions, _) = kept.deals
        kinds = [occupant.kind for occupant in table.occupants if not occupant.is_person]
        await self.library.compile(programs, sorted(set(kinds)), table.match)
        row = await self.batches.run(programs, "restore", *programs.opening_row(opening))
        look = programs.look(await self.batches.run(programs, "advance", row, np.int32(LOOK)))
        totals = np.asarray(table.totals)
        for _, _, done, points in earlier:
            table.skip(len(done) + 1)
            totals = totals + np.asarray(points or 0)
        table.begin(number, opening, look, totals.tolist() if table.match else table.totals)
        for place, action in enumerate(actions):
            if not table.look.legal[action]:
                name = programs.game.action_to_string(action)
                raise UserError(f"move {place} of the deal is not legal: {name}")
            table.apply(action, *await self._next(table, action))
        found = table.look.points
        if table.look.over and known is not None and list(known) != found:
            raise UserError(f"the record says that points are {list(known)}, and replays to {found}")
        table.ready = True
        if table.look.over:
            self._count(table)  # once more, in case the server was killed in between
        self.tell(table)
        await self._bots(table)

    async def _next(self, table: Table, action: int) -> tuple[Look, Closed | None]:
        """Return the deal after an action, and the match after the deal, if that ends it."""
        programs = table.programs
        found = await self.batches.run(programs, "advance", table.look.state, np.int32(action))
        look = programs.look(found)
        if not look.over or not table.match:
            return look, None
        totals, number = np.asarray(table.totals, np.int32), np.int32(table.number)
        standing = look.state, totals, number, table.cards
        return look, programs.closed(await self.batches.run(programs, "close", *standing))

    async def deal_next(self, table: Table, closed: Closed | None) -> None:
        """Deal the deal after one that is over; `closed` is the match after it."""
        number = table.number + 1
        if closed is not None:
            await self._deal(table, number, closed.following, closed.totals)
            return
        row = await self.batches.run(table.programs, "begin", deal_key(table.cards, number))
        await self._deal(table, number, row, table.totals)

    # ---- Playing --------------------------------------------------------------------------------

    async def move(self, table: Table, action: int) -> None:
        """Play a legal action: compute what follows, write it, and tell it."""
        look, closed = await self._next(table, action)
        # No await from here on: whoever looks sees the table before the action, or after all of it.
        points = look.points if look.over else None
        self.store.set_actions(table.id, table.number, [*table.actions, action], points)
        table.apply(action, look, closed)
        if look.over:
            self._count(table)
        self.tell(table)

    def play_on(self, table: Table) -> None:
        """Let the players move, if one of them is to act."""
        acting = table.acting
        if acting is not None and not acting.is_person and not table.busy:
            self.start(table, self._bots(table))

    async def _bots(self, table: Table) -> None:
        """Play for the players until a person is to act. Each move takes as long as any other."""
        loop = asyncio.get_running_loop()
        try:
            while (acting := table.acting) is not None and not acting.is_person:
                begun = loop.time()
                action = await self.library.choose(
                    table.programs, acting.kind, table.match, table.look, table.luck, table.number,
                    len(table.actions),
                )  # fmt: skip
                await asyncio.sleep(_rest(loop.time() - begun, self.settings.pause))
                await self.move(table, action)
        finally:
            table.busy = False
            # A person who has acted meanwhile has been refused; nothing is lost.

    def _count(self, table: Table) -> None:
        """Write what a finished deal, and perhaps match, was for each person."""
        if not recorded.counts(table.opening):
            return
        over = table.status == OVER and table.counts_match
        for kind in ("deal", "match") if over else ("deal",):
            returns = table.look.returns if kind == "deal" else outcome_of(table)
            self.store.add_outcomes(self._outcomes(table, kind, returns))

    def _outcomes(self, table: Table, kind: str, returns: list[float]) -> list[Outcome]:
        game = table.programs.game
        opponents = ", ".join(sorted({o.kind for o in table.occupants if not o.is_person}))
        people = [(n, o.person) for n, o in enumerate(table.occupants) if o.person]
        if len([o for o in table.occupants if o.is_person]) > 1:
            opponents = f"{opponents}, people" if opponents else "people"
        return [
            Outcome(
                person, table.id, table.number, kind, game.id, opponents, returns[player],
                won_share(game, returns, player), time.time(),
            )
            for player, person in people
        ]  # fmt: skip

    def tell(self, table: Table) -> None:
        """Wake the windows that listen."""
        table.changed.set()
        table.changed = asyncio.Event()
        table.used = time.monotonic()


def _rest(spent: float, pause: float) -> float:
    """Return how long a player still waits: until a whole number of pauses is over.

    So the time of an answer tells nothing of what the player holds.
    """
    if pause <= 0:
        return 0.0
    return pause - spent % pause
