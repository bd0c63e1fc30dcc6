"""The compiled game against OpenSpiel's Spades, at every decision of random deals.

Legal sets, the player to act and the points agree without exception, from totals of 0 or more. Rules
that OpenSpiel has not, such as suicide bids, are compared with the reference alone.
"""

import numpy as np
import pytest
from support.marks import OPEN_SPIEL

from games.spades.playout import PLAYOUTS, game_of, low_bids, random_deals
from games.spades.variants import rules_of

NAME, DEALS, MANY_DEALS = "open_spiel", 128, 2048
DEFAULT = {"use_mercy_rule": True, "mercy_threshold": -350, "win_threshold": 500}
DEFAULT |= {"win_or_loss_bonus": 200, "num_tricks": 2}
PARAMETERS = [
    {},
    {"use_mercy_rule": False, "win_threshold": 250, "win_or_loss_bonus": 1000},
    {"mercy_threshold": -90, "win_threshold": 60, "num_tricks": 5},
]

pytestmark = OPEN_SPIEL


class Theirs:
    """A deal of OpenSpiel: seat 0 is left of the dealer there; actions have our numbers."""

    def __init__(self, deals, i, parameters):
        import pyspiel

        self.turned = int(deals.dealers[i]) + 1
        totals = deals.totals[i].tolist()
        self.state = pyspiel.load_game("spades", parameters).new_initial_state()
        self.state.set_current_scores(totals if self.turned % 2 == 0 else totals[::-1])
        deck = deals.deck(i)
        for number in range(52):
            self.state.apply_action(deck[13 * (number % 4) + number // 4])

    @property
    def player(self):
        return (self.state.current_player() + self.turned) % 4

    def in_their_order(self, points):
        return [points[(seat + self.turned) % 4] for seat in range(4)]


def with_bonus(points, parameters):
    """Return points in the order of OpenSpiel with the bonus that it adds for a single deal."""
    of = DEFAULT | parameters
    mercy = of["mercy_threshold"] if of["use_mercy_rule"] else 0
    found = list(points[:2])
    for side in (0, 1):  # OpenSpiel changes the first side before it looks at the second
        if found[side] >= of["win_threshold"] and found[side] > found[1 - side]:
            found[side] += of["win_or_loss_bonus"]
        elif mercy and found[side] <= mercy and found[side] < found[1 - side]:
            found[side] -= of["win_or_loss_bonus"]
    return found * 2


def compare(parameters, number, seed):
    """Play deals side by side; return the number of decisions."""
    rules = rules_of(NAME)
    deals = random_deals(rules, number, seed, lowest=0)
    # Bids that can be made; every fourth deal has random ones.
    record = PLAYOUTS.play(NAME, deals, low_bids("standard", number, seed), seed=seed)
    decisions = 0
    for i in range(number):
        theirs, told = Theirs(deals, i, parameters), deals.describe(i)
        for t in range(game_of(NAME).max_steps):
            assert record["player"][i, t] == theirs.player, told
            assert np.flatnonzero(record["mask"][i, t]).tolist() == theirs.state.legal_actions(), told
            theirs.state.apply_action(int(record["action"][i, t]))
            decisions += 1
        assert theirs.state.is_terminal()
        points = theirs.in_their_order(record["points"][i, -1].tolist())
        assert with_bonus(points, parameters) == theirs.state.returns(), told
    return decisions


def test_open_spiel():
    compare({}, DEALS, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_open_spiel_in_many_deals(parameters):
    assert compare(parameters, MANY_DEALS, seed=4) > 100_000
