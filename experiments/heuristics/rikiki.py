"""Fit the numbers of the Rikiki heuristic.

    python -m experiments.heuristics.rikiki cards 3  worth of cards, 3 batches of 8,192 rounds
    python -m experiments.heuristics.rikiki all 150  all numbers, for 150 seconds

The shipped numbers come from guesses by `cards`, `all`, `cards` and `all`.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.heuristics import fitting
from jaxcards.agents.heuristics.rikiki import hands
from jaxcards.agents.heuristics.rikiki import view as rikiki_view
from jaxcards.agents.heuristics.rikiki.player import WEIGHTS, RikikiHeuristicAgent, choose
from jaxcards.cards.sets import CardSet
from jaxcards.games.rikiki.play import DECK
from jaxcards.games.rikiki.rules import NO_TRUMP
from jaxcards.rollouts import recorded_rollout, rollout


def games() -> list[Any]:
    """Return rule sets that differ in players, trumps and score."""
    make = jaxcards.make
    return [
        make("rikiki/standard"),
        make("rikiki/no_trump_free_bids"),
        make("rikiki/standard3", miss_diff=2),
        make("rikiki/standard6"),
        make("rikiki/cycle", trump_cycle=(0, NO_TRUMP)),
    ]


# ---- The worth of cards -------------------------------------------------------------------------


def fit_cards(batches: int) -> None:
    """Fit the chance of a card that is kept to win a trick later: logistic regression."""
    rows = [card_rows(game, batches) for game in games()]
    kind, x, y = (np.concatenate(column) for column in zip(*rows, strict=True))
    columns = []
    for number in range(3):
        use = kind == number
        columns.append(fitting.logistic(x[use], y[use], 2.0))
        chance, share = 1 / (1 + np.exp(-x[use] @ columns[-1])), np.full(use.sum(), y[use].mean())
        print(f"# {use.sum()} cards, {nats(chance, y[use]):.4f} nats a card; "
              f"{nats(share, y[use]):.4f} by the share of cards that win")  # fmt: skip
    show_parts(np.array(columns).T)


def nats(chance: np.ndarray, won: np.ndarray) -> float:
    """Return the mean negative log-likelihood."""
    chance = np.clip(chance, 1e-9, 1 - 1e-9)
    return -np.log(np.where(won, chance, 1 - chance)).mean()


def card_rows(game: Any, batches: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For cards kept at a random moment of each round: kind, parts, and whether they won a trick."""
    agent = RikikiHeuristicAgent(game.rules)

    def deal(key: jax.Array) -> Any:
        done, steps = recorded_rollout(game, agent, (), key)
        sub = jax.random.split(jax.random.fold_in(key, 1))
        length = game.num_players * (1 + done.state.public.hand_size.astype(jnp.int32))
        early = jax.random.bernoulli(sub[0], 0.4)
        time = jax.random.randint(sub[1], (), 0, jnp.where(early, game.num_players, length))
        seen, action = jax.tree.map(lambda leaf: leaf[time], (steps.observation, steps.action))
        view = rikiki_view.view_of(game.rules, seen, CardSet.empty(DECK))
        kept = (seen.hand - CardSet.single(DECK, action)).mask()
        public = done.state.public
        return jnp.stack(hands.parts(view), 1), kept, public.trump, public.history, public.num_played

    x, kept, trump, words, played = fitting.sampler(deal, 8192)(range(batches))
    won = winners(words, played, trump, game.num_players)
    suit = np.arange(DECK.num_cards) // DECK.ranks_per_suit
    kind = np.where(trump[:, None] == NO_TRUMP, 2, np.where(trump[:, None] == suit, 0, 1))
    return kind[kept], x[kept], won[kept]


def winners(words: Any, played: np.ndarray, trump: np.ndarray, players: int) -> np.ndarray:
    """Return the cards that won a trick, from the cards in the order of play: bool[deals, 52]."""
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


# ---- All numbers --------------------------------------------------------------------------------


def fit_all(seconds: float) -> None:
    """Fit all numbers on all rule sets in turn."""
    scale = np.maximum(0.03, 0.15 * np.abs(fitting.flat(WEIGHTS)))
    scale[: 3 * len(hands.PARTS)] = 0.12
    tables = [(game, played(game)) for game in games()]
    weights = fitting.evolve(tables, WEIGHTS, scale, seconds, rate=0.15)
    show_parts(np.array(weights.hand))
    fitting.show("AIM", weights.bidding, 3)
    fitting.show("WEIGHTS", weights.play, 3)


def played(game: Any) -> Any:
    """Return the function that plays a deal of a game; see `evolve`."""

    def deal(key: jax.Array, weights_of: Any) -> jax.Array:
        agent = fitting.Chooser(lambda seen, legal: choose(game.rules, weights_of(seen), seen, legal))
        return rollout(game, agent, (), key).returns

    return deal


def show_parts(table: np.ndarray) -> None:
    fitting.show_rows("PARTS", [name for name, *_ in hands.PARTS], table, 2)


if __name__ == "__main__":
    fitting.run(cards=fit_cards, all=fit_all)
