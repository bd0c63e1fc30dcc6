"""Sheepshead in PettingZoo: five agents that choose at random among their legal actions."""

import numpy as np

import jaxcards
from jaxcards.interop.pettingzoo import to_aec

env = to_aec(jaxcards.make("sheepshead"), render_mode="ansi")
env.reset(seed=0)
random, earned = np.random.default_rng(0), {}
for agent in env.agent_iter():
    observation, reward, over, _, _ = env.last()
    if over:
        earned[agent] = reward
        env.step(None)
        continue
    legal = np.flatnonzero(observation["action_mask"])
    env.step(int(random.choice(legal)))
print(env.render())
print("earned", earned)
