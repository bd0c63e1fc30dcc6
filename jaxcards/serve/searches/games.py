"""The searches of a game, as they are computed: moves of players, hints, and reviews."""

import json
import threading
from collections import OrderedDict
from typing import Any

import jax
import numpy as np

import jaxcards
from jaxcards.agent import Agent
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.play.hints import Hint, Hints, hints
from jaxcards.records import DealRecord
from jaxcards.review import Reviewer
from jaxcards.serve.functions import Functions
from jaxcards.serve.packing import packings
from jaxcards.serve.searches.requests import MOST_GAMES, SIZES, SearchedGame, Setup
from jaxcards.xla import prng


class GameSearches(Functions):
    """The functions of a game that search: by the name of a player, from what is seen to an action.

    A row is the observation of the player to act as words (`packing`), its legal actions as words
    (`ActionSet`), and the words of a key.
    """

    def __init__(self, setup: Setup, game: Game, match: bool) -> None:
        super().__init__()
        self._setup, self.game = setup, game
        self._known: Game = Match(game) if match else game
        _, self._seen = packings(game)
        self._layout = game.action_layout
        words = np.zeros(len(self._layout.offsets), np.uint32)
        self._example = np.zeros(self._seen.num_words, np.uint32), words, np.zeros(2, np.uint32)
        self._hints: Hints | None = None
        self._making = threading.Lock()

    def load(self, player: str) -> None:
        """Load a player, unless it is loaded.

        Raises:
          UserError: the player does not know the game.
        """
        if player not in self.names:
            agent, params = self._setup.load(player, self._known)
            self.add(player, self._choose(agent), self._example, SIZES, (params,))

    def compile(self, name: str, size: int | None = None) -> None:
        """Compile a player, which is loaded if need be. Errors as `load`."""
        self.load(name)
        super().compile(name, size)

    def choose(self, player: str, rows: list[tuple[Any, ...]]) -> list[int]:
        """Return the actions of a player at some tables. Errors as `load`."""
        self.compile(player)
        return [int(action) for action in self.run(player, rows)]

    def _choose(self, agent: Agent) -> Any:
        def choose(params: Any, seen: jax.Array, words: jax.Array, key: jax.Array) -> jax.Array:
            legal = ActionSet(self._layout, list(words))
            return agent.act(params, self._seen.unpack(seen), legal, prng.wrap((key[0], key[1])))

        return choose

    # ---- Advice ---------------------------------------------------------------------------------

    def hint(self, seen: np.ndarray, words: np.ndarray, number: int) -> Hint:
        """Return a hint from what a player sees; see `Hints.hint`."""
        legal = ActionSet(self._layout, list(words))
        return self._adviser().hint_from(self._seen.read(seen), legal, number)

    def costs(self, record: DealRecord) -> dict[str, Any]:
        """Return the review of a deal as values of JSON, by the player that gives the hints."""
        by = self._adviser()
        name = f"the {by.name}"
        reviewer = Reviewer(self.game, by.search, by.params, worlds=by.worlds, name=name, endings=0)
        return reviewer.deal(record).to_dict()

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
