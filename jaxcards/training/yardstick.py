"""The yardstick of a training run: the same duplicate deals each time, in one compiled function."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.agents.learners.fixed_player import FixedPlayer
from jaxcards.agents.players import make_player
from jaxcards.errors import UserError
from jaxcards.evaluation.intervals import mean_interval
from jaxcards.evaluation.seatings import advantage, in_place, replacements, seatings
from jaxcards.game import Game
from jaxcards.rollouts import deal_keys, rollout

# Deals 0, 1, … of this unusual seed, so that evaluations have other deals.
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


def opponents(game: Game) -> dict[str, FixedPlayer]:
    """Return the opponents for measuring a player, the strongest first."""
    found = {}
    for name in ("heuristic", "random"):
        try:
            agent = make_player(name, game)
        except UserError:  # some games have no heuristic player
            continue
        found[name] = FixedPlayer(agent, agent.init(jax.random.key(0), game))
    return found


@dataclasses.dataclass(frozen=True)
class Yardstick:
    """A measurement of the parameters of one player.

    Each deal is played in every seating: one side against all others, each side in turn, and both ways
    round. The result of a deal is the mean over its seatings, and intervals are over deals.

    Attributes:
      game: the game to play.
      player: the player to measure.
      opponents: by their names.
      num_deals: number of deals.
      exploits: the result is the gain of an opponent that plays like the player; see
        `seatings.in_place`.
    """

    game: Game
    player: Agent
    opponents: Mapping[str, FixedPlayer]
    num_deals: int
    exploits: bool = False

    def compile(self, params: Any) -> "Measure":
        """Return a compiled function from such parameters to the result against each opponent."""
        # One device plays: training may spread the parameters over several, also of other processes.
        device = jax.local_devices()[0]

        def on_device(params: Any) -> Any:
            return jax.device_put(jax.device_get(params), device)

        others = on_device([opponent.params for opponent in self.opponents.values()])
        play = xla.jit(self.play, split=True).lower(on_device(params), others).compile()

        def measure(params: Any) -> dict[str, Result]:
            returns = np.asarray(play(on_device(params), others))
            # Drop the deals that fill up the last batch.
            rows = zip(self.opponents, returns[:, : self.num_deals], strict=True)
            return {name: _result(self._differences(row)) for name, row in rows}

        return measure

    def _differences(self, returns: np.ndarray) -> np.ndarray:
        """Return the results of the deals against one opponent: float64[deals]."""
        if not self.exploits:
            return advantage(self.game, returns)
        player, opponent = in_place(self.game, returns)
        return player - opponent

    def play(self, params: Any, others: list[Any]) -> jax.Array:
        """Return the returns of the deals: float32[opponents, deals, num_seatings, num_players].

        The last batch is padded with further deals.

        Args:
          params: of the player.
          others: of the opponents.
        """
        tables = (replacements if self.exploits else seatings)(self.game)
        num_opponents = len(self.opponents)
        # Agent 0 is the player; opponent i sits where the tables have a 1 and is agent i + 1.
        seats = jnp.asarray(np.stack([tables * (i + 1) for i in range(num_opponents)]))
        everybody = (self.player, *(opponent.agent for opponent in self.opponents.values()))
        parameters = [params, *others]

        def seating(seats: jax.Array, key: jax.Array) -> jax.Array:
            return rollout(self.game, everybody, parameters, key, seats=seats).returns

        # seats is int32[opponents, seatings, num_players]: map over the seatings, then the opponents.
        of_opponent = jax.vmap(seating, in_axes=(0, None))
        deal = jax.vmap(of_opponent, in_axes=(0, None))
        # Equal batches of at most `_LARGEST_BATCH` deals, one after the other.
        parts = math.ceil(self.num_deals / _LARGEST_BATCH)
        batch = math.ceil(self.num_deals / parts)
        keys = deal_keys(SEED, jnp.arange(parts * batch, dtype=jnp.uint32)).reshape(parts, batch, 2)
        returns = jax.lax.map(jax.vmap(lambda key: deal(seats, key)), keys)
        # From [deals, opponents, …] to [opponents, deals, …].
        return jnp.moveaxis(returns.reshape(parts * batch, *returns.shape[2:]), 0, 1)


def _result(differences: np.ndarray) -> Result:
    # A single deal shows no spread.
    if differences.size == 1:
        return Result(float(differences[0]), 0.0)
    interval = mean_interval(differences)
    return Result(interval.mean, interval.high - interval.mean)
