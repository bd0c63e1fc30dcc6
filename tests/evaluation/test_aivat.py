"""Variance reduction: control variates have mean 0, and agree with the plain difference."""

import jax.numpy as jnp
import numpy as np
import pytest
from support import quick
from support.fakes.players import Lowest

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.errors import UserError
from jaxcards.evaluation import aivat
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.evaluation.result import Evaluation

GAME = jaxcards.make("rikiki", num_players=3, schedule=(2,))
LOW = jnp.uint32(0)


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


def test_luck_has_mean_zero_and_explains_the_difference():
    agents, params = (RandomAgent(), Lowest()), ((), LOW)
    luck = aivat.luck(GAME, agents, params, 600, seed=3)
    assert luck.std() > 0 and not mean_interval(luck).excludes(0)
    found = evaluate(GAME, agents, params, ["random", "low"], 600, 3, variance_reduction=True)
    pair = found.pairs[0]
    assert pair.reduced is not None and pair.deals_saved > 1.2
    assert abs(pair.reduced.mean - pair.difference.mean) < pair.difference.high - pair.difference.mean
    assert found.pair("low", "random").reduced == -pair.reduced
    assert Evaluation.from_json(found.to_json()) == found
    assert "with reduced variance" in found.to_text()


def test_deterministic_players_have_no_reduced_interval():
    agents, params = [Lowest(), Lowest()], [LOW, jnp.uint32(1)]
    found = evaluate(GAME, agents, params, ["low", "high"], 20, variance_reduction=True)
    assert found.pairs[0].reduced is None and found.pairs[0].deals_saved is None


class Slow(Lowest):
    base = Lowest()


def test_policy_of_a_slow_player_takes_its_place_on_further_deals():
    agents, params = [Slow(), Lowest()], [LOW, jnp.uint32(1)]
    pair = evaluate(GAME, agents, params, ["slow", "high"], 40, variance_reduction=True).pairs[0]
    # Both play alike, so the mean is that of the further deals, eight for each of theirs.
    assert pair.deals_saved == pytest.approx(aivat.EXTRA, rel=0.5)


def test_adjusted_mean_is_exact_where_control_variates_explain_everything():
    controls = np.random.default_rng(0).normal(size=(40, 2))
    found = aivat.adjusted(3 + controls @ [2.0, -1.0], controls, np.zeros(0))
    assert found.mean == pytest.approx(3) and found.high - found.low == pytest.approx(0, abs=1e-9)
    # The expectation of the last control variate is estimated on four deals: 1 * sd / sqrt(4).
    more = np.array([-1.0, 1.0, -1.0, 1.0])
    wider = aivat.adjusted(3 + controls @ [2.0, -1.0], controls, more)
    assert wider.high - wider.mean == pytest.approx(2.0227 * (4 / 3 / 4) ** 0.5, rel=1e-3)


def test_matches_scores_and_few_deals_are_refused():
    with pytest.raises(UserError, match="leave matches out"):
        aivat.check_reducible(jaxcards.Match(GAME), 100, "points")
    with pytest.raises(UserError, match="leave the score 'imps' out"):
        aivat.check_reducible(GAME, 100, "imps")
    with pytest.raises(UserError, match="at least 20 deals, not 19"):
        aivat.check_reducible(GAME, 19, "points")
