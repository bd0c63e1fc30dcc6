"""Every setting of the policy gradient, with its default, range and help text."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.settings import setting


@dataclass(frozen=True)
class ReinforceConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = ("seed", "inputs", "hidden", "precision")

    numbers: ClassVar[tuple[str, ...]] = (
        "trick_weight", "learning_rate", "final_learning_rate", "discount", "entropy", "final_entropy",
        "card_entropy", "final_card_entropy", "max_gradient_norm",
    )  # fmt: skip

    inputs: Literal["features", "planes"] = setting(
        "features", "inputs of the network: the features of the game, or cards by seats (belote)"
    )
    trick_weight: float = setting(
        1.0, "fraction of the reward that comes with tricks, not at the end", minimum=0, maximum=1
    )
    random_deals: int = setting(
        16, "deals per update played against random players to measure progress; 0 = none",
        minimum=0, maximum=100,
    )  # fmt: skip

    learning_rate: float = setting(5e-3, "learning rate of Adam at the start", above=0)
    final_learning_rate: float = setting(1e-4, "learning rate at the end of the run", minimum=0)
    discount: float = setting(1.0, "discount between two turns of a player", minimum=0, maximum=1)
    # In Euchre beginners lose by calling: with 0.1 or less, the policy learns to pass for good.
    entropy: float = setting(0.3, "weight of the entropy bonus of calls at the start", minimum=0)
    final_entropy: float = setting(0.01, "weight of the entropy bonus of calls at the end", minimum=0)
    card_entropy: float = setting(
        0.01, "weight of the entropy bonus of cards at the start", minimum=0
    )
    final_card_entropy: float = setting(0.01, "weight of cards' entropy bonus at the end", minimum=0)
    max_gradient_norm: float = setting(0.5, "gradients are clipped to this global norm", above=0)

    hidden: tuple[int, ...] = setting((256, 128), "widths of the policy's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "precision of matrix products")

    decision_share: float = setting(
        0.125, "size of a gradient batch, as a fraction of all steps of an update", above=0, maximum=1
    )
