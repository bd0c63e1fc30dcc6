"""What the server has in place of the functions that search, which another process computes."""

import dataclasses
import json
from collections.abc import Container, Sequence
from typing import Any

import numpy as np

from jaxcards.play.hints import Hint
from jaxcards.records import DealRecord
from jaxcards.records.record import id_and_rules
from jaxcards.review.review import distinct_names
from jaxcards.serve.functions import Batched
from jaxcards.serve.programs import Look, Programs
from jaxcards.serve.searches.process import SearchProcess
from jaxcards.serve.searches.requests import ADVISE, CHOOSE, COMPILE, LOAD, SIZES, SearchedGame


class Searches(Batched):
    """The searches of a game, which others make; what they get is what the player to act sees."""

    run_in, compile_in = f"search {CHOOSE}", f"search {COMPILE}"

    def __init__(self, process: SearchProcess, programs: Programs, match: bool) -> None:
        self._process, self.game = process, programs.game
        id, rules = id_and_rules(programs.game)
        self._asked = SearchedGame(id, json.dumps(rules), match)

    @property
    def compiled(self) -> Container[tuple[str, int]]:
        ready = self._process.ready
        return {(name, size) for game, name, size in ready if game == self._asked}

    def sizes(self, name: str) -> tuple[int, ...]:
        return SIZES

    def load(self, player: str) -> None:
        """Load a player, unless it is loaded.

        Raises:
          UserError: the player does not know the game.
        """
        if not self.knows(player):
            self._process.ask(LOAD, self._asked, "load", player)
            self._process.ready.add((self._asked, player, 0))

    def knows(self, player: str) -> bool:
        """Whether a player is loaded."""
        return (self._asked, player, 0) in self._process.ready

    def compile(self, name: str, size: int | None = None) -> None:
        size = size or SIZES[0]
        self._process.ask(COMPILE, self._asked, "compile", name, size)
        self._process.ready.add((self._asked, name, size))

    def run(self, name: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        return self._process.ask(CHOOSE, self._asked, "choose", name, list(rows))

    def row(self, look: Look, key: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return what a search needs for the player to act: what it sees, what it may do, a key."""
        return *self._seen(look), key

    def hint(self, look: Look, number: int) -> Hint:
        """Return a hint for the player to act; see `Hints.hint`."""
        return self._process.ask(ADVISE, self._asked, "hint", *self._seen(look), number)

    def costs(self, record: DealRecord) -> dict[str, Any]:
        """Return the review of a deal as values of JSON."""
        nameless = dataclasses.replace(record, players=None)
        found = self._process.ask(ADVISE, self._asked, "costs", nameless)
        return found | {"players": list(distinct_names(record.players, self.game.num_players))}

    def _seen(self, look: Look) -> tuple[np.ndarray, np.ndarray]:
        legal = self.game.action_layout.constant(np.flatnonzero(look.legal).tolist())
        return look.seen[look.player], np.asarray(legal, np.uint32)
