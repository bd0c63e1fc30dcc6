"""Every setting of a training run: those of the learner, and those of the host beside it.

The command line has an option for each field (`--learning-rate 3e-4`), a TOML file has a key
(`learning_rate = 3e-4`). A new setting needs a new field, nothing else.
"""

from dataclasses import dataclass

from jaxcards.agents.ppo.config import PPOConfig
from jaxcards.errors import UserError
from jaxcards.settings import setting

# A run folder has its configuration in this file: the id of the game (key `game`) and every
# setting. It can be given to `--config` as it is.
CONFIG_FILE = "config.toml"


@dataclass(frozen=True)
class TrainingConfig(PPOConfig):
    """The configuration of a training run; instances are valid, or `UserError` is raised."""

    minutes: float = setting(
        8.0, "wall-clock minutes that the run takes, unless updates are given", minimum=0
    )
    updates: int = setting(0, "number of updates; 0 = as many as fit into the minutes", minimum=0)
    updates_per_dispatch: int = setting(8, "updates in one call of the compiled function", minimum=1)
    devices: int = setting(0, "number of devices to train on; 0 = all", minimum=0)
    checkpoint_minutes: float = setting(1.0, "minutes between checkpoints", above=0)
    evaluate_minutes: float = setting(
        0.5,
        "minutes between evaluations; if updates are given, its ratio to minutes is the share of the "
        "updates between evaluations",
        above=0,
    )
    evaluation_deals: int = setting(512, "duplicate deals in each of these evaluations", minimum=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.minutes and not self.updates:
            raise UserError("one of minutes and updates must be above 0, or the run would not end")
