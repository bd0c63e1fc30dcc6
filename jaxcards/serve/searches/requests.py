"""What the server and the process of its searches say to each other. Imports no JAX."""

import dataclasses
from collections.abc import Callable
from typing import Any

CHOOSE, ADVISE, COMPILE, LOAD = LANES = "choose", "advise", "compile", "load"
"""What is done side by side: a move of a player waits for no hint, and nothing for a compiler."""

NICE = 10
"""By how much searches, and compiling, stand back for the moves of tables."""

SIZES = (1,)
"""Tables of a batch. A search fills a core by itself: eight side by side take seven times as long."""


@dataclasses.dataclass(frozen=True)
class Setup:
    """What the process is told when it begins.

    Attributes:
      load: as `library.Load`; a function of a module, as it goes by its name.
      hint_worlds: deals that a hint plays out.
      cache: options of JAX that say where compiled programs are kept.
    """

    load: Callable[[str, Any], tuple[Any, Any]]
    hint_worlds: int
    cache: dict[str, Any]


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
    """A method of `games.GameSearches`, with its arguments."""

    game: SearchedGame
    method: str
    args: tuple[Any, ...]


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came of it: `refused` is the line of a `UserError`, `failed` the name of another error."""

    found: Any = None
    refused: str = ""
    failed: str = ""
