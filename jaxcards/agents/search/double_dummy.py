"""The player that sees all hands: an upper bound for honest players.

Reviews and evaluations use it. It is exact for the last cards, with best play of both sides. Before
that, a policy that sees only its own hand plays out all seats.
"""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agent import Agent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.analysis import base_key, scores
from jaxcards.agents.search.playing import play_on
from jaxcards.cards.actions import ActionSet
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import MatchState

_STATES = 2**13


class Values(NamedTuple):
    """The values of the candidates of a decision in the actual deal, the most likely first.

    Attributes:
      action: int32[candidates], the actions.
      legal: bool[candidates], False if there are fewer legal actions than candidates; the other fields
        of such an entry are undefined.
      returns: float32[candidates, num_players], the returns of each player.
      exact: bool, by best play of both sides; else the policy has played out all seats.
    """

    action: jax.Array
    legal: jax.Array
    returns: jax.Array
    exact: jax.Array


@dataclasses.dataclass(frozen=True)
class DoubleDummyAgent:
    """A player of the best action in the actual deal: an `OpenHandsAgent`, which sees all hands.

    The parameters are those of the base policy.

    Attributes:
      game: the game of single deals.
      base: the policy, which plays out all seats, and decides between actions of equal value.
      endings: cards in each hand up to which it is exact, 0 to `endgame.MOST_CARDS`. Deals in which
        everyone plays alone are played out to the end.
      candidates: number of actions to compare, the most likely ones of the policy; 2 or more.

    Raises:
      UserError: if numbers are out of range.
    """

    game: Game
    base: Agent
    endings: int = 4
    candidates: int = 12

    def __post_init__(self) -> None:
        if self.candidates < 2:
            raise UserError(f"candidates must be at least 2, not {self.candidates}: it compares")
        endgame.check_endings(self.endings)

    @property
    def largest_batch(self) -> int:
        """Number of deals to play side by side; see `SearchAgent.largest_batch`."""
        return max(1, _STATES // (self.candidates * self.game.num_players))

    def init(self, key: jax.Array, game: Game) -> Any:
        return self.base.init(key, game)

    def act_with_open_hands(
        self, params: Any, state: Any, legal: ActionSet, key: jax.Array
    ) -> jax.Array:
        found = self._found(params, state, key, legal.count() > 1)
        player = state.current_player
        # own: float32[candidates], the returns of the player to act.
        own = jnp.take_along_axis(found.returns, jnp.full((1, 1), player), axis=1)[:, 0]
        # Of equal values the first is taken, which the policy prefers.
        best = jnp.where(found.legal, own, -jnp.inf).argmax()
        return found.action[jnp.where(legal.count() > 1, best, 0)]

    def values(self, params: Any, state: Any, key: jax.Array) -> Values:
        """Return the values of the candidates of a decision. Batch it with `jax.vmap`.

        Args:
          params: of the base policy.
          state: an unfinished deal, or a match.
          key: PRNG key of the decision.
        """
        return self._found(params, state, key, jnp.ones((), bool))

    def _found(self, params: Any, state: Any, key: jax.Array, played_out: jax.Array) -> Values:
        game = self.game
        deal = state.deal if isinstance(state, MatchState) else state
        observation, legal = game.observe(deal, deal.current_player), game.legal_actions(deal)
        score = scores(self.base, params, observation, legal, base_key(key))
        best, action = jax.lax.top_k(score, min(self.candidates, game.num_actions))
        is_legal = best > -jnp.inf
        # An illegal action may never reach the end: the first candidate replaces it.
        action = jnp.where(is_legal, action, action[0]).astype(jnp.int32)
        # A batch of one world: the actual deal.
        one = jax.tree.map(lambda leaf: leaf[None], deal)
        returns = play_on(
            game, self.base, params, one, action, key, endings=self.endings, played_out=played_out
        )
        exact = jnp.zeros((), bool)
        # Without two sides a common value is missing, and everything is played out.
        if self.endings and endgame.has_sides(game):
            exact = endgame.is_solvable(game, deal, self.endings)
        return Values(action, is_legal, returns[0], exact)
