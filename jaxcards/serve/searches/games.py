"""Compute the searches of a game: moves of players, hints, and reviews."""

import dataclasses
import json
import threading
from collections import OrderedDict
from typing import Any

import jax
import numpy as np

import jaxcards
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.host.programs import Programs
from jaxcards.play.hints import Hint, Hints, hints
from jaxcards.records import DealRecord
from jaxcards.review import Reviewer
from jaxcards.serve.searches.requests import MOST_GAMES, Progress, SearchedGame, Setup
from jaxcards.view.text import Text


class GameSearches(Programs):
    """The searches of a game. They get what a player sees, as words, and no state of a deal."""

    def __init__(self, setup: Setup, game: Game, match: bool) -> None:
        # Batches of one: a search fills a core by itself, and eight together take seven times as long.
        super().__init__(game)
        self._setup = setup
        # The game for which players are loaded: the match, if one is played.
        self._known = self.match if match and self.match is not None else game
        self._hints: Hints | None = None
        self._making = threading.Lock()

    def load(self, player: str) -> None:
        """Load a player, unless it is loaded.

        Raises:
          UserError: the player does not know the game.
        """
        if f"choose {player}" not in self.names:
            self.add_agent(player, *self._setup.load(player, self._known))

    def prepare(self, player: str) -> None:
        """Load a player, and compile its choices. Errors as `load`."""
        self.load(player)
        self.compile(f"choose {player}")

    def choose(self, player: str, decision: tuple[Any, ...]) -> int:
        """Return the action of a player at a decision; see `Table.decision`. Errors as `load`."""
        self.prepare(player)
        return int(self.one(f"choose {player}", *decision))

    # ---- Advice ---------------------------------------------------------------------------------

    def hint(self, seen: np.ndarray, words: np.ndarray, number: int, values: bool) -> Hint:
        """Return a hint from what a player sees; see `Hints.hint_from`."""
        legal = ActionSet(self.game.action_layout, list(words))
        return self._adviser().hint_from(self.seen.read(seen), legal, number, values=values)

    def costs(self, record: DealRecord, progress: Progress) -> dict[str, Any]:
        """Return the review of a deal as values of JSON, by the player that gives the hints."""
        by = self._adviser()
        name = f"the {by.name}"
        reviewer = Reviewer(self.game, by.search, by.params, worlds=by.worlds, name=name, endings=0)
        player = Text(f"hint.{by.name}")
        return reviewer.deal(record, progress=progress).to_dict() | {"by": dataclasses.asdict(player)}

    def _adviser(self) -> Hints:
        with self._making:
            if self._hints is None:
                worlds = self._setup.hint_worlds
                self._hints = hints(self.game, lambda name: self._setup.load(name, self._known), worlds)
            return self._hints


class AllSearches:
    """The searches of the games that were asked for last.

    Attributes:
      begun: how many games were begun with.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup, self.begun = setup, 0
        self._games: OrderedDict[SearchedGame, GameSearches] = OrderedDict()
        self._lock = threading.Lock()
        for name, value in setup.cache.items():
            jax.config.update(name, value)

    def of(self, asked: SearchedGame) -> GameSearches:
        """Return the searches of a game."""
        with self._lock:
            if asked not in self._games:
                game = jaxcards.make(asked.id, **json.loads(asked.rules))
                self._games[asked] = GameSearches(self._setup, game, asked.match)
                self.begun += 1
                if len(self._games) > MOST_GAMES:
                    self._games.popitem(last=False)
            self._games.move_to_end(asked)
            return self._games[asked]

    @property
    def games(self) -> frozenset[SearchedGame]:
        """The games that are kept."""
        with self._lock:
            return frozenset(self._games)
