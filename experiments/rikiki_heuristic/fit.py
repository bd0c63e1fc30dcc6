"""Fits the weights of the Rikiki heuristic in self-play.

    python experiments/rikiki_heuristic/fit.py cards 3     what cards are worth, from 3 * 8192 rounds
    python experiments/rikiki_heuristic/fit.py all 150     all numbers, for 150 seconds

`cards` prints what to write into `hands.PARTS`, `all` that and the weights of `bidding` and
`playing`. `cards`, `all`, `cards`, `all`, beginning with guesses, led to the numbers that are
there; README.md has how well the last `cards` fits.
"""

import dataclasses
import itertools
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.heuristics.rikiki import hands
from jaxcards.agents.heuristics.rikiki import view as rikiki_view
from jaxcards.agents.heuristics.rikiki.player import WEIGHTS, RikikiHeuristicAgent, choose
from jaxcards.cards.sets import CardSet
from jaxcards.games.rikiki.play import DECK
from jaxcards.games.rikiki.rules import NO_TRUMP
from jaxcards.rollouts import recorded_rollout, rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.fitting import climb, flat

BATCH = 8192


def games() -> list[Any]:
    """Rule sets that differ in players, trumps and score."""
    make = jaxcards.make
    return [
        make("rikiki/standard"),
        make("rikiki/no_trump_free_bids"),
        make("rikiki/standard3", miss_diff=2),
        make("rikiki/standard6"),
        make("rikiki/cycle", trump_cycle=(0, NO_TRUMP)),
    ]


# ---- What cards are worth -----------------------------------------------------------------------


def fit_cards(batches: int) -> None:
    """Logistic regression: does a card that is kept win a trick later?"""
    rows = [row for game in games() for row in card_rows(game, batches)]
    kind, x, y = (np.concatenate(column) for column in zip(*rows, strict=True))
    columns = []
    for number in range(3):
        use = kind == number
        fitted, loss, base = logistic(x[use], y[use])
        columns.append(fitted)
        print(f"# {use.sum()} cards, {loss:.4f} nats a card; {base:.4f} knowing only how many win")
    print_parts(np.array(columns).T)


def card_rows(game: Any, batches: int) -> list[Any]:
    """For cards kept at a random moment of each round: kind, parts, and whether they won a trick."""
    agent = RikikiHeuristicAgent(game.rules)

    def deal(key: jax.Array) -> Any:
        done, steps = recorded_rollout(game, agent, (), key)
        sub = jax.random.split(jax.random.fold_in(key, 1))
        length = game.num_players * (1 + done.state.public.hand_size.astype(jnp.int32))
        early = jax.random.bernoulli(sub[0], 0.4)
        time = jax.random.randint(sub[1], (), 0, jnp.where(early, game.num_players, length))
        seen, action = jax.tree.map(
            lambda leaf: leaf[time], (steps.observation, steps.action)
        )
        view = rikiki_view.view_of(game.rules, seen, CardSet.empty(DECK))
        kept = (seen.hand - CardSet.single(DECK, action)).mask()
        final = done.state
        parts = jnp.stack(hands.parts(view), 1)
        return parts, kept, final.public.trump, final.public.history, final.public.num_played

    play = jit(lambda key: jax.vmap(deal)(jax.random.split(key, BATCH)))
    rows = []
    for number in range(batches):
        x, kept, trump, words, played = jax.tree.map(np.asarray, play(jax.random.key(number)))
        won = winners(words, played, trump, game.num_players)
        suit = np.arange(DECK.num_cards) // DECK.ranks_per_suit
        kind = np.where(trump[:, None] == NO_TRUMP, 2, np.where(trump[:, None] == suit, 0, 1))
        rows.append((kind[kept], x[kept], won[kept]))
    return rows


def winners(words: Any, played: np.ndarray, trump: np.ndarray, players: int) -> np.ndarray:
    """Which cards won a trick: bool[deals, 52]. Plain numpy, from the cards in the order of play."""
    lists = [(word[:, None] >> (6 * np.arange(5, dtype=np.uint32))) & 63 for word in words]
    order = np.concatenate(lists, axis=1).astype(np.int64)
    won = np.zeros((len(order), DECK.num_cards), bool)
    for start in range(0, int(played.max()), players):
        trick = np.minimum(order[:, start : start + players], DECK.num_cards - 1)
        suit, rank = trick // DECK.ranks_per_suit, trick % DECK.ranks_per_suit
        strength = np.where(suit == trump[:, None], 100 + rank, np.where(suit == suit[:, :1], rank, -1))
        best = np.take_along_axis(trick, strength.argmax(1)[:, None], 1)[:, 0]
        over = start < played
        won[np.flatnonzero(over), best[over]] = True
    return won


def logistic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Newton's method with a small penalty: weights, mean loss, and the loss of a constant."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(12):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (y - p) - 2.0 * weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 2.0 * np.eye(len(weights))
        weights = weights + np.linalg.solve(hessian, gradient)
    p = np.clip(1 / (1 + np.exp(-x @ weights)), 1e-9, 1 - 1e-9)
    loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()
    mean = y.mean()
    return weights, loss, -(mean * np.log(mean) + (1 - mean) * np.log(1 - mean))


# ---- All numbers --------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Tunable:
    """The player with all its numbers as parameters: float32[2, n], those of even and odd tables."""

    agent: RikikiHeuristicAgent

    def init(self, key: jax.Array, game: Any) -> jax.Array:
        return jnp.zeros((2, len(flat(WEIGHTS))))

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        values, seats = params
        mine = values[(seats >> observation.player) & 1]
        weights = jax.tree.unflatten(jax.tree.structure(WEIGHTS), list(mine))
        return choose(self.agent.rules, weights, observation, legal)


def scales() -> np.ndarray:
    """How far each number is changed to see what happens."""
    scale = np.maximum(0.03, 0.15 * np.abs(flat(WEIGHTS)))
    scale[: 3 * len(hands.PARTS)] = 0.12
    return scale.astype(np.float32)


def tune_all(seconds: float) -> None:
    """Evolution strategy: every round tries its own small change of all numbers, both ways round."""
    scale = scales()
    gradients = [gradient_of(game, scale) for game in games()]
    for gradient in gradients:  # compiles
        gradient(jax.random.key(0), jnp.asarray(flat(WEIGHTS)))
    turns = itertools.cycle(gradients)
    theta = climb(
        lambda key, theta: next(turns)(key, theta),
        flat(WEIGHTS), scale, seconds, rate=0.15, floor=0.1, steady=1e-3,
    )  # fmt: skip
    weights = jax.tree.unflatten(jax.tree.structure(WEIGHTS), [float(value) for value in theta])
    print_parts(np.array(weights.hand))
    print("AIM =", rounded(weights.bidding))
    print("WEIGHTS =", rounded(weights.play), flush=True)


def gradient_of(game: Any, scale: np.ndarray) -> Any:
    """Compiles: the direction in which the numbers get better at this game."""
    agent = Tunable(RikikiHeuristicAgent(game.rules))
    players = game.num_players
    half = sum(1 << seat for seat in range(0, players, 2))
    tables = jnp.array([half, (1 << players) - 1 - half], jnp.uint32)

    def deal(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        change = jax.random.normal(jax.random.fold_in(key, 7), centre.shape)
        values = jnp.stack([centre + scale * change, centre - scale * change])

        def table(seats: jax.Array) -> jax.Array:
            returns = rollout(game, agent, (values, seats), key).returns
            second = (seats >> jnp.arange(players, dtype=jnp.uint32)) & 1
            first = 1 - second
            return (returns * first).sum() / first.sum() - (returns * second).sum() / second.sum()

        return jax.vmap(table)(tables).mean(), change

    @jit
    def gradient(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        result, change = jax.vmap(deal, (0, None))(jax.random.split(key, BATCH), centre)
        square = jnp.square(result).mean()
        result = result / jnp.sqrt(square + 1e-6)
        return (result[:, None] * change).mean(0), square

    return gradient


# ---- Output -------------------------------------------------------------------------------------


def print_parts(table: np.ndarray) -> None:
    for (name, *_), row in zip(hands.PARTS, table, strict=True):
        print(f'    ("{name}", ' + ", ".join(f"{value:.2f}" for value in row) + "),")
    sys.stdout.flush()


def rounded(weights: Any) -> Any:
    return jax.tree.map(lambda value: round(value, 3), weights)


if __name__ == "__main__":
    if sys.argv[1] == "cards":
        fit_cards(int(sys.argv[2]))
    else:
        tune_all(float(sys.argv[2]))
