"""An engine for tests: our own Jass behind the interface of another engine, and wrong ones."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from jaxcards.opponents import engine, names
from jaxcards.opponents.engine import Seated, Start
from jaxcards.opponents.names import EngineEntry, Opponent, PlayerEntry
from jaxcards.testing.deals import quick_jit

ID = "jass/tournament"
HIGHEST = Opponent("mirror", "highest")


def install(patch: Any, adapter: str = "Mirror") -> None:
    """Make the engine known, until the monkeypatch `patch` is undone."""
    player = PlayerEntry("the legal action of the highest number")
    entry = EngineEntry("the mirror", "jaxcards", f"{__name__}:{adapter}", (ID,), {"highest": player})
    patch.setitem(names.ENGINES, "mirror", entry)


class MirrorDeal(engine.Deal):
    """A deal of our own game; `choose` takes the highest legal action."""

    def __init__(self, game: Any, start: Start, seated: Mapping[int, Seated]) -> None:
        dealer = int(start.public.dealer)
        deck = [card for seat in range(1, 5) for card in start.hands[(dealer + seat) % 4]]
        self._step, self._legal, self._returns = _compiled(game)
        self._state = game.init_from_deck(deck, dealer)

    @property
    def terminated(self) -> bool:
        return bool(self._state.terminated)

    @property
    def current_player(self) -> int:
        return int(self._state.current_player)

    def legal(self) -> list[int]:
        return np.flatnonzero(self._legal(self._state)).tolist()

    def step(self, action: int) -> None:
        self._state = self._step(self._state, np.int32(action))

    def choose(self) -> int:
        return self.legal()[-1]

    def counted(self) -> list[float]:
        return self._returns(self._state).tolist()


@functools.cache
def _compiled(game: Any) -> tuple[Any, ...]:
    return tuple(map(quick_jit, (game.step, game.legal_action_mask, game.returns)))


class Mirror(engine.Engine):
    """Our own engine."""

    Deal: type[MirrorDeal] = MirrorDeal

    def deal(self, start: Start, seated: Mapping[int, Seated]) -> MirrorDeal:
        return self.Deal(self.game, start, seated)


def _wrong(name: str, **methods: Any) -> type[Mirror]:
    return type(name, (Mirror,), {"Deal": type(f"{name}Deal", (MirrorDeal,), methods)})


# Each differs in one respect.
ForbidsLowest = _wrong("ForbidsLowest", legal=lambda self: MirrorDeal.legal(self)[1:] or [0])
OtherSeat = _wrong("OtherSeat", current_player=property(lambda self: 9))
NeverOver = _wrong("NeverOver", terminated=property(lambda self: False))
OverAtOnce = _wrong("OverAtOnce", terminated=property(lambda self: True))
OtherCount = _wrong("OtherCount", counted=lambda self: [7, -7, 7, -7])
Fails = _wrong("Fails", choose=lambda self: [][0])
Illegal = _wrong("Illegal", choose=lambda self: 42 if 42 not in self.legal() else 36)


class Predicted(Mirror):
    """Forbids the highest action where there is a choice, and `predict` knows it."""

    class Deal(MirrorDeal):
        def legal(self) -> list[int]:
            return self.predict(super().legal())

        def predict(self, legal: list[int]) -> list[int]:
            return legal[:-1] or legal

        def score(self, points: Any, returns: Any) -> engine.Score:
            return engine.of_two_teams(returns[0], 1000)
