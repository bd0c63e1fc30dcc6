"""Variance reduction: luck has expectation 0, and agrees with the plain difference."""

import dataclasses
import itertools

import jax
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
from jaxcards.evaluation.calls import Calls
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.evaluation.result import Evaluation
from jaxcards.opponents.names import Opponent
from jaxcards.rollouts import deal_keys, recorded_rollout
from jaxcards.testing.deals import quick_jit

GAME = jaxcards.make("rikiki", num_players=3, schedule=(2,))
LOW, HIGH = jnp.uint32(0), jnp.uint32(1)


@pytest.fixture(autouse=True)
def compiled_fast(monkeypatch):
    monkeypatch.setattr(xla, "jit", quick.jit)


@dataclasses.dataclass(frozen=True)
class Scripted:
    """Names probabilities, and follows a script: int32[seats, 2], places of a bid and of a card."""

    second: float

    def act(self, params, observation, legal, key):
        public = observation.public
        place = params[public.current_player, (public.num_bids == GAME.num_players).astype(int)]
        return legal.nth(jnp.minimum(place, legal.count() - 1))

    def without_search(self, params):
        return RandomAgent(), params  # playouts know nothing of the script

    def probabilities(self, params, observation, legal):
        # The third action is so unlikely that it has no playouts.
        mask = legal.mask()
        weights = jnp.array([1, self.second, 0.005])[jnp.minimum(jnp.cumsum(mask) - 1, 2)] * mask
        return weights / jnp.maximum(weights.sum(), 1e-9)


def test_luck_is_unbiased_by_enumeration_of_all_actions(monkeypatch):
    agents, seats, number = (Scripted(2.0), Scripted(0.4)), np.array([0, 1, 0]), 2
    # The luck of each seat in one seating.
    monkeypatch.setattr(aivat, "seatings", lambda game: seats[None])
    monkeypatch.setattr(aivat, "advantage", lambda game, lucky: lucky[:, 0])
    monkeypatch.setattr(aivat, "_BATCH", number)
    monkeypatch.setattr(aivat, "_LANES", 64)

    def play(script, key):
        """Return the returns of a script, and its probability; 0 if it names a place too far."""
        done, steps = recorded_rollout(GAME, agents, [script] * 2, key, seats=seats, check=False)
        # A bid and a card of each player; the last card is forced.
        player, seen, legal, action, _ = jax.tree.map(lambda leaf: leaf[:6], steps)
        of_a, of_b = (jax.vmap(agent.probabilities, (None, 0, 0))((), seen, legal) for agent in agents)
        chance = jnp.where((jnp.asarray(seats)[player] == 0)[:, None], of_a, of_b)[
            jnp.arange(6), action
        ]
        possible = script[player, jnp.arange(6) // 3] < jax.vmap(lambda of: of.count())(legal)
        return done.returns, jnp.where(possible.all(), chance.prod(), 0)

    size = [3, 2] * GAME.num_players
    scripts = np.array(list(itertools.product(*map(range, size)))).reshape(-1, GAME.num_players, 2)
    keys = deal_keys(5, jnp.arange(number, dtype=jnp.uint32))
    both = quick_jit(jax.vmap(jax.vmap(play, (None, 0)), (0, None)))(scripts, keys)
    plain, chance = (np.asarray(part, np.float64) for part in both)
    assert chance.sum(0) == pytest.approx(1)
    luck = np.stack([aivat.luck(GAME, agents, (script,) * 2, number, 5, "") for script in scripts])
    mean, spread = moments(plain, chance)
    reduced, left = moments(plain - luck, chance)
    assert reduced == pytest.approx(mean, abs=1e-5) and left < 0.6 * spread


def moments(values, chance):
    """Return the expectation of each deal and seat, and the sum of the variances."""
    mean, square = ((chance[..., None] * part).sum(0) for part in (values, values**2))
    return mean, (square - mean**2).sum()


@pytest.mark.slow
def test_only_pairs_with_luck_have_a_reduced_interval():
    agents, params, names = (
        [Lowest(), RandomAgent(), Lowest()],
        [LOW, (), LOW],
        ["low", "random", "same"],
    )
    found = evaluate(GAME, agents, params, names, 200, 5, variance_reduction=True)
    assert found.pair("low", "same").reduced is found.pair("low", "same").deals_saved is None
    pair = found.pair("low", "random")
    assert pair.deals_saved > 2
    assert abs(pair.reduced.mean - pair.difference.mean) < pair.difference.high - pair.difference.mean
    assert found.pair("random", "low").reduced == -pair.reduced
    assert Evaluation.from_json(found.to_json()) == found
    assert "with reduced variance" in found.to_text()


class Slow(Lowest):
    def without_search(self, params):
        return Lowest(), params


@pytest.mark.slow
def test_policy_of_a_search_stands_in_on_further_deals():
    pair = evaluate(
        GAME, [Slow(), Lowest()], [LOW, HIGH], ["slow", "high"], 40, variance_reduction=True
    )
    # Both play alike, so the mean is that of the further deals, eight for each deal.
    assert pair.pairs[0].deals_saved == pytest.approx(aivat.EXTRA, rel=0.5)


def test_adjusted_mean_is_exact_where_control_variates_explain_everything():
    controls = np.random.default_rng(0).normal(size=(40, 2))
    differences = 3 + controls @ [2.0, -1.0]
    found = aivat.adjusted(differences, controls, np.zeros(2))
    assert found.mean == pytest.approx(3) and found.high - found.low == pytest.approx(0, abs=1e-9)
    # The mean of the last control variate is that of four deals: 1 * sd / sqrt(4).
    wider = aivat.adjusted(differences, controls, np.array([-1.0, 1.0, -1.0, 1.0]))
    assert wider.high - wider.mean == pytest.approx(2.0227 * (4 / 3 / 4) ** 0.5, rel=1e-3)
    assert aivat.adjusted(differences, np.zeros((40, 1)), np.zeros(2)) == mean_interval(differences)


def test_evaluations_without_luck_are_refused():
    def refuse(match, agents, params, game=GAME, **more):
        with pytest.raises(UserError, match=match):
            evaluate(game, agents, params, ["a", "b"], 20, variance_reduction=True, **more)

    refuse("no variance can be reduced", [Lowest(), Lowest()], [LOW, HIGH])
    # A search against its own policy.
    refuse("no variance can be reduced", [Slow(), Lowest()], [LOW, jnp.uint32(0)])
    foreign, random = Opponent("openspiel", "random"), RandomAgent()
    refuse("no variance can be reduced", [random, foreign], [(), ()], jaxcards.make("hearts"))
    both = [random, random], [(), ()]
    refuse("excludes matches", *both, jaxcards.Match(GAME))
    refuse("excludes matches", *both, calls=Calls("low", Lowest(), LOW))
