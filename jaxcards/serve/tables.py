"""Open, join, find and leave the tables of a server."""

import asyncio
import dataclasses
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import jaxcards
from jaxcards import registry
from jaxcards.errors import UserError
from jaxcards.host.programs import Programs
from jaxcards.records import DealRecord
from jaxcards.serve import recorded, seating
from jaxcards.serve.batches import Batches
from jaxcards.serve.library import Library, Load
from jaxcards.serve.refusals import Forbidden, Missing, TooMany
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.requests import Setup
from jaxcards.serve.seating import SUBSTITUTE, Occupant, seat_all
from jaxcards.serve.settings import ServeSettings
from jaxcards.serve.store import Kept, Store, hashed
from jaxcards.serve.table import ServedTable
from jaxcards.view.text import Text
from jaxcards.xla import cache

_log = logging.getLogger("jaxcards.serve")

_LOOK_AGAIN = 600.0  # seconds after which an unused table leaves memory


def new_key() -> bytes:
    """Return 128 random bits, from which all cards of a table follow."""
    return secrets.token_bytes(16)


class Tables:
    """The tables of a server.

    Attributes:
      settings: of the server.
      store: the file of all tables.
      library: the games, and the players.
      batches: compiles and calls functions.
      process: makes the searches.
    """

    def __init__(self, settings: ServeSettings, store: Store, load: Load) -> None:
        self.settings, self.store = settings, store
        self.batches = Batches(settings.nice)
        setup = Setup(load, settings.hint_worlds, cache.options(), settings.nice)
        self.process = SearchProcess(setup)
        self.library = Library(load, self.batches, self.process, settings.prepare_hints)
        self.library.played = lambda: [table.programs for table in self._tables.values()]
        self._tables: dict[str, ServedTable] = {}
        self._opening: dict[str, asyncio.Task[ServedTable]] = {}

    async def warm(self) -> None:
        """Compile the games that the settings name, with the first player that is offered."""
        for id in self.settings.warm:
            programs = self.library.game(id, {})
            await self.library.compile(programs, self.settings.players[:1], False)

    # ---- Opening, joining, leaving --------------------------------------------------------------

    async def open(
        self,
        game: str,
        rules: dict[str, Any],
        match: bool,
        seats: Sequence[str],
        name: str,
        person: str,
        totals: Sequence[int] = (),
        num_deals: int = 0,
    ) -> tuple[ServedTable, int, str]:
        """Open a table. It is dealt as soon as its game is compiled.

        Args:
          game, rules: see `jaxcards.make`.
          match: whether a whole match is played.
          seats: see `seating.seat_all`.
          name: of the person who opens the table.
          person: hash of the token that results are kept for.
          totals, num_deals: the standing at which a match begins; see `Match.init`.

        Returns:
          The table, the player that opened it, and the token of the seat.

        Raises:
          UserError: an unknown rule, or a player who does not know the game.
          TooMany: the server or the person has too many tables.
        """
        self._check_room(person)
        id = registry.canonical_id(game)
        programs = await self.batches.apart("load", self.library.game, id, rules)
        if match and programs.match is None:
            raise UserError(f"{id} has no matches: its deals stand for themselves")
        if totals or num_deals:
            if not match:
                raise UserError("totals and deals_before are of a match: add match = true")
            # Refuse an impossible score before the table is written; the key does not matter.
            example = np.zeros(2, np.uint32), totals, num_deals
            await self.batches.apart("load", programs.begin_at, *example)
        kept, player, token = await self._seated(programs, id, rules, match, seats, name, person)
        kept = dataclasses.replace(kept, totals=list(totals), num_deals=num_deals)
        self.store.add_table(kept, jaxcards.__version__)
        table = self._bring(kept, programs)
        table.start(table.deal_first(kept))
        _log.info("table %s opened: %s", kept.id, id)
        return table, player, token

    async def open_record(
        self, line: str, move: int | None, player: int, others: str | None, name: str, person: str
    ) -> tuple[ServedTable, int, str]:
        """Open a table at a move of a recorded deal. Its results are not kept.

        Args:
          line: the record of a deal, a line of JSON.
          move: the number of actions that have been played; None for all.
          player: the player of the person who opens the table.
          others: a player offered, for all other seats; None for the first that knows the game.
          name, person: see `open`.

        Returns:
          As `open`. The table fails if the record does not replay.

        Raises:
          UserError: the line is not the record of a deal, or the deal has fewer actions.
          TooMany: see `open`.
        """
        self._check_room(person)
        record = await self.batches.apart("load", recorded.deal_of, line)
        opening, actions = recorded.opened(record, move)
        rules = dict(record.rules)
        programs = await self.batches.apart("load", self.library.game, record.game, rules)
        if player >= programs.game.num_players:
            most = programs.game.num_players - 1
            raise UserError(f"{record.game} has players 0 to {most}: there is no player {player}")
        seats = [others or await self.first_player(programs, False)] * programs.game.num_players
        seats[player] = seating.YOU
        kept, player, token = await self._seated(
            programs, record.game, rules, False, seats, name, person
        )
        kept.deals.append((0, opening, actions, None))
        self.store.add_table(kept, jaxcards.__version__)
        table = self._bring(kept, programs)
        table.start(self._replay_record(table, kept, record))
        _log.info("table %s opened from a record: %s", kept.id, record.game)
        return table, player, token

    async def _replay_record(self, table: ServedTable, kept: Kept, record: DealRecord) -> None:
        """Play a recorded deal up to its move. Remove the table if the record does not replay."""
        try:
            await table.replay(kept, record.points)
        except UserError:
            self.store.remove(kept.id)
            raise

    async def first_player(self, programs: Programs, match: bool) -> str:
        """Return the first player offered that knows a game."""
        for player in self.settings.players:
            try:
                await self.library.check(programs, player, match)
            except UserError:
                continue  # a network that has not learned these rules
            return player
        return SUBSTITUTE

    async def _seated(
        self, programs: Programs, id: str, rules: dict[str, Any], match: bool, seats: Sequence[str],
        name: str, person: str,
    ) -> tuple[Kept, int, str]:  # fmt: skip
        """Return a new table with all seats taken, and the player and token of its first person."""
        players = programs.game.num_players
        occupants = seat_all(seats, self.settings.players, players, seating.checked_name(name), id)
        for occupant in occupants:
            if not occupant.is_person:
                await self.library.check(programs, occupant.kind, match)
        token, player = seating.new_token(), list(seats).index(seating.YOU)
        occupants[player] = dataclasses.replace(occupants[player], token=hashed(token), person=person)
        self._check_room(person)  # others may have opened tables meanwhile
        kept = Kept(secrets.token_hex(8), id, rules, match, new_key(), person, occupants, [], [], 0)
        return kept, player, token

    def _check_room(self, person: str) -> None:
        everybody, own = self.store.counts(person)
        if everybody >= self.settings.max_tables:
            raise TooMany("server_full")
        if own >= self.settings.max_tables_of_person:
            raise TooMany("own_tables", number=own)

    async def join(
        self, id: str, invitation: str, name: str, person: str
    ) -> tuple[ServedTable, int, str]:
        """Take a seat by invitation. Return the table, the player and the token of the seat.

        Raises:
          Missing: no table has this id.
          Forbidden: no free seat has this invitation.
        """
        table, player = await self.invited(id, invitation)
        token = seating.new_token()
        table.seat(player, Occupant(seating.PERSON, seating.checked_name(name), hashed(token), person))
        table.play_on()
        return table, player, token

    async def fill(self, id: str, token: str) -> tuple[ServedTable, int]:
        """Let players take all free seats, and return the table and the player who asks.

        Raises:
          Missing: no table has this id.
          Forbidden: the token does not belong to the seat of the host.
        """
        table, player = await self.seat(id, token)
        if player != table.host:
            raise Forbidden("not_host")
        kind = await self.first_player(table.programs, table.match)
        for seat, occupant in enumerate(table.occupants):
            if occupant.free:
                table.seat(seat, seating.new_player(kind, table.occupants))
        table.play_on()
        return table, player

    async def invited(self, id: str, invitation: str) -> tuple[ServedTable, int]:
        """Return the table and the free seat of an invitation. Errors as `join`."""
        table = await self.find(id)
        for player, occupant in enumerate(table.occupants):
            known = occupant.invitation
            # The time of this comparison tells nothing of the invitation.
            if occupant.free and known and secrets.compare_digest(known, invitation):
                return table, player
        raise Forbidden("invitation_used")

    async def leave(self, id: str, token: str) -> None:
        """Leave a seat. A player takes it; if no other person is left, the table is removed."""
        table, player = await self.seat(id, token)
        others = [o for n, o in enumerate(table.occupants) if n != player and o.token]
        if not others:
            if table.task is not None:
                table.task.cancel()
            self.store.remove(id)
            del self._tables[id]
            # Windows that still listen get a last event.
            table.failure = Text("failed.left")
            table.changed.set()
            return
        name = table.occupants[player].name
        await self.library.check(table.programs, SUBSTITUTE, table.match)
        table.seat(player, seating.substitute(name))
        table.play_on()

    # ---- Finding --------------------------------------------------------------------------------

    async def seat(self, id: str, token: str) -> tuple[ServedTable, int]:
        """Return a table, and the player that a token stands for.

        Raises:
          Missing: no table has this id.
          Forbidden: the token does not belong to a seat of this table.
        """
        table = await self.find(id)
        players = table.players_of(hashed(token))
        if not players:
            raise Forbidden("not_your_seat")
        return table, players[0]

    async def find(self, id: str) -> ServedTable:
        """Return a table. Load it from the file if it is not in memory.

        Raises:
          Missing: no table has this id.
        """
        if id in self._tables and self._tables[id].again:
            del self._tables[id]  # the file has all of it
        if id not in self._tables and id not in self._opening:
            kept = self.store.table(id)
            if kept is None:
                raise Missing("no_table")
            self._opening[id] = asyncio.create_task(self._restore(kept))
            self._opening[id].add_done_callback(lambda _: self._opening.pop(id, None))
        if id in self._opening:
            # Several requests may wait for a table: one that is given up must not cancel its loading.
            await asyncio.shield(self._opening[id])
        self._tables[id].used = time.monotonic()
        return self._tables[id]

    def _bring(self, kept: Kept, programs: Programs) -> ServedTable:
        table = ServedTable(kept, programs, self.library, self.store, self.settings.pause)
        self._tables[kept.id] = table
        return table

    async def _restore(self, kept: Kept) -> ServedTable:
        """Load a table of the file, and replay its deal."""
        programs = await self.batches.apart("load", self.library.game, kept.game, kept.rules)
        table = self._bring(kept, programs)
        table.start(table.replay(kept) if kept.deals else table.deal_first(kept))
        return table

    def forget_unused(self) -> None:
        """Drop unused tables from memory, and tables that are long unused from the file."""
        now = time.monotonic()
        for id, table in list(self._tables.items()):
            if not table.listeners and not table.busy and now - table.used > _LOOK_AGAIN:
                if table.task is None or table.task.done():
                    del self._tables[id]
        self.store.remove_unused(time.time() - 86_400 * self.settings.keep_days)

    # ---- Listening ------------------------------------------------------------------------------

    def check_listeners(self) -> None:
        """Raise `TooMany` if the largest number of windows listens already."""
        if sum(table.listeners for table in self._tables.values()) >= self.settings.max_streams:
            raise TooMany("windows")

    def close(self) -> None:
        """Stop all tasks. The file has everything."""
        for table in self._tables.values():
            if table.task is not None:
                table.task.cancel()
        self.batches.close()
        self.process.close()
        self.store.close()
