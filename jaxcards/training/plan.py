"""The plan of a run: the number of updates that fit into its minutes, which sets the learning rate."""

import dataclasses
import math

from jaxcards.training.config import TrainingConfig

# Largest fraction of the time that evaluations while training may take.
EVALUATION_SHARE = 0.03

# A new value of one of these settings makes a new plan.
SETTINGS = ("minutes", "updates", "evaluate_minutes", "updates_per_dispatch")

# A run for some minutes ends after this many times those minutes if the machine has become slower since
# the plan was made.
PATIENCE = 1.2


@dataclasses.dataclass(frozen=True)
class Plan:
    """The schedule of a run, made once and stored in every checkpoint.

    Attributes:
      updates: number of updates of the run and of its learning rate schedule.
      dispatch: updates in one call of the device.
      evaluate_every: updates between two evaluations, a multiple of `dispatch`.
    """

    updates: int
    dispatch: int
    evaluate_every: int


@dataclasses.dataclass(frozen=True)
class Pace:
    """Times measured on this machine, in seconds.

    Attributes:
      dispatch: of one call of the device.
      evaluation: of one evaluation while training.
      checkpoint: of saving once.
      end: of everything after the last update.
    """

    dispatch: float
    evaluation: float = 0.0
    checkpoint: float = 0.0
    end: float = 0.0


def asked(config: TrainingConfig) -> dict[str, float]:
    """Return the settings behind a plan."""
    return {name: getattr(config, name) for name in SETTINGS}


def plan_updates(config: TrainingConfig, done: int = 0) -> Plan:
    """Return the plan for `config.updates`, which does not depend on the clock.

    Args:
      config: `updates` is above 0.
      done: updates that a resumed run has done already.
    """
    left = max(config.updates - done, 1)
    # A divisor: the last call then ends at the last update.
    dispatch = largest_divisor(left, config.updates_per_dispatch)
    # Without minutes, evaluate sixteen times in a run.
    share = min(config.evaluate_minutes / config.minutes, 1.0) if config.minutes else 1 / 16
    every = max(round(config.updates * share / dispatch), 1) * dispatch
    return Plan(max(config.updates, done), dispatch, every)


def plan_minutes(config: TrainingConfig, done: int, seconds: float, pace: Pace) -> Plan:
    """Return the plan for `config.minutes`, from the times of the first calls.

    Args:
      config: `minutes` is above 0.
      done: updates done.
      seconds: of the run so far, without compiling.
      pace: measured on this machine.
    """
    dispatch = config.updates_per_dispatch
    # Slow evaluations are further apart.
    between = max(60 * config.evaluate_minutes, pace.evaluation / EVALUATION_SHARE)
    # The time of a call, with its share of evaluations and checkpoints.
    one = pace.dispatch * (
        1 + pace.evaluation / between + pace.checkpoint / (60 * config.checkpoint_minutes)
    )
    left = 60 * config.minutes - seconds - pace.end
    calls = max(math.floor(left / one), 0)
    # Calls between two evaluations, in updates.
    every = max(round(between / pace.dispatch), 1) * dispatch
    return Plan(done + calls * dispatch, dispatch, every)


def largest_divisor(number: int, limit: int) -> int:
    """Return the largest divisor of `number` that is at most `limit`."""
    return next(d for d in range(min(limit, number), 0, -1) if number % d == 0)
