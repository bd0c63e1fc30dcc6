"""Deals of OpenSpiel, as far as they are the same in every game."""


class OpenSpielState:
    """A deal whose state is `_state`; a game adds how it is dealt and how actions are translated."""

    @property
    def terminated(self) -> bool:
        return self._state.is_terminal()

    @property
    def current_player(self) -> int:
        return self._state.current_player()

    def returns(self) -> list[float]:
        return self._state.returns()
