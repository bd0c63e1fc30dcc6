"""One table of the server: dealt, played by people and players, written, and told.

The state of a table changes only between two awaits, so that no two actions meet. Every change is
written before it is told.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.host.programs import LOOK, Closed, Look, Programs
from jaxcards.play.results import SHARES
from jaxcards.play.table import Table
from jaxcards.records.record import DealRecord, id_and_rules
from jaxcards.serve.library import Library
from jaxcards.serve.recorded import GIVEN, counts
from jaxcards.serve.refusals import Conflict, Unavailable
from jaxcards.serve.seating import Occupant, shown_name
from jaxcards.serve.store import Kept, Outcome, Store
from jaxcards.view.structure import View
from jaxcards.view.text import Text

PREPARING, WAITING, PLAYING = "preparing", "waiting", "playing"
DEAL_OVER, OVER, FAILED = "deal over", "over", "failed"

LONGEST_WAIT = 30.0  # seconds that a request waits for a table; proxies give up after a minute

_log = logging.getLogger("jaxcards.serve")


class ServedTable(Table):
    """A table whose moves are computed in batches with those of other tables.

    Attributes:
      id: of the table.
      occupants: who plays for each player.
      counts_match: whether the result of the match is kept: it began at zero.
      owner: hash of the token of the person who opened the table.
      opening: deck, dealer and facts of the deal.
      ready: whether the deal is as far as it has been played; False while it is replayed.
      failure: why the table cannot be played, or None.
      again: whether `failure` may be gone when the table is next asked for.
      changed: is set, and replaced, with each change.
      used: when it was last asked for or changed, by `time.monotonic`.
      busy: whether an action is being played.
      listeners: windows that wait for its events.
      task: plays for the players, or prepares the table.
    """

    occupants: list[Occupant]

    def __init__(
        self, kept: Kept, programs: Programs, library: Library, store: Store, pause: float
    ) -> None:
        """Take a table of the file.

        Args:
          kept: the table.
          programs: the functions of its game.
          library: has the players.
          store: where everything is written.
          pause: seconds that a player takes for a move.
        """
        # 16 bytes are four words: two for the cards, two for the choices of players.
        words = np.frombuffer(kept.key, np.uint32).copy()
        super().__init__(
            programs, kept.occupants, match=kept.match, totals=kept.totals, cards=words[:2],
            luck=words[2:],
        )  # fmt: skip
        self.id, self.owner = kept.id, kept.owner
        self.counts_match = not kept.totals and not kept.num_deals
        self.opening: dict[str, Any] = {}
        self.ready, self.again = False, False
        self.failure: Text | None = None
        self.changed, self.used = asyncio.Event(), time.monotonic()
        self.busy, self.listeners = False, 0
        self.task: asyncio.Task[None] | None = None
        self._earlier = 0  # turns of the deals before
        self._library, self._store, self._pause = library, store, pause

    @property
    def turn(self) -> int:
        """The number of turns before this one: an action is a turn, and so is a new deal."""
        return self._earlier + len(self.actions)

    @property
    def status(self) -> str:
        """One of the words above; `WAITING` for invited people."""
        if self.failure:
            return FAILED
        if not self.ready:
            return PREPARING
        if any(occupant.free for occupant in self.occupants):
            return WAITING
        if not self.deal_over:
            return PLAYING
        return OVER if self.match and self.over else DEAL_OVER

    @property
    def finished(self) -> bool:
        """Whether the deal on the table is over, so that all hands may be open."""
        return self.status in (DEAL_OVER, OVER)

    @property
    def host(self) -> int:
        """The seat of the person who opened the table, or of another person once that one has left."""
        people = [n for n, occupant in enumerate(self.occupants) if occupant.token]
        return next((n for n in people if self.occupants[n].person == self.owner), people[0])

    @property
    def acting(self) -> Occupant | None:
        """The occupant to act; None between deals."""
        return self.occupants[self.player] if self.status == PLAYING else None

    async def loaded(self) -> None:
        """Wait until the deal is as far as it has been played.

        Raises:
          Unavailable: the deal takes longer than `LONGEST_WAIT`.
          Conflict: the table has failed.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_WAIT):
                while self.status == PREPARING:
                    await self.changed.wait()
        if self.status == PREPARING:
            raise Unavailable("preparing")
        if self.failure:
            raise Conflict("table_failed", why=self.failure)

    # ---- Dealing --------------------------------------------------------------------------------

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task. If it fails, the players are told."""

        async def guarded() -> None:
            try:
                await work
            except UserError as error:
                self.failure = getattr(error, "text", None) or Text(str(error))
                self.again = isinstance(error, Unavailable)
                self.tell()
            except Exception:
                _log.exception("table %s failed", self.id)
                self.failure = Text("failed.log")
                self.tell()

        self.busy = True
        self.task = asyncio.create_task(guarded())

    async def deal_first(self, kept: Kept) -> None:
        """Compile everything that the table needs, deal its first deal, and play on."""
        await self._compile()
        if kept.totals or kept.num_deals:
            standing = self.cards, kept.totals, kept.num_deals
            row = await self._library.batches.apart("load", self.programs.begin_at, *standing)
        elif self.match:
            row = await self._call("begin match", self.cards)
        else:
            row = await self._call("begin", _deal_key(self.cards, 0))
        await self._deal(kept.num_deals, row, self.totals)
        self._library.prepare_hints(self.programs, self.match, self.look)
        await self._play_players()

    async def replay(self, kept: Kept, known: tuple[int, ...] | None = None) -> None:
        """Play the deal of the file up to where it stood, and play on.

        Args:
          kept: the table.
          known: the points of the deal by a record, if the deal is over.

        Raises:
          UserError: an action is not legal, or the points are others.
        """
        programs = self.programs
        *earlier, (number, opening, actions, _) = kept.deals
        await self._compile()
        row = await self._call("restore", *programs.opening_row(opening))
        look = programs.look(await self._call("advance", row, LOOK))
        totals = np.asarray(self.totals)
        for _, _, done, points in earlier:
            # A turn for each action, and one for dealing the next deal.
            self._earlier += len(done) + 1
            totals = totals + np.asarray(points or 0)
        self.opening = opening
        self.begin(number, look, totals.tolist())
        for place, action in enumerate(actions):
            if not self.look.legal[action]:
                name = self.game.action_to_string(action)
                raise Conflict("record_move", number=place, move=name)
            self.apply(action, *await self._next(action))
        points = self.look.points
        if self.deal_over and known is not None and list(known) != points:
            said, found = (", ".join(map(str, numbers)) for numbers in (known, points))
            raise Conflict("record_points", said=said, found=found)
        self.ready = True
        if self.deal_over:
            self._count()  # once more, in case the server was killed in between
        self.tell()
        await self._play_players()

    async def _compile(self) -> None:
        kinds = {occupant.kind for occupant in self.occupants if not occupant.is_person}
        await self._library.compile(self.programs, sorted(kinds), self.match)

    async def _deal(self, number: int, row: np.ndarray, totals: list[int]) -> None:
        opening = self.programs.opening_of(await self._call("opening", row))
        look = self.programs.look(await self._call("advance", row, LOOK))
        self._store.begin_deal(self.id, number, opening)
        if self.looks:
            self._earlier += len(self.actions) + 1
        self.opening = opening
        self.begin(number, look, totals)
        self.ready = True
        self.tell()

    async def _call(self, name: str, *row: Any) -> Any:
        return await self._library.batches.run(self.programs, name, *row)

    # ---- Playing --------------------------------------------------------------------------------

    async def act(self, player: int, turn: int, action: int) -> None:
        """Play an action of a person.

        Raises:
          Conflict: the player is not to act, the turn is another, or the action is not legal.
        """
        if self.status != PLAYING:
            raise Conflict("no_move_now")
        if turn != self.turn:
            raise Conflict("turn", now=self.turn, asked=turn)
        if self.player != player:
            raise Conflict("not_your_turn")
        if not (0 <= action < len(self.look.legal) and self.look.legal[action]):
            raise Conflict("not_legal")
        if self.busy:
            raise Conflict("moving")
        await self._alone(self._move(action))

    async def next_deal(self, turn: int) -> None:
        """Deal the next deal, of the match or by itself.

        Raises:
          Conflict: the deal is not over, the match is, or the turn is another.
        """
        if self.busy or self.status != DEAL_OVER or turn != self.turn:
            raise Conflict("match_over" if self.status == OVER else "deal_goes_on")
        await self._alone(self._deal_next())

    async def _alone(self, work: Coroutine[Any, Any, None]) -> None:
        """Let other actions be refused until some work is done, then let the players move."""
        self.busy = True
        try:
            await work
        finally:
            self.busy = False
        self.play_on()

    async def _deal_next(self) -> None:
        number = self.number + 1
        if self.closed is not None:
            await self._deal(number, self.closed.following, self.closed.totals)
        else:
            row = await self._call("begin", _deal_key(self.cards, number))
            await self._deal(number, row, self.totals_after(self.look.points))

    async def _move(self, action: int) -> None:
        """Play a legal action: compute the deal after it, write it, and tell it."""
        look, closed = await self._next(action)
        # No await from here on: others see the table before the action, or after all of it.
        points = look.points if look.over else None
        self._store.set_actions(self.id, self.number, [*self.actions, action], points)
        self.apply(action, look, closed)
        if look.over:
            self._count()
        self.tell()

    async def _next(self, action: int) -> tuple[Look, Closed | None]:
        """Return the deal after an action and, if the action ends the deal, the match after it."""
        look = self.programs.look(await self._call("advance", self.look.state, np.int32(action)))
        if not look.over or not self.match:
            return look, None
        return look, self.programs.closed(await self._call("close", *self.standing(look)))

    def play_on(self) -> None:
        """Let the players move, if one of them is to act."""
        if self.acting is not None and not self.acting.is_person and not self.busy:
            self.start(self._play_players())

    async def _play_players(self) -> None:
        """Play for the players until a person is to act. Each move takes as long as any other."""
        loop = asyncio.get_running_loop()
        try:
            while (acting := self.acting) is not None and not acting.is_person:
                begun, decision = loop.time(), self.decision(self.number)
                action = await self._library.choose(self.programs, acting.kind, self.match, decision)
                await asyncio.sleep(_rest(loop.time() - begun, self._pause))
                await self._move(action)
        finally:
            self.busy = False
            # A person who acted meanwhile was refused; nothing is lost.

    # ---- What is kept ---------------------------------------------------------------------------

    def _count(self) -> None:
        """Write the outcome of a finished deal, and perhaps match, for each person."""
        if not counts(self.opening):
            return
        self._store.add_outcomes(self._outcomes("deal", self.look.returns))
        if self.match and self.over and self.counts_match:
            self._store.add_outcomes(self._outcomes("match", self.returns()))

    def _outcomes(self, kind: str, returns: list[float]) -> list[Outcome]:
        opponents = ", ".join(sorted({o.kind for o in self.occupants if not o.is_person}))
        people = [(n, o.person) for n, o in enumerate(self.occupants) if o.person]
        if len([o for o in self.occupants if o.is_person]) > 1:
            opponents = f"{opponents}, people" if opponents else "people"
        see = self.view if kind == "match" else lambda player: self.programs.view(self.look, player)
        return [
            Outcome(
                person, self.id, self.number, kind, self.game.id, opponents, returns[player],
                SHARES[see(player).outcome], time.time(),
            )
            for player, person in people
        ]  # fmt: skip

    def record(self) -> DealRecord:
        """Return the record of this deal.

        Raises:
          UserError: the deal is not over.
        """
        if not self.finished:
            raise Conflict("deal_goes_on")
        id, rules = id_and_rules(self.game)
        facts = {n: tuple(v) if isinstance(v, list) else v for n, v in self.opening["facts"].items()}
        return DealRecord(
            id,
            tuple(self.opening["deck"]),
            self.opening["dealer"],
            tuple(self.actions),
            rules,
            facts,
            tuple(self.look.points),
            tuple(self.opening.get(GIVEN) or [o.name or "a guest" for o in self.occupants]),
        )

    # ---- What is told ---------------------------------------------------------------------------

    def tell(self) -> None:
        """Wake the windows that listen."""
        self.changed.set()
        self.changed = asyncio.Event()
        self.used = time.monotonic()

    def seat(self, player: int, occupant: Occupant) -> None:
        """Let another occupant play for a player: write it, and tell it."""
        self._store.set_seat(self.id, player, occupant)
        self.occupants[player] = occupant
        self.forget_views()
        self.tell()

    def players_of(self, token: str) -> list[int]:
        """Return the players that a person with the hash of a token decides for: one or none."""
        return [n for n, seat in enumerate(self.occupants) if token and seat.token == token]

    def open_view(self, player: int, place: int) -> View:
        """Return the deal after a number of actions with all hands open.

        Names are those of a record, or as a player reads them.

        Raises:
          UserError: the deal is not over.
        """
        if not self.finished:
            raise Conflict("deal_goes_on")
        names, given = self.names_for(player), self.opening.get(GIVEN)
        if given:
            names = [shown_name(name, seat, seat == player) for seat, name in enumerate(given)]
        return self.view(None, place).named(names)


def _deal_key(cards: np.ndarray, number: int) -> np.ndarray:
    """Return the key of a deal of a table without match: uint32[2]."""
    # Python's numbers: no function is compiled for it.
    return np.asarray([cards[0], (int(cards[1]) + number) & 0xFFFFFFFF], np.uint32)


def _rest(spent: float, pause: float) -> float:
    """Return the seconds that a player still waits: until a whole number of pauses is over.

    So the time of an answer tells nothing of what the player holds.
    """
    return pause - spent % pause if pause > 0 else 0.0
