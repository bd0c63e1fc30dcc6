"""What the measurements of heuristics share: players in halves, comparisons, speed."""

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.evaluation.duplicate import evaluate
from jaxcards.rollouts import rollout
from jaxcards.xla import jit


@dataclasses.dataclass(frozen=True)
class Halves:
    """Speaks like one player and plays its cards like another.

    Attributes:
      caller: the player that bids, calls and lays aside.
      cards: the player that plays.
      plays: of an observation and the caller's action, whether a card is to be played.
    """

    caller: Any
    cards: Any
    plays: Callable[[Any, jax.Array], jax.Array]

    def init(self, key: jax.Array, game: Any) -> tuple[()]:
        return ()

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        call = self.caller.act(params, observation, legal, key)
        card = self.cards.act(params, observation, legal, key)
        return jnp.where(self.plays(observation, call), card, call)


def halves(rules: Any, chance: Any, plays: Callable, verb: str) -> dict[str, tuple[Any, Any]]:
    """Returns, by title, pairs of players that show the gain from each half of the heuristic.

    Args:
      rules, chance: the heuristic and the random one.
      plays: see `Halves`.
      verb: what players do besides playing cards, such as "call".
    """
    speaks, cards = Halves(rules, chance, plays), Halves(chance, rules, plays)
    return {
        f"rules {verb}, random cards against random": (speaks, chance),
        f"random {verb}s, rules cards against random": (cards, chance),
        f"rules against random {verb}s, rules cards": (rules, cards),
        f"rules against rules {verb}, random cards": (rules, speaks),
    }


def compare(title: str, game: Any, player: Any, other: Any, deals: int, unit: str) -> None:
    """Prints what a player gains against another on duplicate deals; see `jaxcards.evaluation`."""
    pair = evaluate(game, [player, other], [(), ()], ["a", "b"], deals).pairs[0]
    low, high = pair.difference.low, pair.difference.high
    print(
        f"{game.id}: {title}: {pair.difference.mean:+.2f} ± {(high - low) / 2:.2f} {unit} "
        f"({pair.points_a:.2f} against {pair.points_b:.2f})",
        flush=True,
    )


def compare_teams(game: Any, pairs: dict[str, tuple[Any, Any]], deals: int) -> None:
    """Prints the same of many pairs of players of two teams, all of them in one compiled function.

    Here the side that makes more at one table wins the deal, not at both tables together.
    """
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

    returns = np.asarray(play(jax.random.split(jax.random.key(2026), deals)))
    for number, title in enumerate(pairs):
        first, second = returns[:, 2 * number, 0], returns[:, 2 * number + 1, 1]
        gain, won = (first + second) / 2, ((first > 0) * 1.0 + (second > 0)) / 2
        margin, spread = (1.96 * x.std() / deals**0.5 for x in (gain, won))
        print(
            f"{game.id}: {title}: {gain.mean():.1f} ± {margin:.1f} points per deal, "
            f"{100 * won.mean():.1f} ± {100 * spread:.1f} % of deals won",
            flush=True,
        )


def speed(game: Any, player: Any, batch: int = 4096) -> None:
    """Prints decisions a second, the best of ten runs, in deals that all seats play like this."""
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
