"""Trains a tiny learner for three updates, alone or as one of several processes.

    python shared_run.py OUT DEVICES [COORDINATOR PROCESSES PROCESS]

The first process writes to OUT how it went: every metric of every update, and the parameters.
"""

import json
import sys

import jax

import jaxcards
from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.training.host_learner import CompiledLearner
from jaxcards.training.multihost import lockstep, processes

# Of this game some devices have more decisions than they have room for, and others have not.
CONFIG = PPOConfig(
    seed=5,
    deals_per_update=64,
    minibatches=2,
    epochs=2,
    hidden=(16,),
    critic_hidden=(16,),
    decision_share=0.55,
)


def main(out: str, devices: str, *meeting: str) -> None:
    channel = None
    if meeting:
        channel = processes.connect(meeting[0], int(meeting[1]), int(meeting[2]))
    jax.config.update("jax_num_cpu_devices", int(devices) // (channel.count if channel else 1))
    game = jaxcards.make("rikiki", num_players=3, schedule=(2,))
    learner = CompiledLearner(PPO(game, CONFIG, int(devices)))
    if channel and channel.process:
        channel.end(lockstep.follow(learner, channel))
        return
    leader = lockstep.LeadingLearner(learner, channel) if channel else learner
    state = leader.init()
    step = leader.compile(state, 1)
    curve = []
    for _ in range(3):
        state, metrics = step(state, 10.0)
        curve.append(metrics)
    found = {
        "devices": len(jax.tree.leaves(state)[0].sharding.device_set),
        "processes": jax.process_count(),
        "curve": curve,
        "params": [leaf.tolist() for leaf in jax.tree.leaves(jax.device_get(state.params))],
    }
    with open(out, "w") as file:
        json.dump(found, file)
    if channel:
        channel.end(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
