"""All tables of a server: opened, joined, played and left; players move by themselves.

Everything here runs in one event loop, and the state of a table changes only between two awaits, so
that no two actions meet. What changes is written first and told then.
"""

import asyncio
import contextlib
import dataclasses
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import jaxcards
from jaxcards import registry
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.play.results import won_share
from jaxcards.serve import seating
from jaxcards.serve.batches import Batches
from jaxcards.serve.programs import LOOK, Closed, Programs
from jaxcards.serve.refusals import Conflict, Forbidden, Missing, TooMany
from jaxcards.serve.seating import SUBSTITUTE, Occupant, seat_all
from jaxcards.serve.settings import ServeSettings
from jaxcards.serve.store import Kept, Outcome, Store, hashed
from jaxcards.serve.table import DEAL_OVER, OVER, Table, deal_key, key_of, outcome_of

Load = Callable[[str, Game], tuple[Any, Any]]
"""From the name of a player, and the game or match, to an agent and its parameters."""

_log = logging.getLogger("jaxcards.serve")

MOST_GAMES = 48
_LOOK_AGAIN = 600.0  # seconds after which a table that nobody looks at leaves memory


@dataclasses.dataclass
class Live:
    """A table in memory, with what waits for it."""

    table: Table
    changed: asyncio.Event
    used: float
    busy: bool = False
    listeners: int = 0
    task: "asyncio.Task[None] | None" = None


class House:
    """The tables of a server.

    Attributes:
      settings: of the server.
      store: the file of all tables.
      batches: makes the moves.
    """

    def __init__(self, settings: ServeSettings, store: Store, load: Load) -> None:
        self.settings, self.store, self.batches = settings, store, Batches()
        self.load = load
        self._live: dict[str, Live] = {}
        self._opening: dict[str, asyncio.Task[Live]] = {}
        self._programs: OrderedDict[str, Programs] = OrderedDict()

    # ---- Games ----------------------------------------------------------------------------------

    def game(self, id: str, rules: dict[str, Any]) -> Programs:
        """Returns the functions of a game, which may have to be compiled yet.

        Raises:
          UserError: an unknown game, preset or rule, or a value that the rules do not allow.
        """
        key = key_of(registry.canonical_id(id), rules)
        if key not in self._programs:
            self._programs[key] = Programs(jaxcards.make(id, **rules))
            self._forget_games()
        self._programs.move_to_end(key)
        return self._programs[key]

    def _forget_games(self) -> None:
        """Forgets the games that were asked for least recently, unless they are played."""
        played = {id(live.table.programs) for live in self._live.values()}
        for key in list(self._programs)[:-1]:
            if len(self._programs) <= MOST_GAMES:
                return
            if id(self._programs[key]) not in played:
                del self._programs[key]

    async def warm(self) -> None:
        """Compiles the games that the settings name, with the first player that is offered."""
        for id in self.settings.warm:
            programs = self.game(id, {})
            await self._compile(programs, self.settings.players[:1], False)

    async def _compile(self, programs: Programs, players: Sequence[str], match: bool) -> None:
        for name in ("begin match" if match else "begin", "opening", "advance"):
            await self.batches.prepare(programs, name)
        for player in players:
            await self.batches.prepare(programs, await self._choice(programs, player, match))

    async def _choice(self, programs: Programs, player: str, match: bool) -> str:
        """Returns the function by which a player chooses; loads the player if it is new."""
        name = f"{player} in a match" if match else player
        game: Game = programs.match if match and programs.match is not None else programs.game
        if f"choose {name}" in programs.names:
            return f"choose {name}"
        agent, params = await self.batches.apart("quick", self.load, player, game)
        return programs.add_agent(name, agent, params)

    # ---- Opening, joining, leaving --------------------------------------------------------------

    async def open(
        self, game: str, rules: dict[str, Any], match: bool, seats: Sequence[str], name: str, person: str
    ) -> tuple[Table, int, str]:
        """Opens a table; it is dealt as soon as its game is compiled.

        Args:
          game, rules: see `jaxcards.make`.
          match: whether a whole match is played.
          seats: see `seating.seat_all`.
          name: of whoever opens it.
          person: hash of the token that results are kept for.

        Returns:
          The table, the player that opened it, and the token of the seat.

        Raises:
          UserError: the table cannot be: an unknown rule, a player who does not know the game.
          TooMany: there are too many tables.
        """
        self._check_room(person)
        id = registry.canonical_id(game)
        programs = await self.batches.apart("quick", self.game, id, rules)
        if match and programs.match is None:
            raise UserError(f"{id} has no matches: its deals stand for themselves")
        players = programs.game.num_players
        occupants = seat_all(seats, self.settings.players, players, seating.checked_name(name), id)
        for occupant in occupants:
            if not occupant.is_person:
                await self._choice(programs, occupant.kind, match)
        token, player = seating.new_token(), list(seats).index(seating.YOU)
        occupants[player] = dataclasses.replace(occupants[player], token=hashed(token), person=person)
        self._check_room(person)  # others may have opened tables meanwhile
        kept = Kept(
            secrets.token_hex(8), id, rules, match, secrets.token_bytes(16), person, occupants, []
        )
        self.store.add_table(kept, jaxcards.__version__)
        live = self._bring(kept, programs)
        self._start(live, self._deal_first(live))
        _log.info("table %s opened: %s", kept.id, id)
        return live.table, player, token

    def _check_room(self, person: str) -> None:
        everybody, own = self.store.counts(person)
        if everybody >= self.settings.max_tables:
            raise TooMany("all tables of this server are taken: try again later")
        if own >= self.settings.max_tables_of_person:
            raise TooMany(f"you have {own} tables, as many as one may have: leave one of them")

    async def join(self, id: str, invitation: str, name: str, person: str) -> tuple[Table, int, str]:
        """Takes a seat by invitation; returns the table, the player and the token of the seat.

        Raises:
          Missing: no such table.
          Forbidden: no free seat has this invitation.
        """
        live = await self.live(id)
        name = seating.checked_name(name)
        for player, occupant in enumerate(live.table.occupants):
            known = occupant.invitation
            if occupant.free and known and secrets.compare_digest(known, invitation):
                token = seating.new_token()
                taken = Occupant(seating.PERSON, name, hashed(token), person)
                self._seat(live, player, taken)
                return live.table, player, token
        raise Forbidden("this invitation has been used, or never was one of this table")

    async def leave(self, id: str, token: str) -> None:
        """Leaves a seat: a player takes it, or, if nobody else sits there, the table is removed."""
        live, player = await self.seat(id, token)
        others = [o for n, o in enumerate(live.table.occupants) if n != player and o.token]
        if not others:
            if live.task is not None:
                live.task.cancel()
            self.store.remove(id)
            del self._live[id]
            live.table.failure = "everybody has left"
            live.changed.set()
            return
        name = live.table.occupants[player].name
        await self._choice(live.table.programs, SUBSTITUTE, live.table.match)
        self._seat(live, player, Occupant(SUBSTITUTE, f"{SUBSTITUTE} for {name}"))
        self._play_on(live)

    def _seat(self, live: Live, player: int, occupant: Occupant) -> None:
        self.store.set_seat(live.table.id, player, occupant)
        live.table.occupants[player] = occupant
        live.table.renamed()
        self._tell(live)

    # ---- Finding --------------------------------------------------------------------------------

    async def seat(self, id: str, token: str) -> tuple[Live, int]:
        """Returns a table, and the player that a token stands for.

        Raises:
          Missing: no such table.
          Forbidden: the token is of no seat of this table.
        """
        live = await self.live(id)
        players = live.table.players_of(hashed(token))
        if not players:
            raise Forbidden("this token is of no seat of this table")
        return live, players[0]

    async def live(self, id: str) -> Live:
        """Returns a table, which comes from the file if it is not in memory.

        Raises:
          Missing: no such table.
        """
        if id not in self._live and id not in self._opening:
            kept = self.store.table(id)
            if kept is None:
                raise Missing("there is no such table; perhaps everybody has left it")
            self._opening[id] = asyncio.create_task(self._restore(kept))
            self._opening[id].add_done_callback(lambda _: self._opening.pop(id, None))
        if id in self._opening:
            await asyncio.shield(self._opening[id])
        self._live[id].used = time.monotonic()
        return self._live[id]

    def _bring(self, kept: Kept, programs: Programs) -> Live:
        table = Table(kept.id, programs, kept.match, kept.key, kept.owner, kept.occupants)
        live = Live(table, asyncio.Event(), time.monotonic())
        self._live[kept.id] = live
        return live

    async def _restore(self, kept: Kept) -> Live:
        """Brings a table back as it was: its deal is dealt again, and played up to where it stood."""
        programs = await self.batches.apart("quick", self.game, kept.game, kept.rules)
        live = self._bring(kept, programs)
        self._start(live, self._replay(live, kept) if kept.deals else self._deal_first(live))
        return live

    def forget_unused(self) -> None:
        """Drops tables from memory that nobody looks at, and from the file those long unused."""
        now = time.monotonic()
        for id, live in list(self._live.items()):
            if not live.listeners and not live.busy and now - live.used > _LOOK_AGAIN:
                if live.task is None or live.task.done():
                    del self._live[id]
        self.store.remove_unused(time.time() - 86_400 * self.settings.keep_days)

    # ---- Dealing --------------------------------------------------------------------------------

    def _start(self, live: Live, what: Any) -> None:
        """Runs a task of a table; a failure is told to its players."""

        async def guarded() -> None:
            try:
                await what
            except UserError as error:
                live.table.failure = str(error)
                self._tell(live)
            except Exception:
                _log.exception("table %s failed", live.table.id)
                live.table.failure = "this table cannot go on; the log of the server says why"
                self._tell(live)

        live.busy = True
        live.task = asyncio.create_task(guarded())

    async def _deal_first(self, live: Live) -> None:
        table = live.table
        kinds = [occupant.kind for occupant in table.occupants if not occupant.is_person]
        await self._compile(table.programs, sorted(set(kinds)), table.match)
        name, key = ("begin match", table.cards) if table.match else ("begin", deal_key(table.cards, 0))
        row = await self.batches.run(table.programs, name, key)
        await self._deal(live, 0, row, [0] * table.programs.game.num_players)

    async def _deal(self, live: Live, number: int, row: np.ndarray, totals: list[int]) -> None:
        table, programs = live.table, live.table.programs
        opening = programs.opening_of(await self.batches.run(programs, "opening", row))
        look = programs.look(await self.batches.run(programs, "advance", row, np.int32(LOOK)))
        self.store.begin_deal(table.id, number, opening)
        table.begin(number, opening, look, totals)
        table.ready = True
        self._tell(live)
        await self._bots(live)

    async def _replay(self, live: Live, kept: Kept) -> None:
        table, programs = live.table, live.table.programs
        *earlier, (number, opening, actions, _) = kept.deals
        kinds = [occupant.kind for occupant in table.occupants if not occupant.is_person]
        await self._compile(programs, sorted(set(kinds)), table.match)
        row = await self.batches.run(programs, "restore", *programs.opening_row(opening))
        look = programs.look(await self.batches.run(programs, "advance", row, np.int32(LOOK)))
        totals = np.zeros(programs.game.num_players, int)
        for _, _, done, points in earlier:
            table.skip(len(done) + 1)
            totals += np.asarray(points or 0)
        table.begin(number, opening, look, totals.tolist() if table.match else [0] * len(totals))
        for action in actions:
            await self._advance(live, action)
        await self._close(live)
        table.ready = True
        if table.look.over:
            self._count(live)  # once more, in case the server was killed in between
        self._tell(live)
        await self._bots(live)

    async def _advance(self, live: Live, action: int) -> None:
        programs, state = live.table.programs, live.table.look.state
        found = await self.batches.run(programs, "advance", state, np.int32(action))
        live.table.apply(action, programs.look(found))

    async def _close(self, live: Live) -> None:
        """Adds a deal that is over to its match, or finds that there is nothing to add."""
        table = live.table
        if not table.look.over or not table.match:
            return
        totals, number = np.asarray(table.totals, np.int32), np.int32(table.number)
        found = await self.batches.run(
            table.programs, "close", table.look.state, totals, number, table.cards
        )
        table.closed = table.programs.closed(found)

    # ---- Playing --------------------------------------------------------------------------------

    async def act(self, id: str, token: str, turn: int, action: int) -> tuple[Table, int]:
        """Plays an action for a seat.

        Raises:
          Missing, Forbidden: as `seat`.
          Conflict: it is not this player's turn, or not this turn, or the action is not legal.
        """
        live, player = await self.seat(id, token)
        try:
            live.table.check(player, turn, action)
        except UserError as error:
            raise Conflict(str(error)) from None
        if live.busy:
            raise Conflict("another action is being played")
        live.busy = True
        try:
            await self._move(live, action)
        finally:
            live.busy = False
        self._play_on(live)
        return live.table, player

    async def next_deal(self, id: str, token: str, turn: int) -> tuple[Table, int]:
        """Deals the next deal, of the match or by itself. Errors as `act`."""
        live, player = await self.seat(id, token)
        table = live.table
        if live.busy or table.status != DEAL_OVER or turn != table.turn:
            why = "the match is over" if table.status == OVER else "the deal is not over"
            raise Conflict(f"there is no next deal at turn {turn}: {why}")
        self._start(live, self._deal_next(live, table.closed))
        return table, player

    async def _deal_next(self, live: Live, closed: Closed | None) -> None:
        table, number = live.table, live.table.number + 1
        if closed is not None:
            await self._deal(live, number, closed.following, closed.totals)
            return
        row = await self.batches.run(table.programs, "begin", deal_key(table.cards, number))
        await self._deal(live, number, row, table.totals)

    async def _move(self, live: Live, action: int) -> None:
        """Plays a legal action: computes what follows, writes it, and tells it."""
        table, programs = live.table, live.table.programs
        found = await self.batches.run(programs, "advance", table.look.state, np.int32(action))
        look = programs.look(found)
        points = look.points if look.over else None
        self.store.set_actions(table.id, table.number, [*table.actions, action], points)
        table.apply(action, look)
        await self._close(live)
        if look.over:
            self._count(live)
        self._tell(live)

    def _play_on(self, live: Live) -> None:
        acting = live.table.acting
        if acting is not None and not acting.is_person and not live.busy:
            self._start(live, self._bots(live))

    async def _bots(self, live: Live) -> None:
        """Plays for the players until a person is to act. Each move takes as long as any other."""
        table, loop = live.table, asyncio.get_running_loop()
        try:
            while (acting := table.acting) is not None and not acting.is_person:
                begun = loop.time()
                name = await self._choice(table.programs, acting.kind, table.match)
                done = np.uint32(len(table.actions))
                action = await self.batches.run(
                    table.programs, name, table.look.state, table.luck, np.uint32(table.number), done
                )
                await asyncio.sleep(_rest(loop.time() - begun, self.settings.pause))
                await self._move(live, int(action))
        finally:
            live.busy = False
            # A person who has acted meanwhile has been refused; nothing is lost.

    def _count(self, live: Live) -> None:
        """Writes what a finished deal, and perhaps match, was for each person."""
        table = live.table
        over = table.status == OVER
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

    # ---- Telling --------------------------------------------------------------------------------

    def _tell(self, live: Live) -> None:
        live.changed.set()
        live.changed = asyncio.Event()
        live.used = time.monotonic()

    @contextlib.contextmanager
    def listening(self, live: Live) -> Any:
        """Counts a window that listens to a table.

        Raises:
          TooMany: too many listen.
        """
        if sum(other.listeners for other in self._live.values()) >= self.settings.max_streams:
            raise TooMany("too many windows listen to this server: close some")
        live.listeners += 1
        try:
            yield
        finally:
            live.listeners -= 1

    def close(self) -> None:
        """Stops all that is going on; the file has everything."""
        for live in self._live.values():
            if live.task is not None:
                live.task.cancel()
        self.batches.close()
        self.store.close()


def _rest(spent: float, pause: float) -> float:
    """Returns how long a player still waits: until a whole number of pauses is over.

    So the time of an answer tells nothing of what the player holds.
    """
    if pause <= 0:
        return 0.0
    return pause - spent % pause


