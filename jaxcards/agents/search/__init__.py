"""Search at the table: sample deals consistent with the observation, and play them out.

`analysis` values the actions of one decision, by `playing` them out; `agent` plays by these values,
within a `budget` if asked. `belief` weighs the deals by the past of each. `endgame` solves endings, by
`tree` and `varying`, and `double_dummy` whole deals with all hands open. `rollout_policy` puts a
smaller network into the worlds. `untrusted` checks external observations. The package depends on
`Game`, but not on specific games. docs/search.md describes it.
"""

from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import Analysis
from jaxcards.agents.search.belief import Belief
from jaxcards.agents.search.budget import within
from jaxcards.agents.search.double_dummy import DoubleDummyAgent
from jaxcards.agents.search.endgame import solve
from jaxcards.agents.search.rollout_policy import Policies, WithRolloutPolicy
from jaxcards.agents.search.untrusted import check_observation

__all__ = [
    "Analysis",
    "Belief",
    "DoubleDummyAgent",
    "Policies",
    "SearchAgent",
    "WithRolloutPolicy",
    "check_observation",
    "solve",
    "within",
]
