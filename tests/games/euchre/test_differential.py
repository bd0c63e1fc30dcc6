"""The compiled game against OpenSpiel's Euchre: every set of its parameters, every decision.

OpenSpiel forbids the discard of the card picked up, and so do its presets here. Nothing else differs.
"""

import numpy as np
import pytest
from support.marks import OPEN_SPIEL

from games.euchre.playout import play, random_deals
from games.playout import bits
from jaxcards.opponents import openspiel

DEALS, MANY_DEALS = 256, 25_600  # for each set of parameters

pytestmark = OPEN_SPIEL


def compare(name: str, number: int, seed: int) -> None:
    """Legal sets, player to act, and returns agree in random deals."""
    deals = random_deals(name, number, seed)
    record = play(name, deals, seed=seed)
    game = openspiel.euchre(name)
    assert len(record["action"]) == number
    lengths = set()
    for i in range(number):
        deck = deals.deck(i)
        hands = [deck[5 * seat : 5 * seat + 5] for seat in range(4)]
        peer = openspiel.EuchreDeal(game, hands, deck[20], int(deals.dealers[i]))
        for t, action in enumerate(record["action"][i].tolist()):
            assert bool(record["terminated"][i, t]) == peer.terminated
            if peer.terminated:
                lengths.add(t)
                break
            assert int(record["player"][i, t]) == peer.current_player
            assert bits(record["mask"][i, t]) == peer.legal()
            peer.step(action)
        assert peer.terminated
        assert np.array_equal(record["returns"][i, -1], peer.counted())
    assert len(lengths) > 8


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("name", openspiel.EUCHRE)
def test_open_spiel(name):
    compare(name, DEALS, seed=21)


@pytest.mark.slow
@pytest.mark.parametrize("name", openspiel.EUCHRE)
def test_open_spiel_in_many_deals(name):
    compare(name, MANY_DEALS, seed=22)
