"""The Spades heuristic in single positions: bids, covering a nil, and setting one."""

import pytest
from games.spades.test_worked_examples import HEARTS, SPADES, after, start

from jaxcards.agents.players import make_player


def chosen(game, state):
    agent, key = make_player("heuristic", game), None
    seen = game.observe(state, state.current_player)
    return game.action_to_string(int(agent.act((), seen, game.legal_actions(state), key)))


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    ("hand", "bids"),
    [
        (SPADES, {"bid 13"}),
        ("2c 3c 5c 7c 2d 4d 5d 8d 3h 4h 6h 9h 2s", {"bid 0"}),
        ("Ac Kc 4c Ad 7d 5d 3d Kh 8h 2h As Ks 4s", {"bid 5", "bid 6"}),
        ("Qc Jc 9c 8c Qd Jd Td 9d Qh Jh Th Js 9s", {"bid 1", "bid 2"}),
    ],
)
def test_it_bids_the_tricks_that_are_probable(hand, bids):
    game, state = start(hand)
    assert chosen(game, state) in bids


def test_it_never_bids_nil_blind():
    game, state = start(HEARTS, preset="blind_nil", totals=(0, 300))
    assert chosen(game, state) == "look"


def test_with_three_players_it_bids_more_and_no_nil():
    game, state = start("3c 5c 7c 2d 4d 5d 8d 3h 4h 6h 9h 2s", preset="cutthroat", dealer=2)
    assert chosen(game, state) != "bid 0"


def following(bids, hand, played):
    """Return the third card to a trick of clubs, played by seat 2, the partner of seat 0."""
    game, state = start(played[0], played[1], hand, "Tc", bids=bids)
    return chosen(game, after(game, state, *played))


def test_it_takes_a_trick_from_a_partner_who_bids_nil():
    assert following([0, 4, 4, 4], "Kc 2c", ("9c", "3c")) == "Kc"
    assert following([4, 4, 4, 4], "Kc 2c", ("Ac", "3c")) == "2c"


def test_it_leaves_a_trick_to_an_opponent_who_bids_nil():
    assert following([4, 0, 4, 4], "Kc 2c", ("3c", "9c")) == "2c"
    assert following([4, 4, 4, 4], "Kc 2c", ("3c", "9c")) == "Kc"


def test_it_ducks_with_its_own_nil():
    assert following([4, 4, 0, 4], "Jc 8c 2c", ("3c", "9c")) == "8c"


def test_it_wins_cheaply_when_it_plays_last():
    game, state = start("9c", "8c", "7c", "Kc Jc 2c", bids=[3] * 4)
    assert chosen(game, after(game, state, "9c", "8c", "7c")) == "Jc"
