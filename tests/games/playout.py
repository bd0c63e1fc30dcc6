"""Compiled playouts that remember what every moment looked like, for the tests of every game.

One function is compiled for each set of rules, always for the same number of deals, and every test
goes through it: actions that the test gives are played, all others are random legal ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.testing.deals import quick_jit

RANDOM = -1


@dataclass
class Dealt:
    """Input of a batch: decks [n, num_cards], dealers [n], and whatever else a game needs."""

    decks: np.ndarray
    dealers: np.ndarray

    def __len__(self) -> int:
        return len(self.decks)

    def columns(self) -> tuple[np.ndarray, ...]:
        """All of it, an array for each argument of the start of a deal."""
        return tuple(vars(self).values())

    def deck(self, i: int) -> list[int]:
        """Return the deck of deal `i`, for a reference in plain Python."""
        return self.decks[i].tolist()

    def describe(self, i: int) -> str:
        """All of deal `i`, as a report of a failure needs it."""
        return ", ".join(f"{name} {column[i].tolist()}" for name, column in vars(self).items())


def random_decks(rng: np.random.Generator, n: int, num_cards: int) -> np.ndarray:
    """Uniform decks: int32[n, num_cards]."""
    return rng.permuted(np.tile(np.arange(num_cards, dtype=np.int32), (n, 1)), axis=1)


def clustered_decks(n: int, ranks: int, spreads: tuple[float, ...]) -> np.ndarray:
    """Decks in which cards of a suit (often with their neighbours) or of a rank stay close."""
    rng = np.random.default_rng(5)
    decks = []
    for i in range(n):
        suits, changed = rng.permutation(4), rng.permutation(ranks)
        suit_weight, rank_weight = [(4.0, 0.5), (0.5, 4.0), (4.0, 4.0)][i % 3]
        key = [
            suit_weight * suits[card // ranks]
            + rank_weight * (changed[card % ranks] if i % 2 else card % ranks)
            + rng.normal(0, spreads[i // 3 % len(spreads)])
            for card in range(4 * ranks)
        ]
        decks.append(np.argsort(key))
    return np.array(decks, np.int32)


def compiled(game, view: Callable, start: Callable) -> Callable:
    """`(*columns, script, bits) -> views and actions`, batched and compiled.

    `view(game, state)` is a dictionary of what the tests compare; `start(*row)` begins a deal.
    """

    def one(*given):
        *row, script, bits = given

        def body(state, now):
            action, word = now
            drawn = game.legal_actions(state).sample_word(word)
            action = jnp.where(action >= 0, action, drawn)
            return game.step(state, action), view(game, state) | {"action": action}

        return jax.lax.scan(body, start(*row), (script, bits))[1]

    return quick_jit(jax.vmap(one))


def play_out(
    function: Callable, game, deals: Dealt, scripts=None, *, seed: int = 0, batch: int
) -> dict[str, np.ndarray]:
    """Play deals out: every entry of the view, and the action, as arrays [n, max_steps + 1, ...].

    Entry t is the state before action t; the last is after the longest deal possible, and a deal
    that has ended stays as it is. `function` is one of `compiled`, called with `batch` deals at a
    time. `scripts` are lists of first actions, by default none; after them, random legal actions.
    """
    n, steps = len(deals), game.max_steps + 1
    script = np.full((n, steps), RANDOM, np.int32)
    for i, actions in enumerate([] if scripts is None else scripts):
        script[i, : len(actions)] = actions
    bits = np.random.default_rng(seed).integers(0, 2**32, (n, steps), dtype=np.uint32)
    columns = (*deals.columns(), script, bits)
    parts = []
    for start in range(0, n, batch):
        rows = np.arange(start, start + batch) % n
        keep = min(batch, n - start)
        out = function(*(column[rows] for column in columns))
        parts.append({key: np.asarray(value)[:keep] for key, value in out.items()})
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def player(game_of: Callable, view: Callable, start: Callable, batch: int) -> Callable:
    """Return `play(name, deals, scripts=None, seed=0)`: `play_out` of a preset or variant by its name.

    Each variant is compiled once. `start(game, *row)` begins a deal.
    """

    @cache
    def function(name: str) -> Callable:
        return compiled(game_of(name), view, partial(start, game_of(name)))

    def play(name: str, deals: Dealt, scripts=None, seed: int = 0) -> dict[str, np.ndarray]:
        return play_out(function(name), game_of(name), deals, scripts, seed=seed, batch=batch)

    return play


def common_view(game, state) -> dict:
    """Return the data that the tests of every game compare."""
    return {
        "player": state.current_player,
        "terminated": state.terminated,
        "mask": game.legal_action_mask(state),
        "progress": game.progress(state),
        "points": game.points(state),
        "returns": game.returns(state),
    }


def flat(observations) -> jax.Array:
    """All of each player's observation, flattened: uint32[players, n]."""
    return jnp.stack(
        [
            jnp.concatenate([jnp.ravel(leaf).astype(jnp.uint32) for leaf in jax.tree.leaves(one)])
            for one in observations
        ]
    )


def bits(word) -> list[int]:
    """Return the set bits of a word, ascending."""
    return [b for b in range(32) if int(word) >> b & 1]


def check_deals(views: Callable, name, deals: Dealt, record: dict[str, np.ndarray], rows=None) -> None:
    """Compare deals of a record with the reference in plain Python, at every decision and the end.

    `views(name, deal, record, i, t)` tells how moment `t` of deal `i` looks, first by the reference
    (`deal`), then by the record. `rows` are the numbers of the deals; by default all of them.
    """
    for i in range(len(deals)) if rows is None else rows:
        deal = deals.reference(name, i)
        for t, action in enumerate(record["action"][i].tolist()):
            want, got = views(name, deal, record, i, t)
            played = record["action"][i, :t].tolist()
            assert got == want, f"deal {i}, decision {t}: {deals.describe(i)}, actions {played}"
            if deal.terminated:
                break
            deal.step(action)
        assert deal.terminated


def check_after_the_end(record: dict[str, np.ndarray]) -> None:
    """Every deal of a record ends, nothing changes any more, and every action is in the mask."""
    over, mask = record["terminated"], record["mask"]
    assert over[:, -1].all() and not over[:, 0].any()
    assert (over[:, 1:] >= over[:, :-1]).all()
    assert (mask[over] == (True if mask.dtype == bool else 0xFFFFFFFF)).all()
    for key in ("points", "returns", "progress", "observation"):
        last = np.broadcast_to(record[key][:, -1:], record[key].shape)
        assert np.array_equal(record[key][over], last[over]), key
