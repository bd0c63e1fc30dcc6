"""Every setting of tabular Q-learning, with its default, its range and a line of help."""

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

    learning_rate: float = setting(
        0.1,
        "learning rate of a cell at the start; of a young cell it is 1 / visits, if that is more",
        above=0,
        maximum=1,
    )
    final_learning_rate: float = setting(
        0.01, "learning rate at the end of the run", minimum=0, maximum=1
    )
    epsilon: float = setting(
        0.3, "share of the decisions made at random, at the start", minimum=0, maximum=1
    )
    final_epsilon: float = setting(0.02, "the same at the end of the run", minimum=0, maximum=1)
    discount: float = setting(1.0, "discount between two turns of a player", minimum=0, maximum=1)
    trace_decay: float = setting(
        1.0, "lambda of Watkins's Q(lambda); 0 = Q-learning of one step", minimum=0, maximum=1
    )

    trick_reward: float = setting(
        0.02, "reward of a side for a trick that brings it card points, or counts", minimum=0
    )
    march_reward: float = setting(
        0.0, "Euchre: further reward of a side for all tricks; the other loses as much", minimum=0
    )
    euchre_reward: float = setting(0.0, "Euchre: the same of the defenders for a euchre", minimum=0)
    lone_reward: float = setting(
        0.0, "Euchre: the same of a maker who plays alone and makes it", minimum=0
    )
