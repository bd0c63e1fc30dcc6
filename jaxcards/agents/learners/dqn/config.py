"""Every setting of deep Q-learning, with its default, range and help text."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.errors import UserError
from jaxcards.settings import setting


@dataclass(frozen=True)
class DQNConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = ("seed", "replay", "hidden", "precision")

    numbers: ClassVar[tuple[str, ...]] = (
        "correction", "epsilon", "final_epsilon", "discount", "target_rate", "learning_rate",
        "final_learning_rate", "max_gradient_norm",
    )  # fmt: skip

    deals_per_update: int = setting(128, "deals played for each update", minimum=1)
    replay: int = setting(131_072, "capacity of the replay buffer, in turns", minimum=1, maximum=2**24)
    priority: float = setting(
        0.6, "exponent of prioritised replay; 0 = uniform replay",
        minimum=0, maximum=1,
    )  # fmt: skip
    correction: float = setting(
        0.4, "exponent of the importance weights at the start; 1 at the end of the run",
        minimum=0, maximum=1,
    )  # fmt: skip
    gradient_steps: int = setting(16, "gradient steps per update", minimum=1)
    batch: int = setting(512, "turns per gradient step", minimum=1)

    epsilon: float = setting(
        0.3, "fraction of random decisions at the start", minimum=0, maximum=1
    )
    final_epsilon: float = setting(0.02, "the same fraction at the end", minimum=0, maximum=1)
    turns: int = setting(
        3, "number of a player's turns in an n-step return", minimum=1, maximum=64
    )
    discount: float = setting(1.0, "discount between two turns of a player", minimum=0, maximum=1)
    target_rate: float = setting(
        0.01, "step size of the target network's moving average, per gradient step",
        above=0, maximum=1,
    )  # fmt: skip

    learning_rate: float = setting(1e-3, "learning rate of Adam at the start", above=0)
    final_learning_rate: float = setting(1e-4, "learning rate at the end of the run", minimum=0)
    max_gradient_norm: float = setting(10.0, "gradients are clipped to this global norm", above=0)

    hidden: tuple[int, ...] = setting((256, 128), "widths of the network's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "precision of matrix products")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.replay < self.batch:
            raise UserError(f"replay ({self.replay}) must be at least batch ({self.batch})")

    def check_devices(self, num_devices: int) -> None:
        """Raise `UserError` unless the devices can share deals and batches evenly."""
        super().check_devices(num_devices)
        if self.batch % num_devices:
            raise UserError(
                f"{num_devices} devices cannot share a batch of {self.batch} turns evenly: "
                "change batch or devices"
            )
