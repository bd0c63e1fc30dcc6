"""Every setting of proximal policy optimisation, with its default, range and help text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.errors import UserError
from jaxcards.settings import setting


@dataclass(frozen=True)
class PPOConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = (
        "seed", "presets", "variants", "matches", "against", "against_share", "policy_warmup",
        "hidden", "critic_hidden", "precision", "symmetric",
    )  # fmt: skip
    numbers: ClassVar[tuple[str, ...]] = (
        "learning_rate", "final_learning_rate", "discount", "gae_lambda", "clip", "entropy",
        "final_entropy", "card_entropy", "final_card_entropy", "value_coefficient", "max_gradient_norm",
    )  # fmt: skip
    retired: ClassVar[Mapping[str, Any]] = {"magnet": 0.0}
    earlier: ClassVar[Mapping[str, Any]] = {"average": 0.0, "sure_every": 1, "symmetric": False}

    presets: tuple[str, ...] = setting((), "more presets to learn, with equal shares of the deals")
    variants: int = setting(0, "number of random variants of the rules to learn", minimum=0, maximum=64)
    matches: bool = setting(False, "learn to win matches")
    against: str = setting(
        "", "fixed opponent, a name or a run folder, in all seats except those of one side"
    )
    against_share: float = setting(
        1.0, "fraction of deals against that player; the rest is self-play", above=0, maximum=1
    )
    start: str = setting("", "network to begin with: champion, or a run folder of the game")

    epochs: int = setting(1, "passes over the decisions of an update", minimum=1)
    minibatches: int = setting(16, "minibatches per pass; each makes one gradient step", minimum=1)
    learning_rate: float = setting(2.5e-3, "learning rate at the start", above=0)
    final_learning_rate: float = setting(1e-4, "learning rate at the end of the run", minimum=0)
    policy_warmup: float = setting(
        0.0,
        "fraction of the run in which the policy's rate grows from 0 while the critic learns",
        minimum=0,
        maximum=0.9,
    )

    discount: float = setting(1.0, "discount between two turns of a player", minimum=0, maximum=1)
    gae_lambda: float = setting(
        0.7, "lambda of the generalised advantage estimate", minimum=0, maximum=1
    )
    clip: float = setting(0.2, "clipping range of the probability ratio of PPO", above=0)
    entropy: float = setting(0.2, "weight of the entropy bonus of calls at the start", minimum=0)
    final_entropy: float = setting(0.005, "weight of the entropy bonus of calls at the end", minimum=0)
    card_entropy: float = setting(0.2, "weight of the entropy bonus of cards at the start", minimum=0)
    final_card_entropy: float = setting(
        0.003, "weight of the entropy bonus of cards at the end", minimum=0
    )
    card_magnet: float = setting(
        0.0,
        "weight of the divergence from the starting policy in decisions about cards",
        minimum=0,
    )
    value_coefficient: float = setting(0.5, "weight of the value loss", minimum=0)
    average: float = setting(
        0.999,
        "decay of the moving average of the policy; 0 turns averaging off",
        minimum=0,
        maximum=0.99999,
    )
    max_gradient_norm: float = setting(0.5, "gradients are clipped to this global norm", above=0)

    hidden: tuple[int, ...] = setting((256, 128), "widths of the policy's layers", minimum=1)
    critic_hidden: tuple[int, ...] = setting((128, 64), "widths of the critic's layers", minimum=1)
    precision: Literal["float32", "bfloat16"] = setting("float32", "precision of matrix products")

    symmetric: bool = setting(False, "the player averages its policy over equivalent names of suits")

    decision_share: float = setting(
        0.125, "size of a gradient batch, as a fraction of all steps of a minibatch", above=0, maximum=1
    )
    sure_every: int = setting(
        8,
        "train on one in N near-certain decisions (99 %), weighted N times; 1 = on all",
        minimum=1,
        maximum=64,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.against and (self.presets or self.variants):
            raise UserError("against needs a single game: leave out presets and variants")
        if self.against_share < 1 and not self.against:
            raise UserError("against_share needs against: name a player, or leave it out")
        if self.card_magnet and not self.start:
            raise UserError(
                "card_magnet holds a run near its first policy: set start, or leave card_magnet out"
            )
        if self.deals_per_update % self.minibatches:
            raise UserError(
                f"deals_per_update ({self.deals_per_update}) must be a multiple of minibatches "
                f"({self.minibatches})"
            )

    @property
    def shared_deals(self) -> int:
        """The deals of a minibatch."""
        return self.deals_per_update // self.minibatches

    def check_devices(self, num_devices: int) -> None:
        """Raise `UserError` unless the deals of a minibatch can be shared among the devices."""
        if self.shared_deals % num_devices:
            raise UserError(
                f"deals_per_update ({self.deals_per_update}) must be a multiple of minibatches times "
                f"devices ({self.minibatches} * {num_devices})"
            )
