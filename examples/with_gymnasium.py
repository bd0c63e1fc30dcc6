"""Belote in Gymnasium: one seat against the heuristic player, 256 tables in one compiled call."""

import numpy as np

import jaxcards
from jaxcards.interop.gymnasium import to_vector_env

game = jaxcards.make("belote")
opponent, params = jaxcards.load_player("heuristic", game)
envs = to_vector_env(game, 256, opponents=opponent, params=params)
random = np.random.default_rng(0)
observations, infos = envs.reset(seed=0)
earned, deals = 0.0, 0
for _ in range(40):
    scores = np.where(infos["action_mask"], random.random(infos["action_mask"].shape), -1)
    observations, rewards, terminations, truncations, infos = envs.step(scores.argmax(1))
    earned, deals = earned + rewards.sum(), deals + terminations.sum()
print(f"{deals} deals of random play, {earned / deals:.1f} points a deal ahead of the other side")
