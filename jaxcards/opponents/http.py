"""A player that is a program of its own, in any language, and answers over HTTP.

For each decision it receives the view of its seat, as in the API of `jaxcards serve`:

    POST http://127.0.0.1:9000      {"game": "euchre/standard-v1", "view": {...}}

`view["choices"]` has the legal actions: those whose `forbidden` is null. The answer is one of them:

    {"action": 7}
"""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

import numpy as np

from jaxcards import registry
from jaxcards.errors import UserError, quote
from jaxcards.game import Game
from jaxcards.host.programs import LOOK, programs_of
from jaxcards.opponents import engine
from jaxcards.opponents.engine import Seated, Start

SECONDS = 600
"""Longest time for a decision."""


class HttpDeal(engine.Deal):
    """A deal in which programs choose actions over HTTP. The rules are ours."""

    def __init__(self, game: Game, start: Start, seated: Mapping[int, Seated]) -> None:
        self._id = registry.versioned_id(game.id)
        self._programs, self._seated = programs_of(game), seated
        self._advance(start.state, LOOK)

    def _advance(self, state: np.ndarray, action: np.int32) -> None:
        self._look = self._programs.look(self._programs.one("advance", state, action))

    @property
    def terminated(self) -> bool:
        return self._look.over

    @property
    def current_player(self) -> int:
        return self._look.player

    def legal(self) -> list[int]:
        return np.flatnonzero(self._look.legal).tolist()

    def step(self, action: int) -> None:
        self._advance(self._look.state, np.int32(action))

    def choose(self) -> int:
        seat = self.current_player
        view = self._programs.view(self._look, seat)
        return ask(self._seated[seat].opponent.player, {"game": self._id, "view": view.to_dict()})

    def counted(self) -> list[float]:
        return self._look.returns


class Http(engine.Engine):
    """Programs that play any game."""

    def deal(self, start: Start, seated: Mapping[int, Seated]) -> HttpDeal:
        return HttpDeal(self.game, start, seated)


def ask(address: str, question: Mapping[str, Any]) -> int:
    """Return the action that a program answers.

    Raises:
      UserError: if the program does not answer, or answers something else than an action.
    """
    body = json.dumps(question).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            text = response.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        raise UserError(f"{address} answers with status {error.code}: {quote(error.read())}") from None
    except OSError as error:
        raise UserError(f"{address} does not answer ({error}): start the program first") from None
    try:
        action = json.loads(text)["action"]
    except (ValueError, TypeError, KeyError):
        action = None
    if type(action) is not int:
        raise UserError(f'{address} answers {quote(text)}: it must answer {{"action": NUMBER}}')
    return action
