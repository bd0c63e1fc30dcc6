"""The agent that follows a search when the search gives enough evidence."""

import dataclasses
import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.analysis import Analysis, Candidates, analyse, likeliest
from jaxcards.agents.search.belief import Belief, check_base
from jaxcards.agents.search.rollout_policy import policy_alone
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game

CLEAR = 2.0
"""Standard errors by which an action must lead before advice to people leaves the policy's choice."""

_STATES = 2**15  # limit on a CPU
_ALL_STATES = 2**20  # limit on other devices


@dataclasses.dataclass(frozen=True)
class SearchAgent:
    """A player that follows its base policy unless search finds a better card.

    It leaves the policy's choice only on evidence: another candidate must gain more than `threshold`
    standard errors, compared world by world. Calls are left to the policy unless `calls` is set. The
    reason is that a search assumes open cards after a call, and so never passes the choice on to the
    partner.

    The parameters are those of the base policy. Memory grows with the batch: each decision, searched or
    not, has its worlds, which are states of a deal.

    Attributes:
      game: the game of single deals.
      base: the policy.
      worlds: deals to play out for each decision, 2 or more.
      candidates: number of actions to compare, the most likely ones of the policy; 2 or more.
      threshold: standard errors of evidence that it takes to leave the policy.
      calls: whether calls are searched as well.
      endings: with at most this number of cards in each hand, worlds are solved instead of played out,
        if two sides play. Each candidate then has its value under best play with all hands open. 0 for
        never, at most `endgame.MOST_CARDS`; ignored if all players play alone.
      racing: drop a candidate that is this many standard errors behind the policy's choice. The test
        comes after a quarter of the worlds, if they are 64 or more and a multiple of 4, or after a half
        of them, if they are 32 or more and even: see `playing.race`. None for never. `analyse` values
        all candidates in all worlds.
      belief: how strongly the search weighs worlds by the others' calls and cards. None for uniform
        worlds, or `Belief()` with a network as `base`.

    Raises:
      UserError: numbers out of range, or a belief with a policy that gives no probabilities.
    """

    game: Game
    base: Agent
    worlds: int = 32
    candidates: int = 6
    threshold: float = 1.0
    calls: bool = False
    endings: int = 0
    belief: Belief | None = None
    racing: float | None = 1.5

    def __post_init__(self) -> None:
        for name, number in (("worlds", self.worlds), ("candidates", self.candidates)):
            if number < 2:
                raise UserError(f"{name} must be at least 2, not {number}: search compares")
        endgame.check_endings(self.endings)
        if self.racing is not None and not 0 <= self.racing < math.inf:
            raise UserError(
                f"racing must be None, for never, or standard errors from 0 on, not {self.racing}"
            )
        if self.belief is not None:
            check_base(self.base)

    @classmethod
    def around(cls, game: Game, agent: Agent, **settings: Any) -> "SearchAgent":
        """Return a search of a policy; a `SearchAgent` keeps its own settings unless they are given.

        Args:
          game: the game of single deals.
          agent: the policy, or a search of it.
          **settings: such as `worlds`. Raises the errors of the class.
        """
        if isinstance(agent, cls):
            return dataclasses.replace(agent, game=game, **settings)
        return cls(game, agent, **settings)

    def without_calls(self) -> "SearchAgent":
        """Return the search for deals whose calls another player makes: its belief ignores calls."""
        if self.belief is None:
            return self
        return dataclasses.replace(self, belief=dataclasses.replace(self.belief, calls=0.0))

    def without_search(self, params: Any) -> tuple[Agent, Any]:
        """Return the policy, and its parameters."""
        return policy_alone(self.base, params)

    @property
    def largest_batch(self) -> int:
        """Number of deals to play side by side; a step of the search then has some ten thousand worlds.

        On a GPU the number is thirty times as large.
        """
        states = _STATES if jax.default_backend() == "cpu" else _ALL_STATES
        return max(1, states // (self.worlds * self.game.num_players))

    def init(self, key: jax.Array, game: Game) -> Any:
        return self.base.init(key, game)

    def act(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> jax.Array:
        return self.act_if_asked(params, observation, legal, key, jnp.ones((), bool))

    def act_if_asked(
        self, params: Any, observation: Any, legal: ActionSet, key: jax.Array, asked: jax.Array
    ) -> jax.Array:
        searched = asked & ~self._is_settled(legal)
        found = self._found(params, observation, legal, key, searched, self.racing)
        return self.choice(found, legal)

    def choice(self, found: Analysis, legal: ActionSet) -> jax.Array:
        """Return the action that follows from an analysis of these legal actions: int32."""
        # The policy's own choice is the first candidate, with gain 0.
        # Only candidates with a gain of more than `threshold` standard errors count.
        evidence = found.gain - self.threshold * found.gain_error
        # Without evidence all entries are 0, and `argmax` takes the first: the policy's choice.
        best = jnp.where(found.legal & (evidence > 0), evidence, 0).argmax()
        return found.action[jnp.where(self._is_settled(legal), 0, best)]

    def _is_settled(self, legal: ActionSet) -> jax.Array:
        """Return whether search cannot change the policy's choice: bool."""
        mask = legal.mask()
        # Actions behind the cards are calls; if one is legal, the decision is a call.
        is_call = mask[self.game.deck.num_cards :].any()
        return (mask.sum() == 1) | (is_call & (not self.calls))

    def analyse(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> Analysis:
        """Return the values of the candidates of a decision; see `Analysis`."""
        return self._found(params, observation, legal, key, jnp.ones((), bool), None)

    def likeliest(self, params: Any, observation: Any, legal: ActionSet, key: jax.Array) -> Candidates:
        """Return the candidates of a decision with the policy's probabilities, without a search."""
        return likeliest(self.base, params, observation, legal, key, self._num_candidates)

    @property
    def _num_candidates(self) -> int:
        return min(self.candidates, self.game.num_actions)

    def _found(
        self,
        params: Any,
        observation: Any,
        legal: ActionSet,
        key: jax.Array,
        played_out: jax.Array,
        racing: float | None,
    ) -> Analysis:
        return analyse(
            self.game, self.base, params, observation, legal, key,
            worlds=self.worlds, candidates=self._num_candidates, endings=self.endings,
            belief=self.belief, racing=racing, played_out=played_out,
        )  # fmt: skip
