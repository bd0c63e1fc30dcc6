"""One table while it is played: its deal, look by look, and what each player sees of it.

Nothing here waits or writes: `tables` plays the moves and keeps them.
"""

import asyncio
import json
import time
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.match import totals_by_player
from jaxcards.play import events
from jaxcards.records.record import DealRecord, id_and_rules
from jaxcards.serve.programs import Closed, Look, Programs
from jaxcards.serve.recorded import GIVEN
from jaxcards.serve.seating import Occupant
from jaxcards.serve.store import Kept
from jaxcards.view.look import seen_by
from jaxcards.view.parts import in_match
from jaxcards.view.structure import View
from jaxcards.view.text import Text

PREPARING, PLAYING, DEAL_OVER, OVER, FAILED = "preparing", "playing", "deal over", "over", "failed"

_VIEWS = 3  # of a player that are kept: those of the last moves, which are asked for again


class Table:
    """A table: deals one after the other, or those of a match.

    Attributes:
      id: of the table.
      programs: the compiled functions of its game.
      match: whether a match is played.
      cards, luck: uint32[2] each, which decide all cards, and all choices of players.
      occupants: who plays for each player.
      number: of the deal, from 0.
      actions: of this deal.
      looks: the deal before its first action, and after each.
      totals: of each player in the match, without this deal.
      counts_match: whether the result of the match is kept: it began at zero.
      closed: the match after this deal, once the deal is over.
      owner: hash of the token of whoever opened the table, and may invite others.
      ready: whether the deal is as far as it has been played; False while it is dealt again.
      failure: why the table cannot be played, or empty.
      changed: is set, and replaced, with each change.
      used: when it was last asked for or changed, by `time.monotonic`.
      busy: whether an action is being played.
      listeners: windows that wait for its events.
      task: what plays on by itself.
      again: whether `failure` may be gone when the table is next asked for.
      changes: how often somebody has joined or left, or anything else has changed that is no action.
    """

    def __init__(self, kept: Kept, programs: Programs) -> None:
        self.id, self.programs, self.match, self.owner = kept.id, programs, kept.match, kept.owner
        words = np.frombuffer(kept.key, np.uint32).copy()
        self.cards, self.luck = words[:2], words[2:]
        self.occupants = kept.occupants
        self.number, self.actions, self.looks = 0, list[int](), list[Look]()
        totals = kept.totals or [0] * programs.game.num_players
        self.totals: list[int] = totals_by_player(programs.game, totals).tolist()
        self.counts_match = not kept.totals and not kept.num_deals
        self.closed: Closed | None = None
        self.opening: dict[str, Any] = {}
        self.ready, self.failure = False, ""
        self.changes = 0
        self.changed, self.used = asyncio.Event(), time.monotonic()
        self.busy, self.listeners, self.again = False, 0, False
        self.task: asyncio.Task[None] | None = None
        self._earlier = 0  # turns of the deals before
        self._views: dict[tuple[int, int], View] = {}
        self._lines: dict[int, list[list[Text]]] = {}

    # ---- The course of a deal -------------------------------------------------------------------

    def begin(self, number: int, opening: dict[str, Any], look: Look, totals: list[int]) -> None:
        """Put a deal on the table, before its first action."""
        if self.looks:
            self._earlier += len(self.actions) + 1
        self.number, self.opening, self.totals = number, opening, totals
        self.actions, self.looks, self.closed = [], [look], None
        self._views.clear()
        self._lines.clear()

    def skip(self, turns: int) -> None:
        """Count the turns of deals that have been played before the server started."""
        self._earlier += turns

    def apply(self, action: int, look: Look, closed: Closed | None) -> None:
        """Add an action, what it led to, and the match after the deal, if it has ended one."""
        self.actions.append(action)
        self.looks.append(look)
        self.closed = closed

    @property
    def look(self) -> Look:
        """The deal as it is."""
        return self.looks[-1]

    @property
    def turn(self) -> int:
        """How many turns there were: an action is one, and so is a new deal."""
        return self._earlier + len(self.actions)

    @property
    def status(self) -> str:
        """One of the words above."""
        if self.failure:
            return FAILED
        if not self.ready:
            return PREPARING
        if not self.look.over:
            return PLAYING
        return OVER if self.match and self.closed is not None and self.closed.over else DEAL_OVER

    @property
    def acting(self) -> Occupant | None:
        """Who is to act; None between deals."""
        return self.occupants[self.look.player] if self.status == PLAYING else None

    def check(self, player: int, turn: int, action: int) -> None:
        """Raise `UserError` unless a player may act so now."""
        if self.status != PLAYING:
            raise UserError(f"nobody can act: the table is {self.status}")
        if turn != self.turn:
            raise UserError(f"the table is at turn {self.turn}, not {turn}: look at it again")
        if self.look.player != player:
            raise UserError("it is not your turn")
        if not 0 <= action < len(self.look.legal) or not self.look.legal[action]:
            raise UserError(f"action {action} is not legal now")

    # ---- What players see -----------------------------------------------------------------------

    def players_of(self, token: str) -> list[int]:
        """Return the players that a person with the hash of a token decides for: one or none."""
        return [n for n, seat in enumerate(self.occupants) if token and seat.token == token]

    def names_for(self, player: int) -> list[Text]:
        """Return the name of each player as a player reads it: its own name is "you"."""
        names = [occupant.known_as for occupant in self.occupants]
        names[player] = Text("seat.you")
        return names

    def view(self, player: int, place: int | None = None) -> View:
        """Return what a player sees of this deal after so many actions, or now."""
        place = len(self.actions) if place is None else place
        key = player, place
        if key not in self._views:
            self._views.pop((player, place - _VIEWS), None)
            self._views[key] = self._view(player, place)
        return self._views[key]

    def _view(self, player: int, place: int) -> View:
        look, game = self.looks[place], self.programs.game
        observation = self.programs.seen.read(look.seen[player])
        points = np.asarray(look.points)
        view = seen_by(game, player, observation, look.legal, look.player, look.over, points)
        return self._around(view, look).named(self.names_for(player))

    def open_view(self, place: int) -> View:
        """Return the deal after so many actions with all hands open.

        Raises:
          UserError: the deal is not over.
        """
        if self.status not in (DEAL_OVER, OVER):
            raise UserError("hands are open when the deal is over, not before")
        look = self.looks[place]
        view = self.programs.game.view(self.programs.state.read(look.state), None)
        given: list[str] | None = self.opening.get(GIVEN)
        return self._around(view, look).named(given or [o.known_as for o in self.occupants])

    def _around(self, view: View, look: Look) -> View:
        if not self.match:
            return view.without_match()
        after = self.closed if look.over else None
        if after is not None and after.over:
            return in_match(view, after.totals, self.number + 1, True, after.winners)
        return in_match(view, self.totals, self.number + 1, False, [])

    def log(self, player: int, place: int | None = None) -> list[list[Text]]:
        """Return the lines that a player was told about each action of this deal."""
        place = len(self.actions) if place is None else place
        lines = self._lines.setdefault(player, [])
        while len(lines) < place:
            number = len(lines)
            before, after = self.view(player, number), self.view(player, number + 1)
            assert before.to_act is not None
            lines.append(events.told(before, after, before.to_act))
        return lines[:place]

    def renamed(self) -> None:
        """Forget what was made with old names."""
        self._views.clear()
        self._lines.clear()
        self.changes += 1

    def record(self) -> DealRecord:
        """Return the record of this deal.

        Raises:
          UserError: the deal is not over.
        """
        if self.status not in (DEAL_OVER, OVER):
            raise UserError("a deal can be kept as a record when it is over, not before")
        id, rules = id_and_rules(self.programs.game)
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


def key_of(table: str, rules: dict[str, Any]) -> str:
    """Return a text by which games of the same rules are the same."""
    return f"{table} {json.dumps(rules, sort_keys=True, default=list)}"


def deal_key(cards: np.ndarray, number: int) -> np.ndarray:
    """Return the key of a deal of a table without match: uint32[2]."""
    # Python's numbers: no function is compiled for it.
    return np.asarray([cards[0], (int(cards[1]) + number) & 0xFFFFFFFF], np.uint32)


def outcome_of(table: Table) -> list[float]:
    """Return what each player has made of the deal or match that is over; see `Game.returns`."""
    if table.match and table.closed is not None and table.closed.over:
        return table.closed.returns
    return table.look.returns
