"""Speed of the VectorEnv of Gymnasium, as a ratio to a recorded rollout.

    python benchmarks/doors.py jass --tables 2048

Both play random deals. The rollout keeps the features and the mask of every decision; the VectorEnv
returns them to Python for the decisions of one seat. Repeats take turns, and the fastest of each
counts.
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards import xla
from jaxcards.agent import RandomAgent
from jaxcards.agents.networks.encoding import Encoding
from jaxcards.cards.features import unpack
from jaxcards.interop.gymnasium import to_vector_env
from jaxcards.rollouts import recorded_rollout

STEPS, REPEATS = 50, 8
DEALS = 1024  # of a rollout: its observations then stay in the caches


def own_speed(game, deals):
    """Return a function that plays deals and gives deals per second."""
    encoding = Encoding(game)

    def see(observation, legal):
        bits = unpack(game.feature_words(observation), game.num_features, jnp.int8)
        return bits, encoding.legal(observation, legal).mask().astype(jnp.int8)

    def play(key):
        done, steps = recorded_rollout(game, RandomAgent(), (), key)
        return jax.vmap(see)(steps.observation, steps.legal), done.points

    run, keys = xla.jit(jax.vmap(play)), jax.random.split(jax.random.key(0), deals)
    jax.block_until_ready(run(keys))

    def measure():
        start = time.perf_counter()
        jax.block_until_ready(run(keys))
        return deals / (time.perf_counter() - start)

    return measure


def door_speed(game, tables):
    """Return a function that steps a VectorEnv and gives deals per second."""
    envs, random = to_vector_env(game, tables), np.random.default_rng(0)
    envs.reset(seed=0)
    # Any action: the environment replaces illegal ones, so that the choice costs Python nothing.
    envs.step(random.integers(0, game.num_actions, tables))

    def measure():
        start, deals = time.perf_counter(), 0
        for _ in range(STEPS):
            deals += envs.step(random.integers(0, game.num_actions, tables))[2].sum()
        return deals / (time.perf_counter() - start)

    return measure


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default="jass")
    parser.add_argument("--tables", type=int, default=2048)
    args = parser.parse_args()
    game = jaxcards.make(args.game)
    measures = own_speed(game, DEALS), door_speed(game, args.tables)
    rates = np.array([[measure() for measure in measures] for _ in range(REPEATS)])
    own, door = rates.max(0)
    print(f"{game.id}: rollout {own:,.0f} deals/s, VectorEnv {door:,.0f}, ratio {door / own:.2f}")


if __name__ == "__main__":
    main()
