"""Every setting of deep Q-learning, with its default, its range and a line of help."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.errors import UserError
from jaxcards.settings import setting


@dataclass(frozen=True)
class DQNConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = ("seed", "replay", "hidden", "precision")

    deals_per_update: int = setting(128, "deals played for each update", minimum=1)
    replay: int = setting(131_072, "turns that are kept to learn from", minimum=1, maximum=2**24)
    priority: float = setting(
        0.6, "power of a turn's error with which it is replayed; 0 = all turns equally likely",
        minimum=0, maximum=1,
    )  # fmt: skip
    correction: float = setting(
        0.4, "power of the weights that make up for it at the start; 1 at the end of the run",
        minimum=0, maximum=1,
    )  # fmt: skip
    gradient_steps: int = setting(16, "gradient steps of an update", minimum=1)
    batch: int = setting(512, "turns of a gradient step", minimum=1)

    epsilon: float = setting(
        0.3, "share of decisions that are drawn at random at the start", minimum=0, maximum=1
    )
    final_epsilon: float = setting(0.02, "the same at the end of the run", minimum=0, maximum=1)
    turns: int = setting(
        3, "turns of a player whose rewards are counted before a value is asked", minimum=1, maximum=64
    )
    discount: float = setting(1.0, "discount between two turns of a player", minimum=0, maximum=1)
    target_rate: float = setting(
        0.01, "how far the target network moves towards the network with a gradient step",
        above=0, maximum=1,
    )  # fmt: skip

    learning_rate: float = setting(1e-3, "learning rate of Adam at the start", above=0)
    final_learning_rate: float = setting(1e-4, "learning rate at the end of the run", minimum=0)
    max_gradient_norm: float = setting(10.0, "gradients are clipped to this global norm", above=0)

    hidden: tuple[int, ...] = setting((256, 128), "widths of the network's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "what the network multiplies")

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
