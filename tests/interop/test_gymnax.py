"""One seat in gymnax, and with the signature of PureJaxRL: wrappers, a loop, and a policy back."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import quick

from jaxcards.agent import RandomAgent
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.interop.policies import PolicyAgent

pytest.importorskip("gymnax")

from gymnax.environments import spaces  # noqa: E402
from gymnax.wrappers import FlattenObservationWrapper, LogWrapper  # noqa: E402

from jaxcards.interop.gymnax import to_gymnax, to_purejaxrl  # noqa: E402

TABLES = 16


def random_play(env, params, steps, key):
    """Random actions, legal or not, at many tables: what the steps gave but the states."""
    reset, step = jax.vmap(env.reset, in_axes=(0, None)), jax.vmap(env.step, in_axes=(0, 0, 0, None))

    def once(carry, key):
        observation, state = carry
        choose, deal = jax.random.split(key)
        actions = jax.random.randint(choose, (TABLES,), 0, env.num_actions)
        observation, state, *rest = step(jax.random.split(deal, TABLES), state, actions, params)
        return (observation, state), (observation, *rest)

    def run(key):
        start, loop = jax.random.split(key)
        first = reset(jax.random.split(start, TABLES), params)
        return jax.lax.scan(once, first, jax.random.split(loop, steps))[1]

    return jax.device_get(quick.jit(run)(key))


@pytest.mark.slow
def test_gymnax_and_its_wrappers(game):
    env, params = to_gymnax(game)
    wrapped = LogWrapper(FlattenObservationWrapper(env))
    steps = 3 * game.max_steps // game.num_players
    found = random_play(wrapped, params, steps, jax.random.key(0))
    observation, reward, terminated, truncated, info = found
    space = env.observation_space(params)
    assert observation.shape[2:] == space.shape and isinstance(
        env.action_space(params), spaces.Discrete
    )
    assert set(np.unique(observation)) == {0, 1} and not truncated.any()
    assert terminated.any() and not reward[~terminated].any() and reward.any()
    assert info["illegal"].any() and not info["illegal"].all()
    assert (observation[..., game.num_features :].sum(-1) >= 1).all(), "a mask is never empty"


@pytest.mark.slow
def test_the_signature_of_purejaxrl(small):
    """Five results a step, and wrappers that compile methods with `self` as a static argument."""
    env, params = to_purejaxrl(small, seat=2)

    class Flat:
        def __init__(self, env):
            self._env = env

        def __getattr__(self, name):
            return getattr(self._env, name)

        @functools.partial(jax.jit, static_argnums=(0,))
        def reset(self, key, params=None):
            observation, state = self._env.reset(key, params)
            return jnp.reshape(observation, (-1,)), state

        @functools.partial(jax.jit, static_argnums=(0,))
        def step(self, key, state, action, params=None):
            observation, state, reward, done, info = self._env.step(key, state, action, params)
            return jnp.reshape(observation, (-1,)), state, reward, done, info

    observation, reward, done, info = random_play(Flat(env), params, 12, jax.random.key(1))
    assert done.sum(0).tolist() == [3] * TABLES and (reward[~done] == 0).all()
    assert (env.action_space(params).n, env.observation_space(params).shape) == (
        small.num_actions,
        observation.shape[2:],
    )
    assert to_purejaxrl(small, seat=2)[0] == env and hash(to_purejaxrl(small, seat=2)[0]) == hash(env)
    assert to_purejaxrl(small, seat=1)[0] != env != to_gymnax(small, seat=2)[0]


@pytest.mark.slow
def test_a_policy_gradient_learns_and_plays_at_our_tables(small):
    """A loop as PureJaxRL writes it, without a mask, and what it has learned against random play."""
    env, env_params = to_purejaxrl(small, scale=0.1)
    tables, steps, inputs = 256, 8, env.observation_space(env_params).shape[0]
    reset, step = jax.vmap(env.reset, in_axes=(0, None)), jax.vmap(env.step, in_axes=(0, 0, 0, None))

    def policy(weights, observation):
        hidden = jnp.tanh(observation @ weights["in"])
        return hidden @ weights["out"], hidden @ weights["value"]

    def update(carry, key):
        weights, state, observation = carry

        def once(carry, key):
            observation, state = carry
            choose, deal = jax.random.split(key)
            logits, _ = policy(weights, observation)
            action = jax.random.categorical(choose, logits)
            seen = observation
            observation, state, reward, done, _ = step(
                jax.random.split(deal, tables), state, action, env_params
            )
            return (observation, state), (seen, action, reward, done)

        (observation, state), batch = jax.lax.scan(
            once, (observation, state), jax.random.split(key, steps)
        )
        seen, action, reward, done = batch

        def back(later, now):
            reward, done = now
            value = reward + (1 - done) * later
            return value, value

        _, value = jax.lax.scan(back, jnp.zeros(tables), (reward, done), reverse=True)

        def loss(weights):
            logits, baseline = policy(weights, seen)
            chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), action[..., None], -1)[..., 0]
            gain = value - baseline
            return -(chosen * jax.lax.stop_gradient(gain)).mean() + (gain**2).mean()

        gradient = jax.grad(loss)(weights)
        weights = jax.tree.map(lambda w, g: w - 1.0 * g, weights, gradient)
        return (weights, state, observation), reward.sum() / done.sum()

    @jax.jit
    def train(key):
        start, first, second, loop = jax.random.split(key, 4)
        weights = {
            "in": jax.random.normal(first, (inputs, 64)) * 0.1,
            "out": jax.random.normal(second, (64, env.num_actions)) * 0.01,
            "value": jnp.zeros(64),
        }
        observation, state = reset(jax.random.split(start, tables), env_params)
        return jax.lax.scan(update, (weights, state, observation), jax.random.split(loop, 400))

    (weights, _, _), earned = train(jax.random.key(0))
    assert float(earned[-50:].mean()) > float(earned[:5].mean()) + 0.08
    learned = PolicyAgent(small, policy, with_mask=True, masked=False)
    result = evaluate(small, [learned, RandomAgent()], [weights, ()], ["learned", "random"], 400)
    assert result.pairs[0].difference.low > 0
