"""Euchre in JaxMARL: random play of four agents, logged by its own wrapper, 512 tables in a scan."""

import jax
import jax.numpy as jnp
from jaxmarl.wrappers.baselines import LogWrapper

import jaxcards
from jaxcards.interop.jaxmarl import to_jaxmarl

TABLES, STEPS = 512, 100
env = LogWrapper(to_jaxmarl(jaxcards.make("euchre")))


def turn(state, key):
    choose, deal = jax.random.split(key)
    legal = jax.vmap(env.get_avail_actions)(state.env_state)  # the no-op where another agent acts
    actions = {who: jax.random.categorical(choose, jnp.log(own * 1.0)) for who, own in legal.items()}
    _, state, _, _, infos = jax.vmap(env.step)(jax.random.split(deal, TABLES), state, actions)
    return state, infos["returned_episode_returns"]


_, start = jax.vmap(env.reset)(jax.random.split(jax.random.key(0), TABLES))
_, returns = jax.jit(
    lambda start: jax.lax.scan(turn, start, jax.random.split(jax.random.key(1), STEPS))
)(start)
means = ", ".join(f"{mean:.2f}" for mean in returns[-1].mean(0))
print(f"mean returns of the last deal of each table, by agent: {means}")
