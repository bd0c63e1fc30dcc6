"""Jass in pgx: a loop of pgx with `auto_reset`, 1,000 tables side by side."""

import jax
import jax.numpy as jnp
from pgx.experimental import act_randomly, auto_reset

import jaxcards
from jaxcards.interop.pgx import to_pgx

TABLES, STEPS = 1000, 200
env = to_pgx(jaxcards.make("jass"))
step = jax.vmap(auto_reset(env.step, env.init))


def turn(carry, key):
    state, earned = carry
    choose, deal = jax.random.split(key)
    action = act_randomly(choose, state.legal_action_mask)
    state = step(state, action, jax.random.split(deal, TABLES))
    return (state, earned + state.rewards.sum(0)), state.terminated.sum()


@jax.jit
def play(key):
    state = jax.vmap(env.init)(jax.random.split(key, TABLES))
    return jax.lax.scan(turn, (state, jnp.zeros(env.num_players)), jax.random.split(key, STEPS))


(_, earned), ended = play(jax.random.key(0))
print(f"{int(ended.sum())} deals, returns by player {(earned / ended.sum()).round(1)}")
