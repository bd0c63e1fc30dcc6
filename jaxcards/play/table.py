"""A table on the host: a deal or a match, its players, and all actions so far.

This module does not compute moves: `local` and the tables of a server do, and add the results.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.host.programs import Closed, Look, Programs
from jaxcards.match import totals_by_player
from jaxcards.play import events
from jaxcards.view.parts import in_match
from jaxcards.view.structure import View
from jaxcards.view.text import Text

_VIEWS = 3  # views to keep for each player: those of the last moves, which are requested again


class Table:
    """Deals one after the other, or those of a match.

    Attributes:
      programs: the compiled functions of the game.
      game: of single deals.
      occupants: for each player; `known_at` returns the name of each at its seat.
      match: whether a match is played.
      cards, luck: uint32[2] each, decide all cards, and all choices of players.
      number: of the deal, from 0.
      totals: points of each player in the deals before this one.
      actions: of this deal.
      looks: the deal before its first action, and after each.
      closed: the match after this deal, once the deal is over.
    """

    def __init__(
        self, programs: Programs, occupants: Sequence[Any], *, match: bool, totals: Sequence[int],
        cards: np.ndarray, luck: np.ndarray,
    ) -> None:  # fmt: skip
        self.programs, self.game, self.occupants = programs, programs.game, occupants
        self.match, self.cards, self.luck = match, cards, luck
        self.number, self.actions, self.looks = 0, list[int](), list[Look]()
        totals = totals or [0] * self.game.num_players
        self.totals: list[int] = totals_by_player(self.game, totals).tolist()
        self.closed: Closed | None = None
        self._views: dict[tuple[int | None, int], View] = {}
        self._lines: dict[int | None, list[list[Text]]] = {}

    # ---- The course of a deal -------------------------------------------------------------------

    def begin(self, number: int, look: Look, totals: list[int]) -> None:
        """Put a deal on the table, before its first action."""
        self.number, self.totals = number, totals
        self.actions, self.looks, self.closed = [], [look], None
        self.forget_views()

    def apply(self, action: int, look: Look, closed: Closed | None) -> None:
        """Add an action, the deal after it, and the match after the deal, if the action ends it."""
        self.actions.append(action)
        self.looks.append(look)
        self.closed = closed

    @property
    def look(self) -> Look:
        """The current deal."""
        return self.looks[-1]

    @property
    def player(self) -> int:
        """The player to act."""
        return self.look.player

    @property
    def deal_over(self) -> bool:
        """True if the deal on the table is over."""
        return self.look.over

    @property
    def over(self) -> bool:
        """True if the match is over, or, without a match, the deal."""
        return self.closed is not None and self.closed.over if self.match else self.deal_over

    def check_legal(self, action: int) -> None:
        """Raise `UserError` unless an action is legal for the player to act."""
        if self.deal_over:
            raise UserError("the deal is over: no action is legal")
        if not 0 <= action < len(self.look.legal) or not self.look.legal[action]:
            raise UserError(f"action {action} is not legal now")

    def returns(self) -> list[float]:
        """Return the returns of the finished match, or of the deal; see `Game.returns`."""
        return self.closed.returns if self.closed is not None and self.over else self.look.returns

    def totals_after(self, points: Sequence[int]) -> list[int]:
        """Return the points of each player after a deal, without the rules of a match."""
        return [total + number for total, number in zip(self.totals, points, strict=True)]

    # ---- Arguments of `programs` ----------------------------------------------------------------

    def standing(self, look: Look) -> tuple[Any, ...]:
        """Return the arguments of "close" for a finished deal."""
        return look.state, np.asarray(self.totals, np.int32), np.int32(self.number), self.cards

    def decision(self, number: int) -> tuple[Any, ...]:
        """Return the arguments of a choice of the player to act, in a deal of a number."""
        return *self.look.asked, self.luck, np.uint32(number), np.uint32(len(self.actions))

    # ---- Views ----------------------------------------------------------------------------------

    def names_for(self, player: int | None) -> list[Text | str]:
        """Return the name of each player as a player reads it: its own name is "you"."""
        names = [occupant.known_at(n) for n, occupant in enumerate(self.occupants)]
        return [Text("seat.you") if n == player else name for n, name in enumerate(names)]

    def view(self, player: int | None, place: int | None = None) -> View:
        """Return the view of a player after a number of actions of this deal, or now.

        All hands lie open for None.
        """
        place = len(self.actions) if place is None else place
        view = self._views.get((player, place))
        if view is None:
            look = self.looks[place]
            view = self._in_match(self.programs.view(look, player), look)
            view = view.named(self.names_for(player))
            # Views are made in order: with a new one, the oldest one can go.
            self._views.pop((player, place - _VIEWS), None)
            self._views[player, place] = view
        return view

    def _in_match(self, view: View, look: Look) -> View:
        """Return the view of a deal with the additions of the match."""
        if not self.match:
            totals = self.totals_after(look.points) if look.over else self.totals
            return view.without_target().with_totals(totals)
        if look.over and (closed := self.closed) is not None:
            return in_match(view, closed.totals, self.number + 1, closed.over, closed.winners)
        return in_match(view, self.totals, self.number + 1, False, [])

    def told(self, player: int | None, place: int) -> list[Text]:
        """Return a player's lines about an action of this deal."""
        before, after = self.view(player, place), self.view(player, place + 1)
        assert before.to_act is not None
        return events.told(before, after, before.to_act)

    def log(self, player: int, place: int | None = None) -> list[list[Text]]:
        """Return the lines about each action of this deal, or of its first ones."""
        place = len(self.actions) if place is None else place
        lines = self._lines.setdefault(player, [])
        while len(lines) < place:
            lines.append(self.told(player, len(lines)))
        return lines[:place]

    def forget_views(self) -> None:
        """Clear views and lines, which have names of players."""
        self._views.clear()
        self._lines.clear()
