"""Measures the Rikiki heuristic against random play, whole and in its parts, and its speed.

    python experiments/rikiki_heuristic/measure.py

Every deal is played in all seatings of one player against the others, both ways round; intervals are
95 %, of paired means. `results.txt` has the output.
"""

import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.games.rikiki.calls import BID
from jaxcards.games.rikiki.rules import PRESETS
from jaxcards.games.rikiki.state import bid_of
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.measuring import compare, halves, speed

DEALS, UNIT = 4096, "points a round"


def plays_card(observation: Any, action: jax.Array) -> jax.Array:
    return action < BID


def at_one_table(game: Any, player: Any) -> None:
    """How often such players make their bids among themselves."""

    def play(key: jax.Array) -> Any:
        done = rollout(game, player, (), key)
        seats = range(game.num_players)
        bids = jnp.stack([bid_of(done.state.public.bids, seat, game.num_players) for seat in seats])
        won = game.progress(done.state)
        return bids == won, bids.sum() - done.state.public.hand_size.astype(jnp.int32), done.points

    play_all = jit(lambda keys: jax.vmap(play)(keys))
    made, over, points = play_all(jax.random.split(jax.random.key(7), 4 * DEALS))
    print(
        f"{game.id}: rules at one table: {100 * np.mean(made):.1f} % of bids made, "
        f"{np.mean(points):.2f} points a round; bids are {np.mean(over):+.2f} tricks too many",
        flush=True,
    )


def main() -> None:
    speed(*_players("open_spiel")[:2])  # rounds of one size: no step is after the end
    for preset in PRESETS:
        game, rules, chance = _players(preset)
        compare("heuristic against random", game, rules, chance, DEALS, UNIT)
    for preset in ("standard", "standard7", "no_trump_free_bids"):
        at_one_table(*_players(preset)[:2])
    game, rules, chance = _players("standard")
    for title, pair in halves(rules, chance, plays_card, "bid").items():
        compare(title, game, *pair, DEALS, UNIT)


def _players(preset: str) -> tuple[Any, Any, Any]:
    game = jaxcards.make(f"rikiki/{preset}")
    return game, make_player("heuristic", game), make_player("random", game)


if __name__ == "__main__":
    main()
