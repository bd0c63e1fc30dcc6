"""The games that are played, compiled, and the players that choose in them."""

import asyncio
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import jaxcards
from jaxcards import registry
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.host.programs import Look, Programs
from jaxcards.serve.batches import SIZES, Batches
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.remote import Searches
from jaxcards.serve.searches.requests import ADVISE, CHOOSE, COMPILE, LOAD, POLICY

_log = logging.getLogger("jaxcards.serve")

Load = Callable[[str, Game], tuple[Any, Any]]
"""From the name of a player, and the game or match, to an agent and its parameters."""

MOST_GAMES = 48

_SEARCH = "search"  # the name of players that search, up to a colon


class Library:
    """The compiled functions of the games that were asked for last.

    Attributes:
      load: loads a player.
      batches: compiles and calls functions.
      process: makes the searches.
      prepares_hints: whether hints are compiled before a player asks for one.
      played: returns the games that tables play.
    """

    def __init__(
        self, load: Load, batches: Batches, process: SearchProcess, prepares_hints: bool
    ) -> None:
        self.load, self.batches, self.process = load, batches, process
        self.prepares_hints = prepares_hints
        # Weak keys: when a game is forgotten, its searches go with it.
        self._searches: WeakKeyDictionary[Programs, dict[bool, Searches]] = WeakKeyDictionary()
        self._programs: OrderedDict[str, Programs] = OrderedDict()
        self._prepared: WeakKeyDictionary[Searches, asyncio.Task[None]] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self.played: Callable[[], Collection[Programs]] = list

    def game(self, id: str, rules: dict[str, Any]) -> Programs:
        """Return the functions of a game, each compiled when it is first needed.

        Raises:
          UserError: an unknown game, preset or rule, or a value that the rules do not allow.
        """
        # Other spellings of an id, and rules in another order, are the same game.
        key = f"{registry.canonical_id(id)} {json.dumps(rules, sort_keys=True, default=list)}"
        with self._lock:
            if key not in self._programs:
                self._programs[key] = Programs(jaxcards.make(id, **rules), SIZES)
                self._forget_games()
            self._programs.move_to_end(key)
            return self._programs[key]

    def _forget_games(self) -> None:
        """Forget the games that were asked for least recently, unless they are played."""
        played = {id(programs) for programs in self.played()}
        # The last key is the new game itself.
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
        """Compile everything that a table with such players needs."""
        begin = "begin match" if match else "begin"
        for name in (begin, "opening", "advance"):
            await self.batches.prepare(programs, name)
        if not programs.seen_one:
            await self.batches.apart("compile", programs.see_one, begin)
        for player in players:
            if _is_search(player):
                await self._compiled_search(programs, player, match)
            else:
                await self.batches.prepare(programs, await self._choice(programs, player, match))

    def prepare_hints(self, programs: Programs, match: bool, look: Look) -> None:
        """Begin to compile the hints of a game, unless that has begun. The deal is only an example."""
        searches = self.searches(programs, match)
        if self.prepares_hints and searches not in self._prepared:
            self._prepared[searches] = asyncio.create_task(self._first_hint(searches, look))

    async def _first_hint(self, searches: Searches, look: Look) -> None:
        try:
            await self.batches.apart(f"search {POLICY}", searches.hint, look, 0, False)
            await self.batches.apart(f"search {ADVISE}", searches.hint, look, 0)
        except (UserError, RuntimeError) as error:
            _log.info("no hints for %s: %s", searches.game.id, error)

    async def choose(
        self, programs: Programs, player: str, match: bool, decision: tuple[Any, ...]
    ) -> int:
        """Return the action of a player who is to act.

        Args:
          programs: the game.
          player: who chooses.
          match: whether a match is played.
          decision: see `Table.decision`.
        """
        if _is_search(player):
            searches = await self._compiled_search(programs, player, match)
            return await self.batches.apart(f"search {CHOOSE}", searches.choose, player, decision)
        name = await self._choice(programs, player, match)
        return int(await self.batches.run(programs, name, *decision))

    def searches(self, programs: Programs, match: bool) -> Searches:
        """Return the searches of a game, which another process makes."""
        known = self._searches.setdefault(programs, {})
        if match not in known:
            known[match] = Searches(self.process, programs.game, match)
        return known[match]

    async def _compiled_search(self, programs: Programs, player: str, match: bool) -> Searches:
        """Return the searches of a game once those of a player are compiled."""
        searches = self.searches(programs, match)
        if not searches.is_ready(player):
            await self.batches.apart(f"search {COMPILE}", searches.compile, player)
        return searches

    async def _choice(self, programs: Programs, player: str, match: bool) -> str:
        """Return the function by which a player chooses. Load a new player."""
        # In a match a player may read the score, so that it has a function of its own.
        name = f"{player} in a match" if match else player
        game: Game = programs.match if match and programs.match is not None else programs.game
        if f"choose {name}" in programs.names:
            return f"choose {name}"
        agent, params = await self.batches.apart("load", self.load, player, game)
        return programs.add_agent(name, agent, params)


def _is_search(player: str) -> bool:
    return player.partition(":")[0] == _SEARCH
