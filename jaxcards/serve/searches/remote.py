"""Ask the process of the searches about one game."""

import dataclasses
import json
from typing import Any

from jaxcards.game import Game
from jaxcards.host.programs import Look
from jaxcards.play.hints import Hint
from jaxcards.records import DealRecord
from jaxcards.records.record import id_and_rules
from jaxcards.review.review import distinct_names
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.requests import (
    ADVISE,
    CHOOSE,
    COMPILE,
    LOAD,
    POLICY,
    Progress,
    SearchedGame,
)


class Searches:
    """The searches of a game, made by the process. It gets what the player to act sees."""

    def __init__(self, process: SearchProcess, game: Game, match: bool) -> None:
        self._process, self.game = process, game
        id, rules = id_and_rules(game)
        self._asked = SearchedGame(id, json.dumps(rules), match)

    def load(self, player: str) -> None:
        """Load a player, unless it is loaded.

        Raises:
          UserError: the player does not know the game.
        """
        if not self.knows(player):
            self._process.ask(LOAD, self._asked, "load", player)
            self._process.ready.add((self._asked, "loaded", player))

    def knows(self, player: str) -> bool:
        """Return whether a player is loaded."""
        return (self._asked, "loaded", player) in self._process.ready

    def compile(self, player: str) -> None:
        """Compile the choices of a player. Errors as `load`."""
        self._process.ask(COMPILE, self._asked, "prepare", player)
        self._process.ready.add((self._asked, "compiled", player))

    def is_ready(self, player: str) -> bool:
        """Return whether the choices of a player are compiled."""
        return (self._asked, "compiled", player) in self._process.ready

    def choose(self, player: str, decision: tuple[Any, ...]) -> int:
        """Return the action of a player at a decision; see `Table.decision`. Errors as `load`."""
        return self._process.ask(CHOOSE, self._asked, "choose", player, decision)

    def hint(self, look: Look, number: int, values: bool = True) -> Hint:
        """Return a hint for the player to act; see `Hints.hint_from`."""
        lane = ADVISE if values else POLICY
        return self._process.ask(lane, self._asked, "hint", *look.asked, number, values)

    def costs(self, record: DealRecord, progress: Progress) -> dict[str, Any]:
        """Return the review of a deal as values of JSON, and tell how many moves are done."""
        # Names of people do not leave the server's own process: put them into the answer here.
        nameless = dataclasses.replace(record, players=None)
        found = self._process.ask(ADVISE, self._asked, "costs", nameless, progress=progress)
        return found | {"players": list(distinct_names(record.players, self.game.num_players))}
