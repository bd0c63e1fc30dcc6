"""Measures the Jass heuristic against random play, whole and in its parts, and its speed.

    python experiments/jass_heuristic/measure.py

Every deal is played with both seatings; the interval is that of the paired mean. `results.txt` has
the output.
"""

import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.measuring import compare_teams, halves, speed

DEALS = 16384


def plays_card(observation: Any, action: jax.Array) -> jax.Array:
    return action < 36


def compare_alone(game: Any, player: Any, other: Any) -> None:
    """Differenzler: one player among three others, in each seat."""
    seatings = jnp.array([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])

    @jit
    def play(keys: jax.Array) -> jax.Array:
        def table(key: jax.Array, seats: jax.Array) -> jax.Array:
            return rollout(game, [player, other], [(), ()], key, seats=seats).returns

        return jax.vmap(lambda key: jax.vmap(lambda seats: table(key, seats))(seatings))(keys)

    returns = np.asarray(play(jax.random.split(jax.random.key(2026), DEALS)))
    own = np.mean([-returns[:, i, i] for i in range(4)], axis=0)
    rest = (-returns.sum((1, 2)) - 4 * own) / 12
    margin = 1.96 * (rest - own).std() / DEALS**0.5
    print(
        f"{game.id}: rules against random: difference {own.mean():.2f}, {rest.mean():.2f}; "
        f"± {margin:.2f}"
    )


def main() -> None:
    for preset in ("schieber_1000", "tournament", "differenzler"):
        game = jaxcards.make(f"jass/{preset}")
        rules, chance = make_player("heuristic", game), make_player("random", game)
        speed(game, rules)
        if preset == "differenzler":
            compare_alone(game, rules, chance)
            continue
        pairs = {"heuristic against random": (rules, chance)}
        compare_teams(game, pairs | halves(rules, chance, plays_card, "call"), DEALS)


if __name__ == "__main__":
    main()
