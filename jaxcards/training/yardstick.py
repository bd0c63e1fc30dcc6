"""How strong is the player by now? Always the same duplicate deals, in one compiled function."""

import dataclasses
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.agents.players import make_player
from jaxcards.errors import UserError
from jaxcards.evaluation.duplicate import seatings
from jaxcards.game import Game
from jaxcards.rollouts import rollout

# Not the seeds that people choose, so that no evaluation of theirs meets these deals.
_SEED = 0x79617264
_LARGEST_BATCH = 512


@dataclasses.dataclass(frozen=True)
class Result:
    """Points (returns) per deal more than an opponent.

    Attributes:
      mean: over the deals.
      half_width: of the 95 % interval.
    """

    mean: float
    half_width: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f}"


Measure = Callable[[Any], dict[str, Result]]


def opponents(game: Game) -> dict[str, Agent]:
    """Returns whom a player of the game is measured against, the strongest first."""
    found = {}
    for name in ("heuristic", "random"):
        try:
            found[name] = make_player(name, game)
        except UserError:  # not every game has a heuristic player
            continue
    return found


@dataclasses.dataclass(frozen=True)
class Yardstick:
    """Measures parameters of one player.

    Each deal is played in every seating: one side against all others, each side in turn, and both
    ways round. What counts for a deal is the mean over its seatings, and the interval is one of
    deals.

    Attributes:
      game: what is played.
      player: who is measured.
      names: of the opponents.
      agents: the opponents.
      num_deals: how many deals.
    """

    game: Game
    player: Agent
    names: tuple[str, ...]
    agents: tuple[Agent, ...]
    num_deals: int

    def compile(self, params: Any) -> "Measure":
        """Returns a compiled function from such parameters to the result against each opponent."""
        # One device plays: training may have its parameters on several, also of other processes.
        device = jax.local_devices()[0]
        one = jax.device_put(jax.device_get(params), device)
        play = xla.jit(self.play, split=True).lower(one).compile()

        def measure(params: Any) -> dict[str, Result]:
            differences = np.asarray(play(jax.device_put(jax.device_get(params), device)), np.float64)
            rows = zip(self.names, differences[:, : self.num_deals], strict=True)
            return {name: _result(row) for name, row in rows}

        return measure

    def play(self, params: Any) -> jax.Array:
        """Returns the player's points more than each opponent: float32[opponents, num_deals].

        The last batch is filled up with further deals.
        """
        tables, weights = weigh(self.game)
        num_opponents = len(self.agents)
        # Agent 0 is the player; opponent i sits where the tables have a 1 and is agent i + 1.
        seats = jnp.asarray(np.concatenate([tables * (i + 1) for i in range(num_opponents)]))
        everybody = (self.player, *self.agents)
        parameters = [params, *(agent.init(jax.random.key(0), self.game) for agent in self.agents)]

        def seating(key: jax.Array, seats: jax.Array) -> jax.Array:
            return rollout(self.game, everybody, parameters, key, seats=seats).returns

        def deal(number: jax.Array) -> jax.Array:
            key = jax.random.fold_in(jax.random.key(_SEED), number)
            returns = jax.vmap(partial(seating, key))(seats)
            by_opponent = returns.reshape(num_opponents, *weights.shape)
            return (by_opponent * weights).sum((1, 2))

        parts = math.ceil(self.num_deals / _LARGEST_BATCH)
        batch = math.ceil(self.num_deals / parts)
        numbers = jnp.arange(parts * batch, dtype=jnp.uint32).reshape(parts, batch)
        differences = jax.lax.map(jax.vmap(deal), numbers)
        return differences.reshape(parts * batch, num_opponents).T


def _result(differences: np.ndarray) -> Result:
    count = differences.size
    spread = float(differences.std(ddof=1)) if count > 1 else 0.0
    return Result(float(differences.mean()), 1.96 * spread / math.sqrt(count))


def weigh(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Returns every seating of two players, and what the returns of each seat count.

    Args:
      game: decides who belongs together.

    Returns:
      int32[seatings, num_players], 0 for the first player and 1 for the second; and
      float32[seatings, num_players], with which a sum over both axes of the returns is the first
      player's advantage per deal.
    """
    second = seatings(game)
    first = 1 - second
    weights = first / first.sum(1, keepdims=True) - second / second.sum(1, keepdims=True)
    # The returns of two sides are differences already, so that their difference is twice that.
    halves = 2 if game.teams is not None and len(set(game.teams)) == 2 else 1
    return second, (weights / (halves * len(second))).astype(np.float32)
