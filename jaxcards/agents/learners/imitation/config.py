"""Every setting of imitation, with its default, range and help text."""

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

    deals_per_update: int = setting(32, "recorded deals per gradient step", minimum=1)
    data: str = setting("", "a file or folder of records")
    inputs: Literal["features", "integers"] = setting(
        "features",
        "inputs of the network: the features of the game, or the 72 integers of Swisslos data "
        "(jass), with a choice among 9 slots of the hand",
    )
    held_out: float = setting(
        0.1, "fraction of games held out for evaluation", above=0, maximum=0.5
    )
    learning_rate: float = setting(2e-3, "learning rate of Adam at the start", above=0)
    final_learning_rate: float = setting(1e-5, "learning rate at the end of the run", minimum=0)
    weight_decay: float = setting(
        0.0, "weight decay of AdamW", minimum=0
    )
    max_gradient_norm: float = setting(1.0, "gradients are clipped to this global norm", above=0)
    time_weight: float = setting(
        0.1, "weight of the squared error of log(1 + seconds) in the loss (integers only)", minimum=0
    )

    hidden: tuple[int, ...] = setting((256, 128), "widths of the policy's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "precision of matrix products")

    decision_share: float = setting(
        0.25, "size of a gradient batch, as a fraction of all steps of a batch", above=0, maximum=1
    )
