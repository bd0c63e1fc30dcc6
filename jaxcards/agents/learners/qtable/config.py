"""Every setting of tabular Q-learning, with its default, range and help text."""

from dataclasses import dataclass
from typing import ClassVar

from jaxcards.agents.learners.config import LearnerConfig
from jaxcards.settings import setting


@dataclass(frozen=True)
class QTableConfig(LearnerConfig):
    """The configuration of the learner; instances are valid, or `UserError` is raised."""

    fixed: ClassVar[tuple[str, ...]] = (
        "seed", "trick_reward", "march_reward", "euchre_reward", "lone_reward",
    )  # fmt: skip

    numbers: ClassVar[tuple[str, ...]] = (
        "learning_rate", "final_learning_rate", "epsilon", "final_epsilon", "discount", "trace_decay",
    )  # fmt: skip

    learning_rate: float = setting(
        0.1,
        "learning rate at the start; 1 / visits for a cell with few visits, if that is larger",
        above=0,
        maximum=1,
    )
    final_learning_rate: float = setting(
        0.01, "learning rate at the end of the run", minimum=0, maximum=1
    )
    epsilon: float = setting(
        0.3, "fraction of random decisions at the start", minimum=0, maximum=1
    )
    final_epsilon: float = setting(0.02, "the same fraction at the end", minimum=0, maximum=1)
    discount: float = setting(1.0, "discount between two turns of a player", minimum=0, maximum=1)
    trace_decay: float = setting(
        1.0, "lambda of Watkins's Q(lambda); 0 = one-step Q-learning", minimum=0, maximum=1
    )

    trick_reward: float = setting(
        0.02, "reward for a trick that scores card points or counts as a trick", minimum=0
    )
    march_reward: float = setting(
        0.0, "Euchre: extra reward for all tricks; the other side loses the same amount", minimum=0
    )
    euchre_reward: float = setting(0.0, "Euchre: the same for defenders for a euchre", minimum=0)
    lone_reward: float = setting(
        0.0, "Euchre: the same for a maker who plays alone and wins the deal", minimum=0
    )
