"""The player with open hands: exact at the end, good before, and never taken for an honest one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import minimax, quick

import jaxcards
from jaxcards import xla
from jaxcards.agent import Agent, OpenHandsAgent, RandomAgent
from jaxcards.agents.search.double_dummy import DoubleDummyAgent
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.result import Evaluation
from jaxcards.opponents.names import opponent

GAME = jaxcards.make("euchre/standard")
AGENT = DoubleDummyAgent(GAME, RandomAgent(), endings=2, candidates=6)


@pytest.mark.slow
def test_it_plays_the_best_card_of_an_ending():
    states = jax.tree.map(lambda leaf: leaf[:48], minimax.endings(GAME, 2, 64, seed=8))

    def look(state, key):
        legal = GAME.legal_actions(state)
        action = AGENT.act_with_open_hands((), state, legal, key)
        return AGENT.values((), state, key), action, legal.mask(), state.current_player

    keys = jax.random.split(jax.random.key(1), 48)
    found = jax.tree.map(np.asarray, quick.jit(jax.vmap(look))(states, keys))
    values, action, mask, player = found
    assert values.exact.all()
    best = np.where(mask, minimax.values(GAME, states), -np.inf)
    worst = np.where(mask, best, np.inf).min(1)
    assert (best[np.arange(48), action] == best.max(1)).all() and (worst < best.max(1)).any()
    for row, place in zip(*np.nonzero(values.legal), strict=True):
        # Two players on a side, and the other side loses as much.
        own = 4 * values.returns[row, place, player[row]]
        assert own == best[row, values.action[row, place]]


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        players = [AGENT, RandomAgent()]
        return evaluate(GAME, players, [(), ()], ["double_dummy", "random"], 48, seed=1)


@pytest.mark.slow
def test_it_wins_and_the_result_says_what_it_is(result):
    assert result.pairs[0].difference.low > 0.2
    assert result.with_open_hands == ("double_dummy",)
    assert "double_dummy sees all hands: an upper bound" in result.to_text()
    assert Evaluation.from_json(result.to_json()) == result


def test_it_is_no_agent():
    assert isinstance(AGENT, OpenHandsAgent) and not isinstance(AGENT, Agent)
    assert not isinstance(RandomAgent(), OpenHandsAgent)


def test_other_engines_show_no_hands():
    players = [AGENT, opponent("colver:random")]
    with pytest.raises(UserError, match="double_dummy sees all hands, but other engines hide theirs"):
        evaluate(GAME, players, [(), ()], ["double_dummy", "colver:random"], 2)


@pytest.mark.parametrize(
    "settings, words", [({"candidates": 1}, "candid"), ({"endings": 7}, "endings")]
)
def test_numbers_out_of_range(settings, words):
    with pytest.raises(UserError, match=words):
        DoubleDummyAgent(GAME, RandomAgent(), **settings)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["rikiki/standard3", "sheepshead/standard"])
def test_it_plays_where_everyone_is_alone_and_in_matches(id):
    game = jaxcards.make(id)
    agent = DoubleDummyAgent(game, RandomAgent(), endings=2)
    found = evaluate(game, [agent, RandomAgent()], [(), ()], ["open", "random"], 32, seed=1)
    assert found.pairs[0].difference.low > 0
    match = jaxcards.Match(GAME)
    state, key = match.init(jax.random.key(0)), jax.random.key(1)
    legal = match.legal_actions(state)
    assert bool(legal.contains(AGENT.act_with_open_hands((), state, legal, key)))
    assert jnp.array_equal(
        AGENT.values((), state, key).returns, AGENT.values((), state.deal, key).returns
    )
