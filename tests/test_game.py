"""The base class: what a game has to write, and what it is given."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.fakes.broken import RULES, deals

import jaxcards
from jaxcards import Game, Match, stages
from jaxcards.agent import RandomAgent
from jaxcards.cards.actions import IDLE
from jaxcards.contract import Contract, Hints
from jaxcards.errors import UserError
from jaxcards.games.jass.game import Jass
from jaxcards.testing.deals import quick_jit

MOST_TO_WRITE = 14


class Plain(Jass):
    """Jass with what a game is given that writes no more than it must."""

    hints = Game.hints
    schedule = Game.schedule
    returns = Game.returns
    progress = Game.progress
    max_match_deals = Game.max_match_deals
    next_deal = Game.next_deal
    match_over = Game.match_over
    history = Game.history
    write_full_state = Game.write_full_state
    relabel_legal = Game.relabel_legal
    relabel_action = Game.relabel_action
    to_string = Game.to_string


GAME = Plain(RULES, "plain")


def states_at(time):
    """Return the states of random deals after this number of actions."""
    return jax.tree.map(lambda leaf: jnp.asarray(leaf[time]), deals().states)


def state_at(time):
    return jax.tree.map(lambda leaf: leaf[0], states_at(time))


def test_a_game_writes_few_methods():
    assert len(Game.__abstractmethods__) <= MOST_TO_WRITE
    assert all(getattr(Game, name).__doc__ for name in Game.__abstractmethods__)


def test_the_contract_is_what_is_to_be_written():
    members = {
        name for name, value in vars(Contract).items() if callable(value) or hasattr(value, "fget")
    }
    assert {name for name in members if not name.startswith("__")} == Game.__abstractmethods__


def test_what_a_game_is_given():
    assert GAME.hints == Hints()
    assert GAME.schedule() == (stages.Repeat(GAME.max_steps, (stages.ANY,)),)
    assert GAME.num_rounds == 1
    assert Game.teams.fget(GAME) is None


@pytest.mark.parametrize("teams", [(0, 1, 0, 1), (0, 1, 1, 1), None])
def test_returns_are_points_less_those_of_the_other_side(teams):
    class Sides(Plain):
        pass

    Sides.teams = teams
    game, points = Sides(RULES), np.asarray(quick_jit(jax.vmap(GAME.points))(states_at(-1)))
    returns = np.asarray(quick_jit(jax.vmap(game.returns))(states_at(-1)))
    assert returns.dtype == np.float32 and len(np.unique(returns)) > 2
    sides = np.asarray(teams or ())
    others = points[:, [np.argmax(sides != side) for side in sides]] if teams else 0
    np.testing.assert_array_equal(returns, points - others)


def test_progress_is_points():
    state = state_at(20)
    assert GAME.progress(state).tolist() == GAME.points(state).tolist() != [0] * 4


def test_the_whole_deal_is_an_observation_and_the_other_hands():
    @quick_jit
    def look(state):
        own = GAME.features(GAME.observe(state, state.current_player))
        return own, GAME.full_state_features(state), [hand.mask() for hand in state.hands]

    state = state_at(0)
    own, whole, hands = look(state)
    assert len(whole) == GAME.num_full_state_features == len(own) + 3 * 36
    me = int(state.current_player)
    others = [hands[(me + places) % 4] for places in (1, 2, 3)]
    np.testing.assert_array_equal(whole, jnp.concatenate([own, *others]))


def test_a_game_without_matches():
    with pytest.raises(UserError, match="plain has no matches"):
        Match(GAME)


@pytest.mark.slow
def test_a_match_of_a_number_of_deals():
    class TwoDeals(Plain):
        max_match_deals = 2

    match = Match(TwoDeals(RULES))
    play = quick_jit(jax.vmap(lambda key: jaxcards.rollout(match, RandomAgent(), (), key).state))
    final = play(jax.random.split(jax.random.key(0), 8))
    assert (final.num_deals == 2).all() and final.over.all()
    best = final.totals == final.totals.max(axis=1, keepdims=True)
    assert (final.winners == best).all() and not best.all()


def test_after_the_end_no_action_reaches_a_game_and_all_are_legal():
    asked = []

    class Watched(Plain):
        def _step(self, state, action, stage):
            asked.append(int(action))
            return state

    game = Watched(RULES)
    for time, over in ((3, False), (-1, True)):
        assert bool(game.legal_action_mask(state_at(time)).all()) is over
        game.step(state_at(time), jnp.int32(5))
    assert asked == [5, IDLE]


def test_a_deal_in_words():
    first, last = state_at(0), state_at(-1)
    lines = GAME.to_string(first).splitlines()
    assert lines[0] == f"player 0 holds {GAME.deck.pretty_names(first.hands[0].to_list())}"
    assert lines[-1] == f"player {int(first.current_player)} is to act"
    points = ", ".join(str(points) for points in GAME.points(last).tolist())
    assert GAME.to_string(last).splitlines()[-1] == f"points by player: {points}"


def test_a_game_without_a_history_says_so():
    with pytest.raises(jaxcards.UserError, match="does not tell the actions of a deal"):
        GAME.history(GAME.observe(state_at(0), 0))
