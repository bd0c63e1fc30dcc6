"""Bridge by example: the tables of the rules page."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.bridge.reference import contract_score
from games.page import Page
from jaxcards.games.bridge import calls, score
from jaxcards.games.bridge.imps import imps

PAGE = Page("bridge")
STRAINS = "C D H S NT".split()
GAME = jaxcards.make("bridge/open_spiel")


def after(*names, dealer=0):
    state = GAME.init_from_deck(np.arange(52), dealer)
    for name in names:
        state = GAME.checked_step(state, f"bid {name}" if name[0].isdigit() else name)
    return state


def legal(state):
    names = GAME.action_names()
    return {names[action] for action in np.flatnonzero(GAME.legal_action_mask(state))}


@PAGE.rows("calls so far", cells=1)
def test_legal_calls(row):
    said, _, allowed = row
    names = [] if said == "none" else [name.strip().strip("`") for name in said.split(",")]
    found = legal(after(*names))
    bids = {name for name in found if name not in ("pass", "double", "redouble")}
    for word in ("double", "redouble"):
        assert (word in found) == (word in [part.strip(" `") for part in allowed.split(",")])
    number = int(next((word for word in allowed.split() if word.isdecimal()), 0))
    assert len(bids) == number


@PAGE.rows("contract")
def test_scores(row):
    contract, vulnerable, tricks, points = row
    bid, *doubled = contract.replace("`", "").split()
    level, strain = int(bid[0]), STRAINS.index(bid[1:])
    times = {"": 0, "doubled": 1, "redoubled": 2}["".join(doubled)]
    given = (level, strain, times, vulnerable == "yes")
    assert contract_score(*given, int(tricks)) == int(points)
    words = [jnp.uint32(value) for value in given[:3]] + [jnp.bool_(given[3])]
    over = int(tricks) - 6 - level
    if over >= 0:
        assert int(score.made_score(*words, jnp.int32(over))) == int(points)
    else:
        assert int(score.down_score(*words[2:], jnp.int32(-over))) == -int(points)


def test_scores_of_all_contracts():
    values = np.array([
        (level, strain, doubled, vulnerable, tricks)
        for level in range(1, 8) for strain in range(5) for doubled in range(3)
        for vulnerable in range(2) for tricks in range(14)
    ])  # fmt: skip

    def one(level, strain, doubled, vulnerable, tricks):
        level, strain, doubled = (value.astype(jnp.uint32) for value in (level, strain, doubled))
        over, sides = tricks - 6 - level.astype(jnp.int32), vulnerable == 1
        made = score.made_score(level, strain, doubled, sides, jnp.maximum(over, 0))
        down = score.down_score(doubled, sides, jnp.maximum(-over, 1))
        return jnp.where(over >= 0, made, -down)

    found = jax.jit(jax.vmap(one))(*jnp.asarray(values).T)
    wanted = [contract_score(a, b, c, bool(d), e) for a, b, c, d, e in values.tolist()]
    assert found.tolist() == wanted


def test_the_first_to_name_the_strain_declares():
    state = after("1H", "1S", "2H", "2S", "pass", "pass", "3H", "pass", "pass", "pass")
    assert int(state.public.declarer) == 0 and int(state.current_player) == 1
    state = after("1C", "pass", "1H", "pass", "2H", "pass", "pass", "pass")
    assert int(state.public.declarer) == 2 and int(state.current_player) == 3


def test_the_declarer_plays_the_cards_of_the_dummy():
    state = after("1NT", "pass", "pass", "pass")
    assert not GAME.observe(state, jnp.int32(1)).dummy.any()
    lead = int(np.flatnonzero(GAME.legal_action_mask(state))[0])
    state = GAME.checked_step(state, lead)
    assert int(state.current_player) == 0 and int(state.public.current_player) == 2
    assert GAME.observe(state, jnp.int32(3)).dummy.to_list() == state.hands[2].to_list()
    # Each of the two hands still has its own cards to play.
    assert GAME.cards_to_play(state).tolist() == [13, 12, 13, 13]


def test_all_pass_ends_the_deal():
    state = after("pass", "pass", "pass", "pass")
    assert state.terminated and GAME.points(state).tolist() == [0] * 4


def test_the_auction_is_remembered():
    names = ["pass", "1C", "double", "redouble", "pass", "pass", "1NT", "pass", "pass", "double"]
    names += ["pass", "pass", "redouble", "pass", "pass", "2S", "pass"]
    state = after(*names, dealer=3)
    every, found = GAME.action_names(), calls.auction_of(state.public)
    assert [seat for seat, _ in found] == [(3 + turn) % 4 for turn in range(len(names))]
    assert [every[call].removeprefix("bid ") for _, call in found] == names


def test_the_vulnerability_of_chicago():
    game = jaxcards.make("bridge/chicago")
    found = [
        int(game.init_from_deck(np.arange(52), 1, deal=deal).public.vulnerability) for deal in range(4)
    ]
    assert found == [0, 2, 2, 3]


@pytest.mark.parametrize(
    ("difference", "points"),
    [(0, 0), (10, 0), (20, 1), (50, 2), (430, 10), (490, 10), (-500, -11), (3990, 23), (4000, 24)],
)
def test_imps(difference, points):
    assert imps(difference) == points
