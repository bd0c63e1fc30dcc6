"""Every setting of distillation, with its default, range and help text."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.errors import UserError
from jaxcards.settings import setting


@dataclass(frozen=True)
class DistillationConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = ("seed", "presets", "teacher", "start", "hidden", "precision")

    numbers: ClassVar[tuple[str, ...]] = ("learning_rate", "final_learning_rate", "max_gradient_norm")

    presets: tuple[str, ...] = setting((), "more presets to learn, with equal shares of the deals")

    deals_per_update: int = setting(64, "deals played for each gradient step", minimum=1)
    teacher: str = setting(
        "champion", "network whose policy is learned: champion, or a run folder of the game"
    )
    start: str = setting(
        "",
        "network that a new run begins with: champion, or a run folder of the game",
    )
    learning_rate: float = setting(4e-3, "learning rate of Adam at the start", above=0)
    final_learning_rate: float = setting(2e-5, "learning rate at the end of the run", minimum=0)
    max_gradient_norm: float = setting(1.0, "gradients are clipped to this global norm", above=0)

    hidden: tuple[int, ...] = setting((128, 64), "widths of the policy's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "precision of matrix products")

    decision_share: float = setting(
        0.25, "size of a gradient batch, as a fraction of all steps of an update", above=0, maximum=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.teacher:
            raise UserError(
                "distillation needs a teacher: name champion, or the run folder of a network"
            )
