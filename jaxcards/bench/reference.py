"""Reference statistics from a plain loop over steps, for checking the results of fast loops."""

import dataclasses
import functools
from collections.abc import Hashable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agent import Agent
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.rollouts import deal_keys
from jaxcards.xla import prng

_SEED = 1 << 31  # away from the timed seeds
_DEALS, _MATCHES = 8192, 512
_ERRORS = 6  # standard errors that a mean may be off: exceeded by one correct measurement in a billion


@dataclasses.dataclass(frozen=True)
class Reference:
    """A sample of episodes, deals or matches.

    Attributes:
      number: episodes of the sample.
      deals, decisions, plays: of an episode, on average.
      lowest, highest: of the sum of `Game.progress` over the players.
      mean, sd: float64[num_players], of `Game.points`.
    """

    number: int
    deals: float
    decisions: float
    plays: float
    lowest: int
    highest: int
    mean: np.ndarray
    sd: np.ndarray

    def amounts(self, episodes: float) -> dict[str, float]:
        """Return the expected decisions and card plays of a number of episodes."""
        return {"decisions": episodes * self.decisions, "card_plays": episodes * self.plays}

    def difference(self, points: np.ndarray, episodes: int, lowest: int, highest: int) -> str:
        """Return the significant difference of episodes from these as text; "" without one.

        Args:
          points: int64[num_players], the sum of their points.
          episodes: their number.
          lowest, highest: see the attributes.
        """
        # 0: a deal can end before the first trick, as by eight cards in a row in Bela, too rare for a
        # sample.
        if highest > self.highest or (lowest and lowest < self.lowest):
            return (
                f"deals hand out {lowest} to {highest} card points or tricks, "
                f"not {self.lowest} to {self.highest}"
            )
        # The error of a difference of two means; the last term is for rounding where sd is 0.
        allowed = _ERRORS * self.sd * np.sqrt(1 / self.number + 1 / episodes) + 1e-9
        off = np.abs(points / episodes - self.mean) > allowed
        if off.any():
            seat = int(off.argmax())
            return (
                f"seat {seat} has {points[seat] / episodes:.2f} points on average, "
                f"not {self.mean[seat]:.2f}"
            )
        return ""


def sample(game: Game, agent: Agent) -> Reference:
    """Play and count some thousand deals, or some hundred matches, in a plain loop.

    An agent with parameters plays with those of `first_params`.
    """
    assert isinstance(agent, Hashable)
    return _sample(game, agent)


@functools.lru_cache(maxsize=32)
def _sample(game: Game, agent: Any) -> Reference:
    number = _MATCHES if isinstance(game, Match) else _DEALS
    play = jax.jit(jax.vmap(functools.partial(_count, game, agent), in_axes=(None, 0)))
    done = play(first_params(game, agent), deal_keys(_SEED, jnp.arange(number, dtype=jnp.uint32)))
    deals, decisions, plays, totals, points = (np.asarray(leaf, np.float64) for leaf in done)
    return Reference(
        number=number,
        deals=float(deals.mean()),
        decisions=float(decisions.mean()),
        plays=float(plays.mean()),
        lowest=int(totals.min()),
        highest=int(totals.max()),
        mean=points.mean(axis=0),
        sd=points.std(axis=0),
    )


def first_params(game: Game, agent: Agent) -> Any:
    """Return the parameters of an untrained agent."""
    return agent.init(jax.random.key(0), game)


def _count(game: Game, agent: Agent, params: Any, key: jax.Array) -> tuple[jax.Array, ...]:
    single = game.game if isinstance(game, Match) else game

    def played(deal: Any) -> jax.Array:
        counts = [cards.count().astype(jnp.int32) for cards in single.card_places(deal).played]
        return sum(counts, jnp.int32(0))

    def goes_on(carry: tuple[Any, ...]) -> jax.Array:
        return ~carry[0].terminated & (carry[-1] < game.max_steps)

    def turn(carry: tuple[Any, ...]) -> tuple[Any, ...]:
        state, decisions, plays, made = carry
        decision_key = prng.wrap(prng.fold(prng.key_words(key), made))
        observation = game.observe(state, state.current_player)
        action = agent.act(params, observation, game.legal_actions(state), decision_key)
        deal = state.deal if isinstance(game, Match) else state
        # The last card of a deal is counted before a match goes on to the next one.
        cards = played(single.step(deal, action)) - played(deal)
        valid = (~state.terminated).astype(jnp.int32)
        return game.step(state, action), decisions + valid, plays + valid * cards, made + 1

    start = game.init(key), jnp.int32(0), jnp.int32(0), jnp.uint32(0)
    state, decisions, plays, _ = jax.lax.while_loop(goes_on, turn, start)
    deals = state.num_deals if isinstance(game, Match) else jnp.int32(1)
    return deals, decisions, plays, game.progress(state).sum(), game.points(state)
