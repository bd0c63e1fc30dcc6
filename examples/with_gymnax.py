"""Euchre in gymnax: one seat of random play, logged by gymnax's own wrapper, 512 tables in a scan."""

import jax
from gymnax.wrappers import LogWrapper

import jaxcards
from jaxcards.interop.gymnax import to_gymnax

TABLES, STEPS = 512, 60
env, params = to_gymnax(jaxcards.make("euchre"))
env = LogWrapper(env)
step = jax.vmap(env.step, in_axes=(0, 0, 0, None))


def turn(carry, key):
    observation, state = carry
    choose, deal = jax.random.split(key)
    legal = observation[:, -env.num_actions :]  # the mask stands behind the features
    action = jax.random.categorical(choose, jax.numpy.log(legal))
    observation, state, *_, info = step(jax.random.split(deal, TABLES), state, action, params)
    return (observation, state), info["returned_episode_returns"]


start = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(jax.random.key(0), TABLES), params)
_, returns = jax.jit(
    lambda start: jax.lax.scan(turn, start, jax.random.split(jax.random.key(1), STEPS))
)(start)
print(f"mean return of the last deal of each table: {returns[-1].mean():.2f}")
