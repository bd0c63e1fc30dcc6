"""Our games behind the door of pgx: its own test, its wrappers, penalties, and its policies here."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.agents.networks.network import NetworkAgent
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.interop import turns
from jaxcards.interop.policies import PolicyAgent

pytest.importorskip("pgx")

from pgx._src import api_test as their_test  # noqa: E402
from pgx.experimental import auto_reset  # noqa: E402

from jaxcards.interop.pgx import to_pgx  # noqa: E402


@pytest.fixture(autouse=True)
def mended(monkeypatch):
    """Their test draws along axis 1 of one state, which has none: it fails on their own games, too."""

    @jax.jit
    def act_randomly(key, mask):
        return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)

    monkeypatch.setattr(their_test, "act_randomly", act_randomly)


@pytest.mark.slow
def test_their_own_test(game):
    their_test.api_test(to_pgx(game), 1)


def test_play_is_ours(small):
    """The same deal in both, with the actions under both names."""
    env = to_pgx(small)
    init, step = quick.jit(env.init), quick.jit(env.step)
    key = jax.random.key(3)
    state, deal = init(key), quick.jit(small.init)(key)
    ours = quick.jit(lambda deal, action: small.step(deal, turns.game_action(small, deal, action)))
    rewards = []
    while not state.terminated:
        assert int(state.current_player) == int(deal.current_player)
        seen = turns.turn(small, deal)
        assert (state.observation == seen.features).all() and state.observation.dtype == bool
        action = jnp.flatnonzero(state.legal_action_mask)[-1]
        state, deal = step(state, action), ours(deal, action)
        rewards.append(np.asarray(state.rewards))
    assert bool(deal.terminated) and (rewards[-1] == small.returns(deal)).all()
    assert not np.any(rewards[:-1])
    assert not step(state, jnp.int32(0)).rewards.any(), "after the end nothing is earned"
    assert (env.num_actions, env.observation_shape) == (small.num_actions, (small.num_features,))


def test_an_illegal_action_costs_the_side_that_chose_it(small):
    env = to_pgx(small, illegal_penalty=-6.0)
    state = quick.jit(env.init)(jax.random.key(0))
    player, illegal = int(state.current_player), int(jnp.flatnonzero(~state.legal_action_mask)[0])
    after = quick.jit(env.step)(state, illegal)
    assert bool(after.terminated)
    expected = [-6.0 if seat == player else 3.0 for seat in range(3)]
    assert after.rewards.tolist() == expected
    partners = to_pgx(jaxcards.make("euchre"))
    found = partners._step_with_illegal_action(
        partners._state_class(*[jnp.zeros(())] * 8), jnp.int32(2)
    )
    assert found.rewards.tolist() == [-1.0, 1.0, -1.0, 1.0]


@pytest.mark.slow
def test_their_wrapper_deals_again(small):
    env = to_pgx(small)
    step = auto_reset(env.step, env.init)

    @quick.jit
    def run(key):
        state = jax.vmap(env.init)(jax.random.split(key, 4))

        def once(state, key):
            choose, deal = jax.random.split(key)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            action = jax.random.categorical(choose, logits, axis=-1)
            state = jax.vmap(step)(state, action, jax.random.split(deal, 4))
            return state, state.terminated

        return jax.lax.scan(once, state, jax.random.split(key, 3 * small.max_steps))[1]

    assert run(jax.random.key(0)).sum(0).tolist() == [3] * 4, "every deal has 12 decisions"


@pytest.mark.slow
def test_pictures_of_one_state_and_of_a_batch(small, tmp_path):
    env = to_pgx(small)
    one = quick.jit(env.init)(jax.random.key(0))
    many = quick.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), 12))
    assert one.to_svg().count("<title") == 1 and many.to_svg(scale=0.5).count("<title") == 9
    ids = [part.split('"')[0] for part in many.to_svg().split(' id="')[1:]]
    assert len(ids) == len(set(ids)), "a page has every id once"
    many.save_svg(tmp_path / "tables.svg")
    assert (tmp_path / "tables.svg").read_text().startswith("<svg")
    with pytest.raises(UserError, match=r"must end in \.svg"):
        one.save_svg(tmp_path / "table.png")


# --- From pgx to us -----------------------------------------------------------------------------


def policy(weights, observation):
    """Return one of our networks as a function of pgx's form: (logits, value) of observations."""
    hidden = jax.nn.relu(observation @ weights["Dense_0"]["kernel"] + weights["Dense_0"]["bias"])
    logits = hidden @ weights["Dense_1"]["kernel"] + weights["Dense_1"]["bias"]
    return logits, jnp.zeros(len(logits))


@pytest.mark.slow
@pytest.mark.parametrize("greedy", [True, False])
def test_a_policy_of_their_form_is_the_network(small, greedy):
    agent = NetworkAgent(small, (8,), greedy=greedy)
    params = agent.init(jax.random.key(0), small)
    theirs = PolicyAgent(small, policy, greedy=greedy)

    def act(key):
        state = small.init(key)
        seen = small.observe(state, state.current_player), small.legal_actions(state)
        return agent.act(params, *seen, key), theirs.act(params["params"], *seen, key)

    ours, same = quick.jit(jax.vmap(act))(jax.random.split(jax.random.key(1), 64))
    assert (ours == same).all() and len(set(ours.tolist())) > 1


@pytest.mark.slow
def test_a_policy_of_their_form_plays_in_evaluations(small):
    agent = NetworkAgent(small, (8,), greedy=True)
    params = agent.init(jax.random.key(0), small)
    weights = params["params"]
    theirs = PolicyAgent(small, policy)
    result = evaluate(
        small, [theirs, agent, RandomAgent()], [weights, params, ()], ["theirs", "ours", "random"], 16
    )
    assert result.pair("theirs", "ours").sd == 0 < result.pair("theirs", "random").sd


def test_a_policy_of_another_game_is_refused(small):
    agent = PolicyAgent(small, lambda params, observation: jnp.zeros((1, 3)))
    state = small.init(jax.random.key(0))
    observation, legal = small.observe(state, state.current_player), small.legal_actions(state)
    with pytest.raises(UserError, match=r"must give logits of shape \[1, \d+\] .* not \[1, 3\]"):
        agent.act((), observation, legal, jax.random.key(0))
