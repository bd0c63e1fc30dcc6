"""Measures the rule-based Belote player against random play, whole and in its parts, and its speed.

    python experiments/belote_rules/measure.py [PRESET ...]

Every deal is played with both seatings; the interval is that of the paired mean. `results.txt` has
the output.
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
from jaxcards.rollout import rollout

DEALS = 8192


@dataclasses.dataclass(frozen=True)
class Halves:
    """Calls like one player and plays its cards like another."""

    caller: Any
    cards: Any

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        call = self.caller.act(params, observation, legal, key)
        card = self.cards.act(params, observation, legal, key)
        return jnp.where(call < 32, card, call)


def compare(game: Any, pairs: dict[str, tuple[Any, Any]]) -> None:
    """Plays pairs of players, all of them in one compiled function."""
    players = list(dict.fromkeys(player for pair in pairs.values() for player in pair))
    seatings = []
    for pair in pairs.values():
        a, b = (players.index(player) for player in pair)
        seatings += [[a, b, a, b], [b, a, b, a]]

    @jit
    def play(keys: jax.Array) -> jax.Array:
        def table(key: jax.Array, seats: jax.Array) -> jax.Array:
            return rollout(game, players, [()] * len(players), key, seats=seats).returns

        return jax.vmap(lambda key: jax.vmap(lambda s: table(key, s))(jnp.array(seatings)))(keys)

    returns = np.asarray(play(jax.random.split(jax.random.key(2026), DEALS)))
    for number, name in enumerate(pairs):
        first, second = returns[:, 2 * number, 0], returns[:, 2 * number + 1, 1]
        gain, won = (first + second) / 2, ((first > 0) * 1.0 + (second > 0)) / 2
        margin, spread = (1.96 * x.std() / DEALS**0.5 for x in (gain, won))
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
    for _ in range(5):
        begin = time.perf_counter()
        jax.block_until_ready(play(keys))
        times.append(time.perf_counter() - begin)
    rate = batch * game.max_steps / min(times)
    print(f"{game.id}: {rate / 1e6:.2f} million decisions/s, compiled in {compiled:.1f} s", flush=True)


def main() -> None:
    for preset in sys.argv[1:] or ("bela", "belote_501", "coinche"):
        game = jaxcards.make(f"belote/{preset}")
        rules, chance = make_player("rules", game), make_player("random", game)
        calls, cards = Halves(rules, chance), Halves(chance, rules)
        speed(game, rules)
        compare(
            game,
            {
                "rules against random": (rules, chance),
                "rules call, random cards against random": (calls, chance),
                "random calls, rules cards against random": (cards, chance),
                "rules against random calls, rules cards": (rules, cards),
                "rules against rules call, random cards": (rules, calls),
            },
        )


if __name__ == "__main__":
    main()
