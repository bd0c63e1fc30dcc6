"""A learner, a clock and a yardstick that cost nothing, for tests of the host loop."""

import math
from pathlib import Path

import numpy as np

from jaxcards.training.config import TrainingConfig, config_class
from jaxcards.training.folder import RunFolder
from jaxcards.training.loop import Loop
from jaxcards.training.yardstick import Result

CONFIG = config_class()(updates_per_dispatch=4, deals_per_update=64)
PLAYER = {"game": "coin/short", "hidden": [16]}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Learner:
    """Counts its updates, and takes `seconds` for each; `during[update]` happens before an update."""

    def __init__(self, clock: Clock, seconds: float = 0.5, compiling: float = 20.0) -> None:
        self.clock, self.seconds, self.compiling = clock, seconds, compiling
        self.schedules: list[float] = []
        self.during: dict = {}

    def init(self):
        return {"weights": np.zeros(3, np.float32), "update": np.asarray(0, np.int32)}

    shapes = init

    def place(self, state):
        return state

    def parameters(self, state):
        return state["weights"]

    def each(self, tree):
        return [tree]

    def compile(self, state, num_updates):
        self.clock.now += self.compiling

        def step(state, schedule):
            self.schedules.append(schedule)
            metrics = {"loss": 1.0, "decisions": 37.0 * 64}
            for _ in range(num_updates):
                update = int(state["update"]) + 1
                metrics |= self.during.get(update, dict)() or {}
                # What is learned depends on the plan, as with a learning rate.
                change = np.float32(0 if math.isinf(schedule) else 1 / (update + schedule))
                state = {"weights": state["weights"] + change, "update": np.asarray(update, np.int32)}
                self.clock.now += self.seconds
            return state, metrics | {"loss": float(state["weights"][0])}

        return step


def loop(path: Path, learner: Learner, config: TrainingConfig = CONFIG, **more) -> Loop:
    """Return a run of the fake learner; measuring takes 0.2 seconds, its compilation 5."""
    clock = learner.clock

    def compile_measure(params):
        clock.now += 5

        def measure(params):
            clock.now += 0.2
            return {"heuristic": Result(float(params[0]), 0.5), "random": Result(1.0, 0.5)}

        return measure

    folder = RunFolder(path)
    folder.write_config("coin/short", config, {"command": "jaxcards train coin"})
    more = {"player": PLAYER, "clock": clock, **more}
    return Loop(folder, config, learner, compile_measure, **more)
