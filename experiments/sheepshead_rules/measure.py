"""Measures the rule-based Sheepshead player against random play, whole and in its parts, and its speed.

    python experiments/sheepshead_rules/measure.py

Every deal is played in every seating that `jaxcards.evaluation` knows: one player of a kind among the
others in each seat, both ways round. The interval is that of the paired mean. `results.txt` has the
output.
"""

import dataclasses
import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.compile import jit
from jaxcards.evaluation import evaluate
from jaxcards.games.sheepshead.state import NO_SEAT, PLAY
from jaxcards.rollout import rollout

DEALS = 4096


@dataclasses.dataclass(frozen=True)
class Halves:
    """Bids, calls and buries like one player and plays its cards like another."""

    caller: Any
    cards: Any

    def init(self, key: jax.Array, game: Any) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        call = self.caller.act(params, observation, legal, key)
        card = self.cards.act(params, observation, legal, key)
        return jnp.where(observation.phase == PLAY, card, call)


def compare(name: str, game: Any, player: Any, other: Any) -> None:
    pair = evaluate(game, [player, other], [(), ()], ["a", "b"], DEALS).pairs[0]
    low, high = pair.difference.low, pair.difference.high
    margin = (high - low) / 2
    print(f"{game.id}: {name}: {pair.difference.mean:.2f} ± {margin:.2f} chips per deal", flush=True)


def speed(game: Any, player: Any, batch: int = 4096) -> None:
    keys = jax.random.split(jax.random.key(0), batch)

    def deal(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        result = rollout(game, player, (), key)
        return result.points, result.state.picker

    begin = time.perf_counter()
    play = jit(lambda keys: jax.vmap(deal)(keys)).lower(keys).compile()
    compiled = time.perf_counter() - begin
    points, picker = (np.asarray(values) for values in play(keys))
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        jax.block_until_ready(play(keys))
        times.append(time.perf_counter() - begin)
    rate = batch * game.max_steps / min(times)
    picked = picker != NO_SEAT
    own = points[picked, picker[picked]]
    print(
        f"{game.id}: {rate / 1e6:.2f} million decisions/s, compiled in {compiled:.1f} s; "
        f"somebody picks in {100 * picked.mean():.0f} % of deals, wins {100 * (own > 0).mean():.0f} % "
        f"of them and {own.mean():.2f} chips",
        flush=True,
    )


def main() -> None:
    for preset in sys.argv[1:] or ("standard", "seed_3p", "seed_jd", "six_called"):
        game = jaxcards.make(f"sheepshead/{preset}")
        rules, chance = make_player("rules", game), make_player("random", game)
        speed(game, rules)
        compare("rules against random", game, rules, chance)
        if preset != "standard":
            continue
        compare("rules bid and bury, random cards against random", game, Halves(rules, chance), chance)
        compare("random bids, rules cards against random", game, Halves(chance, rules), chance)
        compare("rules against random bids, rules cards", game, rules, Halves(chance, rules))
        compare("rules against rules bid, random cards", game, rules, Halves(rules, chance))


if __name__ == "__main__":
    main()
