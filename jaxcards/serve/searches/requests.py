"""Messages between the server and the process of its searches. Imports no JAX."""

import dataclasses
from collections.abc import Callable
from typing import Any

CHOOSE, POLICY, ADVISE, COMPILE, LOAD = LANES = "choose", "policy", "advise", "compile", "load"
"""Lanes work side by side, so that a move of a player does not wait for a hint or a compiler, and the
policy's part of a hint does not wait for a search."""

MOST_GAMES = 10
"""Games in memory, those that were asked for last; single deals and matches count apart. Each needs 100
to 200 MB."""


@dataclasses.dataclass(frozen=True)
class Setup:
    """The first message to the process.

    Attributes:
      load: see `library.Load`; a function of a module, which is pickled by its name.
      hint_worlds: deals that a hint plays out.
      cache: options of JAX that say where compiled programs are kept.
      nice: niceness of the process.
    """

    load: Callable[[str, Any], tuple[Any, Any]]
    hint_worlds: int
    cache: dict[str, Any] = dataclasses.field(default_factory=dict)
    nice: int = 0


@dataclasses.dataclass(frozen=True)
class SearchedGame:
    """A game that is searched.

    Attributes:
      id: see `jaxcards.make`.
      rules: single rules as JSON.
      match: whether players know that a whole match is played.
    """

    id: str
    rules: str
    match: bool


@dataclasses.dataclass(frozen=True)
class Request:
    """A method of `games.GameSearches`, with its arguments.

    Attributes:
      tells: whether the method takes `progress`, so that `Answer.progress` comes before the result.
    """

    game: SearchedGame
    method: str
    args: tuple[Any, ...]
    tells: bool = False


@dataclasses.dataclass(frozen=True)
class Answer:
    """The result of a request.

    Attributes:
      found: the result of the method.
      refused: the line of a `UserError`, or empty.
      failed: the name of another error, or empty.
      games: the games in the memory of the process.
      begun: the number of games that it has begun with, dropped games included.
      progress: of an answer that others follow, how much is done and how much there is; else None.
    """

    found: Any = None
    refused: str = ""
    failed: str = ""
    games: frozenset[SearchedGame] = frozenset()
    begun: int = 0
    progress: tuple[int, int] | None = None


Progress = Callable[[int, int], None]
"""Is told how much of a request is done, and how much there is."""
