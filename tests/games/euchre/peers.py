"""OpenSpiel's Euchre with our cards and actions. Only numbers are translated, nothing is corrected."""

from functools import cache

from games.euchre.reference import ALONE, CALL, PASS, TEAM
from games.open_spiel import OpenSpielState

PARAMETERS = {  # stick_the_dealer, allow_lone_defender
    "open_spiel": (True, False),
    "open_spiel_no_stick": (False, False),
    "open_spiel_lone_defender": (True, True),
    "open_spiel_no_stick_lone_defender": (False, True),
}
_OTHERS = {PASS: 24, **{CALL + suit: 25 + suit for suit in range(4)}, ALONE: 29, TEAM: 30}


def to_open_spiel(action: int) -> int:
    """Section 10: the number of an action in OpenSpiel, where suits change fastest."""
    return 4 * (action % 6) + action // 6 if action < 24 else _OTHERS[action]


_FROM = {to_open_spiel(action): action for action in [*range(24), *_OTHERS]}


@cache
def _game(name: str):
    import pyspiel

    stick, lone = PARAMETERS[name]
    return pyspiel.load_game("euchre", {"stick_the_dealer": stick, "allow_lone_defender": lone})


class OpenSpielDeal(OpenSpielState):
    """A deal of OpenSpiel from the given deck."""

    def __init__(self, name: str, deck: list[int], dealer: int):
        self._state = _game(name).new_initial_state()
        self._state.apply_action(dealer)
        for k in range(20):
            seat = (dealer + k) % 4
            self._state.apply_action(to_open_spiel(deck[5 * seat + k // 4]))
        self._state.apply_action(to_open_spiel(deck[20]))

    def legal(self) -> list[int]:
        return sorted(_FROM[action] for action in self._state.legal_actions())

    def step(self, action: int) -> None:
        self._state.apply_action(to_open_spiel(action))
