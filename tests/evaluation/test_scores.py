"""IMPs and matchpoints: the scores of one deal at two tables, compared."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.players import make_player
from jaxcards.cli import main
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.intervals import Interval, mean_interval
from jaxcards.evaluation.result import Evaluation
from jaxcards.evaluation.scores import scored
from jaxcards.games.bridge.imps import imps
from jaxcards.rollouts import deal_keys, rollout

GAME = jaxcards.make("bridge")
NUM_DEALS = 12


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        yield


def play(score):
    """Return the evaluation of a heuristic, a random player, and the heuristic again."""
    heuristic = make_player("heuristic", GAME)
    agents, names = [heuristic, RandomAgent(), heuristic], ["a", "b", "a too"]
    return evaluate(GAME, agents, [(), (), ()], names, NUM_DEALS, seed=2, score=score)


def test_worked_example():
    """North and South of A and of B on the same four deals."""
    of_a = np.array([420, -100, 110, 630])  # 4S made, 3NT down, 2H made, 3NT with an overtrick
    of_b = np.array([170, 140, 110, 620])  # 3S with an overtrick, 3H made, 2H made, 4S made
    mean_of_tables = (of_a - of_b) / 2  # B's score counts for A's East and West with the other sign
    assert scored(GAME, "points", mean_of_tables).tolist() == [125, -120, 0, 5]
    # Differences of 250, -240, 0 and 10.
    assert scored(GAME, "imps", mean_of_tables).tolist() == [6, -6, 0, 0]
    assert scored(GAME, "matchpoints", mean_of_tables).tolist() == [1, -1, 0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("score", ["matchpoints", "imps"])
def test_the_two_tables_of_each_deal(score):
    found = play(score)
    agents, params = (make_player("heuristic", GAME), RandomAgent()), ((), ())

    def north(key, seats):
        return rollout(GAME, agents, params, key, seats=seats).returns[0]

    tables = jnp.array([[0, 1, 0, 1], [1, 0, 1, 0]])
    keys = deal_keys(jnp.uint32(2), jnp.arange(NUM_DEALS, dtype=jnp.uint32))
    both = quick.jit(jax.vmap(jax.vmap(north, (None, 0)), (0, None)))(keys, tables)
    differences = [int(own - other) for own, other in np.asarray(both)]
    expected = [imps(d) if score == "imps" else np.sign(d) for d in differences]
    assert found.pair("a", "b").difference == mean_interval(np.array(expected, np.float64))
    # A wins a deal with more matchpoints.
    assert found.pair("a", "b").won.mean == np.mean((np.sign(differences) + 1) / 2)
    # B against A is minus A against B, and equals are even.
    assert found.pair("b", "a too").difference == -found.pair("a", "b").difference
    assert found.pair("a", "a too").difference == Interval(0.0, 0.0, 0.0)
    assert found.score == score and Evaluation.from_json(found.to_json()) == found
    assert {"imps": "IMPs per deal", "matchpoints": "matchpoints per deal"}[score] in found.to_text()


@pytest.mark.parametrize("line", ["--game jass", "--game bridge --matches"])
def test_other_games_and_matches_are_refused(line, capsys):
    assert main.main(["evaluate", "heuristic", "random", "--score", "imps", *line.split()]) == 2
    (message,) = capsys.readouterr().err.strip().splitlines()
    assert "has no score 'imps': use points" in message


def test_an_unknown_score_is_refused():
    with pytest.raises(UserError, match="bridge/duplicate has no score 'imp'"):
        evaluate(GAME, [RandomAgent()] * 2, [(), ()], ["a", "b"], 2, score="imp")
