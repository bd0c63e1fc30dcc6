"""Building blocks for your own training loop.

`collect` plays a window of steps, with a fresh deal after each finished one. `turn_based_advantages`
computes the advantage of each choice. The functions of masked policies are free of NaN.
`policy_vocabulary` names the inputs and outputs of one network for several rules. The learners of the
command line use the same parts. docs/own_loop.md combines them into a loop.
"""

from jaxcards.agents.learners.advantages import turn_based_advantages
from jaxcards.agents.networks.masking import (
    divergence,
    entropy,
    epsilon_greedy,
    log_probabilities,
    sample,
)
from jaxcards.agents.networks.vocabulary import Vocabulary, critic_vocabulary, policy_vocabulary
from jaxcards.learn.transitions import Transition, collect, step

__all__ = [
    "Transition",
    "Vocabulary",
    "collect",
    "critic_vocabulary",
    "divergence",
    "entropy",
    "epsilon_greedy",
    "log_probabilities",
    "policy_vocabulary",
    "sample",
    "step",
    "turn_based_advantages",
]
