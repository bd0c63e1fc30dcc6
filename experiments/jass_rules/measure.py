"""Measures the rule-based Jass player against random play, whole and in its parts, and its speed.

    python experiments/jass_rules/measure.py

Every deal is played with both seatings; the interval is that of the paired mean. `results.txt` has
the output.
"""

import dataclasses
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.compile import jit
from jaxcards.rollout import rollout

DEALS = 16384


@dataclasses.dataclass(frozen=True)
class Halves:
    """Calls like one player and plays its cards like another."""

    caller: Any
    cards: Any

    def init(self, key: jax.Array, game: Any) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        call = self.caller.act(params, observation, legal, key)
        card = self.cards.act(params, observation, legal, key)
        return jnp.where(call < 36, card, call)


def compare(name: str, game: Any, player: Any, other: Any) -> None:
    alone = game.teams is None
    tables = [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    seatings = jnp.array(tables if alone else [[0, 1, 0, 1], [1, 0, 1, 0]])

    @jit
    def play(keys: jax.Array) -> jax.Array:
        def table(key: jax.Array, seats: jax.Array) -> jax.Array:
            return rollout(game, [player, other], [(), ()], key, seats=seats).returns

        return jax.vmap(lambda key: jax.vmap(lambda seats: table(key, seats))(seatings))(keys)

    returns = np.asarray(play(jax.random.split(jax.random.key(2026), DEALS)))
    if alone:
        own = np.mean([-returns[:, i, i] for i in range(4)], axis=0)
        rest = (-returns.sum((1, 2)) - 4 * own) / 12
        interval = 1.96 * (rest - own).std() / DEALS**0.5
        print(f"{game.id}: {name}: difference {own.mean():.2f}, {rest.mean():.2f}; ± {interval:.2f}")
        return
    gain = (returns[:, 0, 0] + returns[:, 1, 1]) / 2
    won = ((returns[:, 0, 0] > 0).astype(float) + (returns[:, 1, 1] > 0)) / 2
    margin, spread = 1.96 * gain.std() / DEALS**0.5, 1.96 * won.std() / DEALS**0.5
    print(
        f"{game.id}: {name}: {gain.mean():.1f} ± {margin:.1f} points per deal, "
        f"{100 * won.mean():.1f} ± {100 * spread:.1f} % of deals won",
        flush=True,
    )


def speed(game: Any, player: Any, batch: int = 4096) -> None:
    keys = jax.random.split(jax.random.key(0), batch)
    play = jit(lambda keys: jax.vmap(lambda key: rollout(game, player, (), key).points)(keys))
    begin = time.perf_counter()
    play = play.lower(keys).compile()
    compiled = time.perf_counter() - begin
    jax.block_until_ready(play(keys))
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        jax.block_until_ready(play(keys))
        times.append(time.perf_counter() - begin)
    rate = batch * game.max_steps / min(times)
    print(f"{game.id}: {rate / 1e6:.2f} million decisions/s, compiled in {compiled:.1f} s", flush=True)


def main() -> None:
    for preset in ("schieber_1000", "tournament", "differenzler"):
        game = jaxcards.make(f"jass/{preset}")
        rules, chance = make_player("rules", game), make_player("random", game)
        speed(game, rules)
        compare("rules against random", game, rules, chance)
        if preset == "differenzler":
            continue
        compare("rules call, random cards against random", game, Halves(rules, chance), chance)
        compare("random calls, rules cards against random", game, Halves(chance, rules), chance)
        compare("rules against random calls, rules cards", game, rules, Halves(chance, rules))
        compare("rules against rules call, random cards", game, rules, Halves(rules, chance))


if __name__ == "__main__":
    main()
