# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Ten million deals
#
# A deal of a game is a pure function of a key, so that `vmap` plays thousands of them side by side,
# on any device.

# %%
import os
import time

import jax
import matplotlib.pyplot as plt
import numpy as np

import jaxcards
from jaxcards.throughput import random_play

DEALS = int(os.environ.get("DEALS", 10_000_000))
BATCH = 8192

game = jaxcards.make("jass/differenzler")
play = random_play(game, BATCH, DEALS // BATCH)
compiled = jax.block_until_ready(play(np.uint32(0)))  # the first call compiles

# %% [markdown]
# The time from the call to the result, without compiling: one deal has 36 cards, dealt, played and
# scored.

# %%
begun = time.perf_counter()
tally = jax.block_until_ready(play(np.uint32(1)))
seconds = time.perf_counter() - begun
deals = DEALS // BATCH * BATCH
speed = deals / seconds
print(f"{deals:,} deals in {seconds:.1f} s: {speed:,.0f} a second on {jax.devices()[0].device_kind}")

# %% [markdown]
# A tally has sums. Each deal of Jass gives away 157 card points, whatever the players do.

# %%
assert int(tally.unfinished) == 0 and int(tally.lowest) == int(tally.highest) == 157
mean = np.asarray(tally.points, np.int64).sum(0) / deals
print("points per deal:", mean.round(2))

# %% [markdown]
# What is needed of each deal is a function of your own, under `vmap`. Here: how the points of a deal
# are spread when the shipped player plays, and when everybody plays at random.

# %%
from jaxcards.agent import RandomAgent  # noqa: E402

champion = jaxcards.load_agent(game)


def points(agent, params, number):
    def deal(key):
        return jaxcards.rollout(game, agent, params, key).points[0]

    return jaxcards.xla.jit(jax.vmap(deal))(jax.random.split(jax.random.key(0), number))


style = {"bins": range(0, 160, 2), "histtype": "step", "density": True}
for name, (agent, params) in {"champion": champion, "at random": (RandomAgent(), ())}.items():
    plt.hist(np.asarray(points(agent, params, 4096)), label=name, **style)
plt.xlabel("points that count against a player in a deal")
plt.legend()
plt.show()
