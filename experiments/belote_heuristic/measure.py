"""Measures the Belote heuristic against random play, whole and in its parts, and its speed.

    python experiments/belote_heuristic/measure.py [PRESET ...]

Every deal is played with both seatings; the interval is that of the paired mean. `results.txt` has
the output.
"""

import sys
from pathlib import Path
from typing import Any

import jax

import jaxcards
from jaxcards.agents.players import make_player

sys.path.append(str(Path(__file__).parents[1]))

from common.measuring import compare_teams, halves, speed

DEALS = 8192


def plays_card(observation: Any, action: jax.Array) -> jax.Array:
    return action < 32


def main() -> None:
    for preset in sys.argv[1:] or ("bela", "belote_501", "coinche"):
        game = jaxcards.make(f"belote/{preset}")
        rules, chance = make_player("heuristic", game), make_player("random", game)
        speed(game, rules)
        pairs = {"heuristic against random": (rules, chance)}
        compare_teams(game, pairs | halves(rules, chance, plays_card, "call"), DEALS)


if __name__ == "__main__":
    main()
