"""Compiled playouts that remember what every moment looked like, for the tests of every game.

One function is compiled for each set of rules, always for the same number of deals, and every test
goes through it: actions that the test gives are played, all others are random legal ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
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


def long_suits(n: int) -> np.ndarray:
    """Decks of 52 cards in which cards of a suit stay close."""
    rng = np.random.default_rng(5)
    keys = [4 * rng.permutation(4)[np.arange(52) // 13] + rng.normal(0, 2, 52) for _ in range(n)]
    return np.argsort(np.array(keys), axis=1).astype(np.int32)


def dealt_deck(deck: list[int], left_out: Sequence[int]) -> list[int]:
    """Return a deck in which the cards left out of the pack have changed places with the last ones."""
    deck, last = list(deck), len(deck) - len(left_out)
    for card in left_out:
        if deck.index(card) < last:
            other = min(c for c in deck[last:] if c not in left_out)
            i, j = deck.index(card), deck.index(other)
            deck[i], deck[j] = other, card
    return deck


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


class Playouts:
    """Deals of the presets and variants of a game, played by the compiled game.

    Args:
      game: its name.
      overrides: returns the preset of a variant and the changed rules.
      deals: `deals(variant, n, seed)` returns random deals.
      start: `start(game, *row)` begins a deal.
      view: see `compiled`.
      views: see `check_deals`.
      scripts: `scripts(variant, n, seed)` returns the first actions of random deals; None: all random.
      batch: deals that are played side by side.
      number: deals of `random_record`.
    """

    def __init__(
        self, game: str, overrides: Callable, deals: Callable, start: Callable, view: Callable,
        views: Callable, *, scripts: Callable | None = None, batch: int = 128, number: int = 128,
    ) -> None:  # fmt: skip
        def function(name: str) -> Callable:
            made = self.game_of(name)
            return compiled(made, view, partial(start, made))

        self.game, self.deals, self._start, self.batch, self._number = game, deals, start, batch, number
        self._overrides, self._views, self._scripts = overrides, views, scripts
        # Each variant is made and compiled once.
        self.game_of, self._function = cache(self._made), cache(function)
        self.random_record = cache(self._random_record)

    def _made(self, name: str):
        preset, changed = self._overrides(name)
        return jaxcards.make(f"{self.game}/{preset}", **changed)

    def play(self, name: str, deals: Dealt, scripts=None, seed: int = 0) -> dict[str, np.ndarray]:
        """Return the record of `play_out` of deals of a variant."""
        function, game = self._function(name), self.game_of(name)
        return play_out(function, game, deals, scripts, seed=seed, batch=self.batch)

    def played(self, name: str, n: int, seed: int, play_seed: int | None = None):
        """Return random deals of a variant, and their record with random actions after the scripts."""
        deals, scripts = self.deals(name, n, seed), self._scripts and self._scripts(name, n, seed)
        return deals, self.play(name, deals, scripts, seed=seed if play_seed is None else play_seed)

    def _random_record(self, name: str, n: int | None = None):
        """Return `played`, once for all test files."""
        return self.played(name, n or self._number, sum(map(ord, name)), play_seed=1)

    def check(self, name: str, deals: Dealt, record: dict[str, np.ndarray], rows=None) -> None:
        """Compare the deals of a variant with the reference; see `check_deals`."""
        check_deals(self._views, name, deals, record, rows)

    def state_after(self, name: str, deals: Dealt, i: int, actions: list[int]):
        """Return the state of the compiled game after some actions of deal `i`."""
        game = self.game_of(name)
        step = quick_jit(game.step)
        state = self._start(game, *(column[i] for column in deals.columns()))
        for action in actions:
            state = step(state, jnp.int32(action))
        return state


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


def common_views(deal, record: dict[str, np.ndarray], i: int, t: int) -> tuple[dict, dict]:
    """Return the facts of a moment that all games have, by the reference and by the record."""
    over = bool(record["terminated"][i, t])
    want = {
        "player": deal.current_player,
        "terminated": deal.terminated,
        "legal": deal.legal(),
        "progress": deal.progress(),
        "points": deal.points() if deal.terminated else None,
    }
    got = {
        "player": int(record["player"][i, t]),
        "terminated": over,
        "legal": [] if over else np.flatnonzero(record["mask"][i, t]).tolist(),
        "progress": record["progress"][i, t].tolist(),
        "points": record["points"][i, t].tolist() if over else None,
    }
    return want, got


def cards_in(masks: np.ndarray) -> list[list[int]]:
    """Return the cards of each row of a mask, ascending."""
    return [np.flatnonzero(cards).tolist() for cards in masks]


def check_same_play(games, deals: Dealt, start: Callable, scripts=None, seed: int = 0) -> None:
    """Fail unless two games play deals alike, at every decision and the end.

    Args:
      games: both; the deck, the actions and the voids are alike.
      deals, start, scripts, seed: see `compiled` and `play_out`.
    """

    def view(game, state):
        seen = [game.observe(state, player) for player in range(game.num_players)]
        hands = jnp.stack([one.hand.mask() for one in seen])
        return common_view(game, state) | {"hands": hands, "voids": state.public.voids}

    first, second = [
        play_out(compiled(game, view, partial(start, game)), game, deals, scripts, seed=seed, batch=64)
        for game in games
    ]
    assert first["terminated"][:, -1].all() and first.keys() == second.keys()
    for key, found in first.items():
        np.testing.assert_array_equal(found, second[key], err_msg=key)
