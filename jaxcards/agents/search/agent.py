"""The agent that plays by what search finds, where it finds enough."""

import dataclasses
import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.analysis import Analysis, analyse
from jaxcards.agents.search.belief import Belief, check_base
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game

_STATES = 2**15  # of a CPU
_ALL_STATES = 2**20  # of other devices


@dataclasses.dataclass(frozen=True)
class SearchAgent:
    """Plays as its base policy does, but for cards that search finds to be better.

    It leaves the policy's choice only on evidence: where, world by world, another candidate has gained
    more than `threshold` standard errors. Calls are left to the policy unless `calls` is set: who
    searches a call as if everybody saw the same cards afterwards never passes the choice on.

    The parameters are those of the base policy. Memory grows with the batch: each decision, searched or
    not, has its worlds, which are states of a deal.

    Attributes:
      game: the game of single deals.
      base: the policy.
      worlds: deals that are played out for each decision, 2 or more.
      candidates: how many actions are compared, those that the policy likes best; 2 or more.
      threshold: standard errors of evidence that it takes to leave the policy.
      calls: whether calls are searched as well.
      endings: cards in each hand up to which the worlds are solved and not played out, where two sides
        play: every candidate then is worth what best play with all hands open makes of it. 0 for
        never, at most `endgame.MOST_CARDS`; where everyone plays alone it changes nothing.
      racing: how many standard errors a candidate is behind the policy's choice when it is given up,
        after a quarter of the worlds, if they are 64 or more and a multiple of 4, or after a half of
        them, if they are 32 or more and even: see `playing.race`. None for never. `analyse` values all
        candidates in all worlds.
      belief: how much the search makes of what the others have called and played; None, or `Belief()`
        around a network: worlds that explain it are likelier then.

    Raises:
      UserError: numbers out of range; or a belief, and a policy that gives no probabilities.
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
        """Return a search of a policy; a `SearchAgent` keeps its own settings but for those given.

        Args:
          game: the game of single deals.
          agent: the policy, or a search of it.
          **settings: such as `worlds`. Errors as the class.
        """
        if isinstance(agent, cls):
            return dataclasses.replace(agent, game=game, **settings)
        return cls(game, agent, **settings)

    def without_calls(self) -> "SearchAgent":
        """Return the search for where another player makes all calls: no belief is drawn from them."""
        if self.belief is None:
            return self
        return dataclasses.replace(self, belief=dataclasses.replace(self.belief, calls=0.0))

    @property
    def largest_batch(self) -> int:
        """Deals to be played side by side; a step of the search then has some ten thousand worlds.

        On a GPU it has thirty times as many.
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
        """Return the action that an analysis of these legal actions leads to: int32."""
        # The policy's own choice is the first candidate, whose gain is 0.
        evidence = found.gain - self.threshold * found.gain_error
        best = jnp.where(found.legal & (evidence > 0), evidence, 0).argmax()
        return found.action[jnp.where(self._is_settled(legal), 0, best)]

    def _is_settled(self, legal: ActionSet) -> jax.Array:
        """Return whether no search can change what the policy plays: bool."""
        mask = legal.mask()
        is_call = mask[self.game.deck.num_cards :].any()
        return (mask.sum() == 1) | (is_call & (not self.calls))

    def analyse(
        self, params: Any, observation: Any, legal: ActionSet, key: jax.Array, *,
        played_out: bool | jax.Array = True,
    ) -> Analysis:  # fmt: skip
        """Return the values of the candidates of a decision; see `Analysis`.

        Without `played_out` the policy's probabilities alone have a meaning, and take little time.
        """
        return self._found(params, observation, legal, key, jnp.asarray(played_out, bool), None)

    def _found(
        self,
        params: Any,
        observation: Any,
        legal: ActionSet,
        key: jax.Array,
        played_out: jax.Array,
        racing: float | None,
    ) -> Analysis:
        candidates = min(self.candidates, self.game.num_actions)
        return analyse(
            self.game, self.base, params, observation, legal, key,
            worlds=self.worlds, candidates=candidates, endings=self.endings, belief=self.belief,
            racing=racing, played_out=played_out,
        )  # fmt: skip
