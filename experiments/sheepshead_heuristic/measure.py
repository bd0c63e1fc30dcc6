"""Measures the Sheepshead heuristic against random play, whole and in its parts, and its speed.

    python experiments/sheepshead_heuristic/measure.py

Every deal is played in every seating that `jaxcards.evaluation` knows: one player of a kind among the
others in each seat, both ways round. To bid is to pick, to call, to bury and to crack. The interval is
that of the paired mean. `results.txt` has the output.
"""

import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.games.sheepshead.state import NO_SEAT, PLAY
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.measuring import compare, halves, speed

DEALS, UNIT = 4096, "chips per deal"


def plays_card(observation: Any, action: jax.Array) -> jax.Array:
    return observation.public.phase == PLAY


def picking(game: Any, player: Any, deals: int = DEALS) -> None:
    """How often such players pick among themselves, and what it brings."""

    def deal(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        result = rollout(game, player, (), key)
        return result.points, result.state.public.picker

    play = jit(lambda keys: jax.vmap(deal)(keys))
    points, picker = map(np.asarray, play(jax.random.split(jax.random.key(0), deals)))
    picked = picker != NO_SEAT
    own = points[picked, picker[picked]]
    print(
        f"{game.id}: somebody picks in {100 * picked.mean():.0f} % of deals, wins "
        f"{100 * (own > 0).mean():.0f} % of them and {own.mean():.2f} chips",
        flush=True,
    )


def main() -> None:
    for preset in sys.argv[1:] or ("standard", "deepsheep_3p", "deepsheep_jd", "six_called"):
        game = jaxcards.make(f"sheepshead/{preset}")
        rules, chance = make_player("heuristic", game), make_player("random", game)
        speed(game, rules)
        picking(game, rules)
        compare("heuristic against random", game, rules, chance, DEALS, UNIT)
        if preset == "standard":
            for title, pair in halves(rules, chance, plays_card, "bid").items():
                compare(title, game, *pair, DEALS, UNIT)


if __name__ == "__main__":
    main()
