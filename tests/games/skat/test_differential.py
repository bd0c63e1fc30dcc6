"""The play of the cards against OpenSpiel's Skat, at every decision of random deals.

Legal cards, the player to act, and the card points agree without exception. OpenSpiel has no bids
and no values of games, and another score; see docs/skat.md, 9.
"""

import numpy as np
import pytest
from support.marks import OPEN_SPIEL

from games.skat.playout import PLAYOUTS, random_deals
from games.skat.reference import BID, GAMES, NULL, PASS, TAKE
from games.skat.reference import points as count

NAME, DEALS, MANY_DEALS = "open_spiel", 128, 3328
THEIR_PASS = 32  # then the suits ♦ ♥ ♠ ♣, Grand and Null

pytestmark = OPEN_SPIEL


class Theirs:
    """A deal of OpenSpiel: seat 0 is left of the dealer there; cards have our numbers."""

    def __init__(self, deals, i):
        import pyspiel

        self.turned = int(deals.dealers[i]) + 1
        self.state = pyspiel.load_game("skat").new_initial_state()
        for place in self.dealing_order():
            self.state.apply_action(deals.deck(i)[place])

    def dealing_order(self):
        """Return the places of our deck in the order in which they deal: 3, 2 to the skat, 4, 3."""
        hands = [iter(range(10 * seat, 10 * seat + 10)) for seat in range(3)] + [iter((30, 31))]
        order = [(0, 3), (1, 3), (2, 3), (3, 2), (0, 4), (1, 4), (2, 4), (0, 3), (1, 3), (2, 3)]
        return [next(hands[place]) for place, number in order for _ in range(number)]

    @property
    def player(self):
        return (self.state.current_player() + self.turned) % 3


def scripts(number, seed):
    """Return up to two passes, a bid, and the skat; what follows is random."""
    rng = np.random.default_rng(seed)
    return [[PASS] * int(rng.integers(3)) + [BID, TAKE] for _ in range(number)]


def compare(number, seed):
    """Play deals side by side; return the number of decisions."""
    deals = random_deals(number, seed)
    record = PLAYOUTS.play(NAME, deals, scripts(number, seed), seed=seed)
    decisions = 0
    for i in range(number):
        theirs, told = Theirs(deals, i), deals.describe(i)
        actions = record["action"][i].tolist()
        passes = actions.index(BID)
        game = actions[passes + 4] - GAMES
        for _ in range(passes):
            theirs.state.apply_action(THEIR_PASS)
        theirs.state.apply_action(THEIR_PASS + 1 + game)
        for t in range(passes + 2, 37):
            if record["terminated"][i, t]:
                break
            if t == passes + 4:  # the announcement
                continue
            assert record["player"][i, t] == theirs.player, told
            assert np.flatnonzero(record["mask"][i, t]).tolist() == theirs.state.legal_actions(), told
            theirs.state.apply_action(actions[t])
            decisions += 1
        declarer = (passes + theirs.turned) % 3
        if game != NULL:
            assert theirs.state.is_terminal(), told
            aside = np.flatnonzero(record["aside"][i, -1])
            points = record["progress"][i, -1, declarer] + count(aside)
            found = theirs.state.returns()[passes] * 120 + 60
            assert abs(points - found) < 1e-6, (told, points, found)
    return decisions


def test_open_spiel():
    assert compare(DEALS, seed=3) > 2_000


@pytest.mark.slow
def test_open_spiel_in_many_deals():
    assert compare(MANY_DEALS, seed=4) > 95_000
