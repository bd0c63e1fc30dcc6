"""The gain of another player in the place of a player, among players of the latter kind.

The best response has the largest gain. So the gain of any other player, such as a trained exploiter, is
a lower bound of the player's exploitability (Timbers et al. 2022, "Approximate exploitability: learning
a best response", measure large games this way).
"""

import dataclasses
import functools
import json
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent, check_game
from jaxcards.errors import UserError
from jaxcards.evaluation.batches import batches, check, numbers
from jaxcards.evaluation.duplicate import DEFAULT_BATCH
from jaxcards.evaluation.intervals import Interval, detectable_difference, mean_interval
from jaxcards.evaluation.result import UNITS, unit_of
from jaxcards.evaluation.seatings import in_place, replacements
from jaxcards.game import Game
from jaxcards.rollouts import deal_keys, require_legal, rollout
from jaxcards.tables import align


@dataclasses.dataclass(frozen=True)
class Gain:
    """The gain of an exploiter in the place of a player, on the same deals.

    Attributes:
      game: id of the game; with a `Match`, every "deal" below is a whole match.
      exploiter, player: their names.
      num_deals: each is played with the exploiter on one side, each side in turn, and without it.
      seed: of the deals.
      returns_exploiter, returns_player: mean returns per deal in the same places.
      gain: of the exploiter, in points (returns) per deal.
      sd: standard deviation of that gain over deals.
      detectable: the smallest true gain that this number of deals shows with a power of 80 %.
      provenance: see `Evaluation`.
    """

    game: str
    exploiter: str
    player: str
    num_deals: int
    seed: int
    returns_exploiter: float
    returns_player: float
    gain: Interval
    sd: float
    detectable: float
    provenance: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> str:
        """Return the result as a JSON text."""
        return json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False) + "\n"

    def to_text(self) -> str:
        """Return the result as a table and a sentence for people."""
        gain, unit = self.gain, unit_of(self.game)
        units, digits = UNITS[unit], ".2f" if unit == "deal" else ".3f"
        rows = [
            [f"in place of {self.player}", f"points per {unit}", "95 % interval"],
            [self.player, f"{self.returns_player:+{digits}}", ""],
            [self.exploiter, f"{self.returns_exploiter:+{digits}}", ""],
            ["gain", f"{gain.mean:+{digits}}", f"{gain.low:+{digits}} to {gain.high:+{digits}}"],
        ]
        if gain.low > 0:
            verdict = f"A lower bound of the exploitability of {self.player}: others may gain more."
        else:
            verdict = (
                f"{self.exploiter} does not exploit {self.player}; others may. "
                f"These {units} can show a gain of {self.detectable:{digits}} or more."
            )
        title = f"{self.game}, {self.num_deals} duplicate {units}, seed {self.seed}"
        return "\n".join([title, "", *align(rows), "", verdict])


def gain(
    game: Game,
    agents: tuple[Agent, Agent],
    params: tuple[Any, Any],
    names: tuple[str, str],
    num_deals: int,
    seed: int = 0,
    batch: int = DEFAULT_BATCH,
) -> Gain:
    """Measure the gain of an exploiter in the place of a player.

    Args:
      game: the game, or a `Match`, which counts 1 for its winner and -1 for its loser.
      agents: the exploiter, the player.
      params: the parameters of both.
      names: the names of both.
      num_deals: number of deals.
      seed: of the deals and all random choices; 0 to 2**32 - 1.
      batch: deals played side by side, each in all its seatings.

    Raises:
      UserError: if numbers are out of range.
    """
    check_game(game)
    check(num_deals, seed, batch)
    if num_deals < 2:
        raise UserError("deals must be at least 2, as one deal shows no spread")
    batch = min(batch, num_deals)
    play = _batch_player(game, agents, batch)
    parts = []
    for first, count in batches(num_deals, batch, " - ".join(names)):
        returns, illegal = jax.device_get(play(params, jnp.uint32(seed), jnp.uint32(first)))
        # The last batch may go on beyond the last deal: `count` of its deals are wanted.
        require_legal(game, jax.tree.map(lambda leaf, count=count: leaf[:count], illegal), first)
        parts.append(np.stack(in_place(game, returns))[:, :count])
    exploiter, player = np.concatenate(parts, axis=1)
    # Paired: both have played the same deals in the same places.
    gains = exploiter - player
    sd = float(gains.std(ddof=1))
    return Gain(
        game=game.id or game.name,
        exploiter=names[0],
        player=names[1],
        num_deals=num_deals,
        seed=seed,
        returns_exploiter=float(exploiter.mean()),
        returns_player=float(player.mean()),
        gain=mean_interval(gains),
        sd=sd,
        detectable=detectable_difference(sd, num_deals),
    )


@functools.lru_cache(maxsize=32)
def _batch_player(game: Game, agents: tuple[Agent, Agent], batch: int) -> Any:
    """Compile a batch of deals of two agents once, whatever their parameters."""
    # tables: int32[sides + 1, num_players]; in the last row the player has every seat.
    tables = jnp.asarray(replacements(game))

    def play_seating(params: Any, key: jax.Array, seats: jax.Array) -> tuple[Any, Any]:
        done = rollout(game, agents, params, key, seats=seats, check=True)
        return done.returns, done.illegal

    def play_batch(params: Any, seed: jax.Array, first: jax.Array) -> tuple[Any, Any]:
        keys = deal_keys(seed, numbers(first, batch))
        every_seating = jax.vmap(play_seating, in_axes=(None, None, 0))
        # Results have axes [batch, sides + 1, …].
        return jax.vmap(every_seating, in_axes=(None, 0, None))(params, keys, tables)

    return xla.jit(play_batch, split=True)
