"""The compiled game against OpenSpiel's Bridge, at every decision of random deals.

Legal calls and cards, the player to act and the returns agree without exception.
"""

import numpy as np
import pytest
from support.marks import OPEN_SPIEL

from games.bridge.playout import PLAYOUTS, contracts, game_of, random_deals

DEALS, MANY_DEALS = 64, 1792

pytestmark = OPEN_SPIEL


def to_theirs(action):
    """Return an action of OpenSpiel, which numbers cards rank by rank."""
    return action % 13 * 4 + action // 13 if action < 52 else action


class Theirs:
    """A deal of OpenSpiel, in which the dealer has seat 0."""

    def __init__(self, deals, i):
        import pyspiel

        self.dealer, sides = int(deals.dealers[i]), int(deals.facts[i])
        own = self.dealer % 2
        parameters = {
            "use_double_dummy_result": False,
            "dealer_vul": bool(sides >> own & 1),
            "non_dealer_vul": bool(sides >> (1 - own) & 1),
        }
        self.state = pyspiel.load_game("bridge", parameters).new_initial_state()
        deck = deals.deck(i)
        for number in range(52):
            # The first cards of our deck are those of the player after the dealer.
            block, place = (number % 4 - 1) % 4, number // 4
            self.state.apply_action(to_theirs(deck[13 * block + place]))

    @property
    def player(self):
        return (self.state.current_player() + self.dealer) % 4

    def returns(self):
        found = self.state.returns()
        return [found[(seat - self.dealer) % 4] for seat in range(4)]


def compare(number, seed):
    """Play deals side by side; return the number of decisions."""
    deals = random_deals("duplicate", number, seed)
    record = PLAYOUTS.play("duplicate", deals, contracts("duplicate", number, seed), seed=seed)
    decisions = 0
    for i in range(number):
        theirs, told = Theirs(deals, i), deals.describe(i)
        for t in range(game_of("duplicate").max_steps):
            if theirs.state.is_terminal():
                break
            assert record["player"][i, t] == theirs.player, told
            legal = np.flatnonzero(record["mask"][i, t]).tolist()
            assert sorted(map(to_theirs, legal)) == theirs.state.legal_actions(), told
            theirs.state.apply_action(to_theirs(int(record["action"][i, t])))
            decisions += 1
        assert theirs.state.is_terminal()
        assert record["returns"][i, -1].tolist() == theirs.returns(), told
    return decisions


def test_open_spiel():
    compare(DEALS, seed=3)


@pytest.mark.slow
def test_open_spiel_in_many_deals():
    assert compare(MANY_DEALS, seed=4) > 100_000
