"""The compiled game against OpenSpiel's Hearts, at every decision of random deals.

Legal sets, the player to act and the points agree without exception, for all eight parameters.
"""

import itertools
from functools import cache, partial

import numpy as np
import pytest
from support.marks import OPEN_SPIEL

import jaxcards
from games import playout
from games.hearts.playout import random_deals, start, view
from games.playout import play_out

BATCH = 32
OPTIONS = {  # the parameter of OpenSpiel, the field here, and its value if the parameter is true
    "no_pts_on_first_trick": ("points_in_first", False, True),
    "can_lead_any_club": ("any_club", True, False),
    "jd_bonus": ("jack", -10, 0),
    "avoid_all_tricks_bonus": ("no_trick", -5, 0),
    "must_break_hearts": ("break_hearts", True, False),
    "qs_breaks_hearts": ("queen_breaks", True, False),
    "can_lead_hearts_instead_of_qs": ("spare_queen", True, False),
}

pytestmark = OPEN_SPIEL


def settings(bits: tuple[bool, ...], passes: bool) -> tuple[dict, dict]:
    """Return the parameters of OpenSpiel and the fields here."""
    theirs = dict(zip(OPTIONS, bits, strict=True)) | {"pass_cards": passes}
    ours = {field: yes if theirs[name] else no for name, (field, yes, no) in OPTIONS.items()} | {
        "directions": (0, 1, 2, 3) if passes else (0,)
    }
    return theirs, ours


def compare(bits: tuple[bool, ...], passes: bool, number: int, seed: int) -> int:
    """Play deals side by side; return the number of decisions."""
    import pyspiel

    parameters, fields = settings(bits, passes)
    game = jaxcards.make("hearts/open_spiel", **fields)
    deals = random_deals(game.rules, number, seed)
    deals.dealers[:] = 3  # OpenSpiel's seat 0 passes first
    function = playout.compiled(game, view, partial(start, game))
    record = play_out(function, game, deals, seed=seed, batch=min(BATCH, number))
    peer, decisions = pyspiel.load_game("hearts", parameters), 0
    for i in range(number):
        theirs = peer.new_initial_state()
        theirs.apply_action(game.rules.directions[deals.rounds[i]])
        hands = np.reshape(deals.deck(i), (4, 13))
        for c in hands.T.ravel().tolist():  # dealt card by card, round the table
            theirs.apply_action(to_theirs(c))
        for t, action in enumerate(record["action"][i].tolist()):
            if theirs.is_terminal():
                break
            told = (parameters, deals.describe(i), record["action"][i, :t].tolist())
            assert theirs.current_player() == record["player"][i, t], told
            legal = sorted(map(to_ours, theirs.legal_actions()))
            assert legal == np.flatnonzero(record["mask"][i, t]).tolist(), told
            theirs.apply_action(to_theirs(action))
            decisions += 1
        assert theirs.is_terminal() and record["terminated"][i, -1]
        assert [26 - points for points in theirs.returns()] == record["points"][i, -1].tolist()
    return decisions


@cache
def _order() -> list[int]:
    """Return OpenSpiel's card of each of ours: it numbers cards by rank, then by suit C D H S."""
    return [4 * (c % 13) + c // 13 for c in range(52)]


def to_theirs(c: int) -> int:
    return _order()[c]


def to_ours(c: int) -> int:
    return 13 * (c % 4) + c // 4


DEFAULT = (True, False, False, False, True, True, False)


@pytest.mark.slow_after(1)
@pytest.mark.parametrize(
    ("bits", "passes"),
    [(DEFAULT, True), (DEFAULT, False), ((True, True, True, True, True, False, True), True)],
)
def test_open_spiel(bits, passes):
    compare(bits, passes, BATCH, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("bits", list(itertools.product((True, False), repeat=7)))
def test_open_spiel_with_all_parameters(bits):
    assert compare(bits, True, BATCH, seed=2) > 1000
