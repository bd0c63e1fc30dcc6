"""What it brings the Sheepshead heuristic to pick poorer hands than it did.

    python experiments/sheepshead_heuristic/pick_more.py [preset ...]

All thresholds of picking are lowered by the same number of hundredths of a chip. Among such players it
counts how many of those asked pick, and how many deals nobody picks; against the heuristic as it is,
chips per deal on duplicate deals, one player of a kind among the others in each seat, both ways round.
"""

import dataclasses
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.heuristics.sheepshead import bidding
from jaxcards.agents.heuristics.sheepshead.player import WEIGHTS, SheepsheadHeuristicAgent, choose
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.games.sheepshead.calls import PICK_ACTION
from jaxcards.games.sheepshead.state import PICK
from jaxcards.rollouts import recorded_rollout
from jaxcards.xla import jit

LOWER = (0, 25, 50, 75, 100, 125, 150)
DEALS = 2000


@dataclasses.dataclass(frozen=True)
class Bolder(SheepsheadHeuristicAgent):
    """The heuristic whose thresholds of picking are lower by its parameter, float32."""

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        limits = bidding.THRESHOLDS[bidding.key_of(self.rules)]
        limits = limits._replace(pick=tuple(limit - params for limit in limits.pick))
        return choose(self.rules, WEIGHTS, limits, observation, legal)


def main() -> None:
    every = [id.partition("/")[2] for id in jaxcards.games() if id.startswith("sheepshead/")]
    for preset in sys.argv[1:] or every:
        game = jaxcards.make(f"sheepshead/{preset}")
        player = Bolder(game.rules)

        def deal(lower: jax.Array, key: jax.Array, game=game, player=player) -> tuple[jax.Array, ...]:
            done, path = recorded_rollout(game, player, lower, key)
            asked = path.valid & (path.observation.public.phase == PICK)
            asked &= path.legal.contains(jnp.uint32(PICK_ACTION))
            picked = asked & (path.action == PICK_ACTION)
            return asked.sum(), picked.sum()

        play = jit(jax.vmap(deal, in_axes=(None, 0)))
        keys = jax.random.split(jax.random.key(0), 4096)
        print(f"sheepshead/{preset}")
        for lower in LOWER:
            asked, picked = map(np.asarray, play(jnp.float32(lower), keys))
            pair = evaluate(
                game, [player] * 2, [jnp.float32(lower), jnp.float32(0)], ["new", "old"], DEALS
            ).pairs[0]
            low, high = pair.difference.low, pair.difference.high
            print(
                f"  lower by {lower:3}: {100 * picked.sum() / asked.sum():4.1f} % of those asked pick, "
                f"nobody in {100 * (picked == 0).mean():4.1f} % of deals, "
                f"{pair.difference.mean:+.3f} ({low:+.3f} to {high:+.3f}) chips per deal",
                flush=True,
            )


if __name__ == "__main__":
    main()
