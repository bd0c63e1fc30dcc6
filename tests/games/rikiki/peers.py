"""OpenSpiel's Oh Hell, with our cards and bids. Only numbers are translated; nothing is corrected."""

import numpy as np

from games.open_spiel import OpenSpielState

OS_SUITS = (0, 1, 3, 2)  # clubs, diamonds, hearts, spades in OpenSpiel


def to_open_spiel(card: int) -> int:
    """Card number in OpenSpiel, which counts rank by rank."""
    return 4 * (card % 13) + OS_SUITS[card // 13]


FROM_OPEN_SPIEL = np.argsort([to_open_spiel(card) for card in range(52)]).tolist() + list(range(52, 70))
"""Our action of each action of OpenSpiel; bids have the same numbers where a deal has one size."""


class OpenSpielDeal(OpenSpielState):
    """A deal of `oh_hell` from a given deck.

    Chance deals card i to seat i mod n, and last the card that is turned up. Which numbers of chance
    outcomes come first (hand size, dealer) follows from the game's own phases.
    """

    def __init__(self, game, num_players: int, k: int, deck, dealer: int) -> None:
        self._state = game.new_initial_state()
        order = [deck[seat * k + i] for i in range(k) for seat in range(num_players)]
        cards = iter([*order, deck[num_players * k]])
        given = iter([k, dealer])
        while self._state.is_chance_node():
            choices = [action for action, _ in self._state.chance_outcomes()]
            choice = next(given, None)
            if choice is None:
                choice = to_open_spiel(next(cards))
            assert choice in choices
            self._state.apply_action(choice)

    def legal(self) -> list[int]:
        return sorted(FROM_OPEN_SPIEL[action] for action in self._state.legal_actions())

    def step(self, action: int) -> None:
        self._state.apply_action(to_open_spiel(action) if action < 52 else action)
