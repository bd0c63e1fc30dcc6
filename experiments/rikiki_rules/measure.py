"""Measures the rule-based Rikiki player against random play, whole and in its parts, and its speed.

    python experiments/rikiki_rules/measure.py

Every deal is played in all seatings of one player against the others, both ways round; intervals are
95 %, of paired means. `results.txt` has the output.
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
from jaxcards.evaluation import evaluate
from jaxcards.games.rikiki.play import BID
from jaxcards.games.rikiki.rules import PRESETS
from jaxcards.games.rikiki.state import bid_of
from jaxcards.rollout import rollout

DEALS = 4096


@dataclasses.dataclass(frozen=True)
class Halves:
    """Bids like one player and plays its cards like another."""

    bidder: Any
    cards: Any

    def init(self, key: jax.Array, game: Any) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        bid = self.bidder.act(params, observation, legal, key)
        card = self.cards.act(params, observation, legal, key)
        return jnp.where(card < BID, card, bid)


def compare(title: str, game: Any, player: Any, other: Any) -> None:
    pair = evaluate(game, [player, other], [(), ()], ["a", "b"], DEALS).pairs[0]
    low, high = pair.difference.low, pair.difference.high
    print(
        f"{game.id}: {title}: {pair.difference.mean:+.2f} ± {(high - low) / 2:.2f} points a round "
        f"({pair.points_a:.2f} against {pair.points_b:.2f})",
        flush=True,
    )


def at_one_table(game: Any, player: Any) -> None:
    """How often such players make their bids among themselves."""

    def play(key: jax.Array) -> Any:
        done = rollout(game, player, (), key)
        seats = range(game.num_players)
        bids = jnp.stack([bid_of(done.state.bids, seat, game.num_players) for seat in seats])
        won = game.progress(done.state)
        return bids == won, bids.sum() - done.state.hand_size.astype(jnp.int32), done.points

    play_all = jit(lambda keys: jax.vmap(play)(keys))
    made, over, points = play_all(jax.random.split(jax.random.key(7), 4 * DEALS))
    print(
        f"{game.id}: rules at one table: {100 * np.mean(made):.1f} % of bids made, "
        f"{np.mean(points):.2f} points a round; bids are {np.mean(over):+.2f} tricks too many",
        flush=True,
    )


def speed(game: Any, player: Any, batch: int = 4096) -> None:
    """Decisions in rounds of one size: no step is after the end."""
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
    speed(*_pair(jaxcards.make("rikiki/open_spiel"))[:2])
    for preset in PRESETS:
        game, rules, chance = _pair(jaxcards.make(f"rikiki/{preset}"))
        compare("rules against random", game, rules, chance)
    for preset in ("standard", "standard7", "no_trump_free_bids"):
        at_one_table(*_pair(jaxcards.make(f"rikiki/{preset}"))[:2])
    game, rules, chance = _pair(jaxcards.make("rikiki/standard"))
    compare("rules bid, random cards against random", game, Halves(rules, chance), chance)
    compare("random bids, rules cards against random", game, Halves(chance, rules), chance)
    compare("rules against random bids, rules cards", game, rules, Halves(chance, rules))
    compare("rules against rules bid, random cards", game, rules, Halves(rules, chance))


def _pair(game: Any) -> tuple[Any, Any, Any]:
    return game, make_player("rules", game), make_player("random", game)


if __name__ == "__main__":
    main()
