"""The games that are played, compiled, and the players that choose in them."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any

import jaxcards
from jaxcards import registry
from jaxcards.game import Game
from jaxcards.serve.batches import Batches
from jaxcards.serve.programs import Programs
from jaxcards.serve.table import key_of

Load = Callable[[str, Game], tuple[Any, Any]]
"""From the name of a player, and the game or match, to an agent and its parameters."""

MOST_GAMES = 48


class Library:
    """The compiled functions of each game that has been asked for lately.

    Attributes:
      load: loads a player.
      batches: compiles and calls functions.
    """

    def __init__(self, load: Load, batches: Batches) -> None:
        self.load, self.batches = load, batches
        self._programs: OrderedDict[str, Programs] = OrderedDict()
        self._lock = threading.Lock()
        self.played: Callable[[], Collection[Programs]] = list

    def game(self, id: str, rules: dict[str, Any]) -> Programs:
        """Returns the functions of a game, which may have to be compiled yet.

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
        """Forgets the games that were asked for least recently, unless they are played."""
        played = {id(programs) for programs in self.played()}
        for key in list(self._programs)[:-1]:
            if len(self._programs) <= MOST_GAMES:
                return
            if id(self._programs[key]) not in played:
                del self._programs[key]

    async def compile(self, programs: Programs, players: Sequence[str], match: bool) -> None:
        """Compiles what a table with such players needs, unless it is."""
        for name in ("begin match" if match else "begin", "opening", "advance"):
            await self.batches.prepare(programs, name)
        for player in players:
            await self.batches.prepare(programs, await self.choice(programs, player, match))

    async def choice(self, programs: Programs, player: str, match: bool) -> str:
        """Returns the function by which a player chooses; loads the player if it is new."""
        name = f"{player} in a match" if match else player
        game: Game = programs.match if match and programs.match is not None else programs.game
        if f"choose {name}" in programs.names:
            return f"choose {name}"
        agent, params = await self.batches.apart("load", self.load, player, game)
        return programs.add_agent(name, agent, params)
