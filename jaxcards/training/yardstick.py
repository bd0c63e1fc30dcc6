"""Measures a player while it trains: the same duplicate deals each time, in one compiled function."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.agents.players import make_player
from jaxcards.errors import UserError
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.evaluation.seatings import advantage, seatings
from jaxcards.game import Game
from jaxcards.rollouts import deal_keys, rollout

# Deals 0, 1, … of this seed. Nobody is likely to choose it, so that evaluations have other deals.
SEED = 0x79617264
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
    """Returns the opponents that a player is measured against, the strongest first."""
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
    ways round. The result of a deal is the mean over its seatings, and intervals are over deals.

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
            returns = np.asarray(play(jax.device_put(jax.device_get(params), device)))
            rows = zip(self.names, returns[:, : self.num_deals], strict=True)
            return {name: _result(advantage(self.game, row)) for name, row in rows}

        return measure

    def play(self, params: Any) -> jax.Array:
        """Returns the returns of the deals: float32[opponents, deals, num_seatings, num_players].

        The last batch is padded with further deals.
        """
        tables = seatings(self.game)
        num_opponents = len(self.agents)
        # Agent 0 is the player; opponent i sits where the tables have a 1 and is agent i + 1.
        seats = jnp.asarray(np.stack([tables * (i + 1) for i in range(num_opponents)]))
        everybody = (self.player, *self.agents)
        parameters = [params, *(agent.init(jax.random.key(0), self.game) for agent in self.agents)]

        def seating(seats: jax.Array, key: jax.Array) -> jax.Array:
            return rollout(self.game, everybody, parameters, key, seats=seats).returns

        of_opponent = jax.vmap(seating, in_axes=(0, None))
        deal = jax.vmap(of_opponent, in_axes=(0, None))
        parts = math.ceil(self.num_deals / _LARGEST_BATCH)
        batch = math.ceil(self.num_deals / parts)
        keys = deal_keys(SEED, jnp.arange(parts * batch, dtype=jnp.uint32)).reshape(parts, batch, 2)
        returns = jax.lax.map(jax.vmap(lambda key: deal(seats, key)), keys)
        return jnp.moveaxis(returns.reshape(parts * batch, *returns.shape[2:]), 0, 1)


def _result(differences: np.ndarray) -> Result:
    if differences.size == 1:
        return Result(float(differences[0]), 0.0)
    interval = mean_interval(differences)
    return Result(interval.mean, interval.high - interval.mean)
