"""The games that are played, compiled, and the players that choose in them."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

import jaxcards
from jaxcards import registry
from jaxcards.game import Game
from jaxcards.serve.batches import Batches
from jaxcards.serve.programs import Look, Programs
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.remote import Searches
from jaxcards.serve.searches.requests import LOAD
from jaxcards.serve.table import key_of

Load = Callable[[str, Game], tuple[Any, Any]]
"""From the name of a player, and the game or match, to an agent and its parameters."""

MOST_GAMES = 48

_SEARCH = "search"  # the name of players that search, up to a colon


class Library:
    """The compiled functions of each game that has been asked for lately.

    Attributes:
      load: loads a player.
      batches: compiles and calls functions.
      process: makes the searches.
    """

    def __init__(self, load: Load, batches: Batches, process: SearchProcess) -> None:
        self.load, self.batches, self.process = load, batches, process
        self._searches: WeakKeyDictionary[Programs, dict[bool, Searches]] = WeakKeyDictionary()
        self._programs: OrderedDict[str, Programs] = OrderedDict()
        self._lock = threading.Lock()
        self.played: Callable[[], Collection[Programs]] = list

    def game(self, id: str, rules: dict[str, Any]) -> Programs:
        """Return the functions of a game, which may have to be compiled yet.

        Raises:
          UserError: an unknown game, preset or rule, or a value that the rules do not allow.
        """
        key = key_of(registry.canonical_id(id), rules)
        with self._lock:
            if key not in self._programs:
                self._programs[key] = Programs(jaxcards.make(id, **rules))
                self._forget_games()
            self._programs.move_to_end(key)
            return self._programs[key]

    def _forget_games(self) -> None:
        """Forget the games that were asked for least recently, unless they are played."""
        played = {id(programs) for programs in self.played()}
        for key in list(self._programs)[:-1]:
            if len(self._programs) <= MOST_GAMES:
                return
            if id(self._programs[key]) not in played:
                del self._programs[key]

    # ---- Players --------------------------------------------------------------------------------

    async def check(self, programs: Programs, player: str, match: bool) -> None:
        """Load a player, unless it is loaded.

        Raises:
          UserError: the player does not know the game.
        """
        if not _is_search(player):
            await self._choice(programs, player, match)
            return
        searches = self.searches(programs, match)
        if not searches.knows(player):
            await self.batches.apart(f"search {LOAD}", searches.load, player)

    async def compile(self, programs: Programs, players: Sequence[str], match: bool) -> None:
        """Compile what a table with such players needs, unless it is."""
        begin = "begin match" if match else "begin"
        for name in (begin, "opening", "advance"):
            await self.batches.prepare(programs, name)
        if not programs.seen_one:
            await self.batches.apart("compile", programs.see_one, begin)
        for player in players:
            if _is_search(player):
                await self.batches.prepare(programs, "luck")
                await self.batches.prepare(self.searches(programs, match), player)
            else:
                await self.batches.prepare(programs, await self._choice(programs, player, match))

    async def choose(
        self, programs: Programs, player: str, match: bool, look: Look, luck: np.ndarray, number: int,
        done: int,
    ) -> int:  # fmt: skip
        """Return the action of a player who is to act.

        Args:
          programs: the game.
          player: who chooses.
          match: whether a match is played.
          look: the deal as it is.
          luck: uint32[2], which decides all choices of a table.
          number: of the deal.
          done: how many actions it has had.
        """
        drawn = luck, np.uint32(number), np.uint32(done)
        if _is_search(player):
            key = await self.batches.run(programs, "luck", *drawn)
            searches = self.searches(programs, match)
            return int(await self.batches.run(searches, player, *searches.row(look, key)))
        name = await self._choice(programs, player, match)
        return int(await self.batches.run(programs, name, look.state, *drawn))

    def searches(self, programs: Programs, match: bool) -> Searches:
        """Return the searches of a game, which another process makes."""
        known = self._searches.setdefault(programs, {})
        if match not in known:
            known[match] = Searches(self.process, programs, match)
        return known[match]

    async def _choice(self, programs: Programs, player: str, match: bool) -> str:
        """Return the function by which a player chooses; loads the player if it is new."""
        name = f"{player} in a match" if match else player
        game: Game = programs.match if match and programs.match is not None else programs.game
        if f"choose {name}" in programs.names:
            return f"choose {name}"
        agent, params = await self.batches.apart("load", self.load, player, game)
        return programs.add_agent(name, agent, params)


def _is_search(player: str) -> bool:
    return player.partition(":")[0] == _SEARCH
