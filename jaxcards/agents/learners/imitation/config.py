"""Every setting of imitation, with its default, its range and a line of help."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.settings import setting


@dataclass(frozen=True)
class ImitationConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = (
        "seed", "data", "inputs", "held_out", "deals_per_update", "hidden", "precision",
    )  # fmt: skip

    deals_per_update: int = setting(32, "recorded deals that a gradient step learns from", minimum=1)
    data: str = setting("", "the records to learn from: a file, or a folder of files")
    inputs: Literal["features", "integers"] = setting(
        "features",
        "what the network is given: the features of the game; or the 72 integers of Swisslos data "
        "(jass), with a choice among 9 slots of the hand",
    )
    held_out: float = setting(
        0.1, "share of the games that are not learned from, but measured on", above=0, maximum=0.5
    )
    learning_rate: float = setting(2e-3, "learning rate of Adam at the start", above=0)
    final_learning_rate: float = setting(1e-5, "learning rate at the end of the run", minimum=0)
    weight_decay: float = setting(
        0.0, "share of the weights, in learning rates, that a gradient step takes off them", minimum=0
    )
    max_gradient_norm: float = setting(1.0, "gradients are clipped to this global norm", above=0)
    time_weight: float = setting(
        0.1, "weight of the squared error of the logarithm of the seconds (integers alone)", minimum=0
    )

    hidden: tuple[int, ...] = setting((256, 128), "widths of the policy's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "what the network multiplies")

    decision_share: float = setting(
        0.25, "decisions computed at once, as a share of all steps of a batch", above=0, maximum=1
    )
