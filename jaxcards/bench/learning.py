"""The training workload: updates of `jaxcards train`, a batch of deals for each."""

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agents.learners.ppo.config import PPOConfig
from jaxcards.agents.learners.ppo.learner import PPO
from jaxcards.bench.program import MOST_ROUNDS, Done, Program, Subject
from jaxcards.game import Game
from jaxcards.throughput import check_devices
from jaxcards.training.host_learner import CompiledLearner

_LONG = 1e6  # updates of the whole run; the learning rate depends on it


def training(game: Game, batch: int, devices: int) -> Subject:
    """Update with the settings of `jaxcards train`, except that `deals_per_update` is the batch.

    If the batch is too small for the usual number of minibatches, there are as few as needed. The
    learner continues from call to call, and so gets new deals for each update.

    Raises:
      UserError: if the devices cannot share the batch evenly.
    """
    check_devices(batch, devices)
    # A number that divides both the usual minibatches and the deals of a device.
    minibatches = math.gcd(PPOConfig().minibatches, batch // devices)
    config = PPOConfig(deals_per_update=batch, minibatches=minibatches)
    learner = CompiledLearner(PPO(game, config, devices))
    state = [learner.init()]  # each update continues from the state of the one before
    program = Program.of(
        PPO.train, learner.learner, state[0], 1, jnp.float32(1), options=learner.options
    )

    def run(seed: int, rounds: int) -> Any:
        del seed  # the deals come from the number of the update
        metrics = []
        for _ in range(rounds):
            state[0], found = program(state[0], jnp.float32(_LONG))
            metrics.append(found)
        return state[0].params, metrics

    def judge(result: Any, rounds: int) -> Done:
        metrics = jax.device_get(result[1])
        decisions = sum(float(found["decisions"]) for found in metrics)
        losses = [float(found["value_loss"]) for found in metrics]
        # A gradient norm of 0 would mean that an update learned nothing.
        changed = all(float(found["gradient_norm"]) > 0 for found in metrics)
        finite = all(math.isfinite(value) for found in metrics for value in found.values())
        most = batch * rounds * game.max_steps
        wrong = "" if finite and changed and 0 < decisions <= most else f"metrics are {metrics[-1]}"
        amounts = {"deals": float(batch * rounds), "decisions": decisions}
        return Done(amounts, {"value_loss": losses[-1]}, wrong)

    return Subject(run, judge, program, MOST_ROUNDS)
