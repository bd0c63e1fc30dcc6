"""The compiled functions of one game: each takes the tables that need it side by side.

A table is a row of words (`packing`). Each function is compiled for a few sizes of a batch; a batch of
fewer tables is filled up with its last one.
"""

import dataclasses
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.cards.opening import Opening
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import Match, MatchState
from jaxcards.serve.packing import Packing
from jaxcards.xla import prng

LOOK = -1
"""An action that changes nothing."""

SIZES = (4, 32)
SEARCH_SIZES = (1, 8)
"""Tables of a batch: the first size is compiled before a table begins, the other when many wait."""


@dataclasses.dataclass(frozen=True)
class Look:
    """A deal after an action, on the host.

    Attributes:
      state: uint32[...], the state as words.
      seen: uint32[num_players, ...], what each player sees, as words.
      legal: bool[num_actions], all True after the end.
      player: who is to act.
      over: whether the deal is over.
      points: of each player, as `Game.points`.
      returns: of each player, as `Game.returns`.
    """

    state: np.ndarray
    seen: np.ndarray
    legal: np.ndarray
    player: int
    over: bool
    points: list[int]
    returns: list[float]


@dataclasses.dataclass(frozen=True)
class Closed:
    """A match after a deal.

    Attributes:
      totals: of each player.
      over: whether the match is over.
      winners: whether each player has won it.
      returns: of each player, of the whole match.
      following: the next deal as words; means nothing once the match is over.
    """

    totals: list[int]
    over: bool
    winners: list[bool]
    returns: list[float]
    following: np.ndarray


@dataclasses.dataclass(frozen=True)
class _Function:
    """A function of rows; `batch` is None for one that takes a single table."""

    call: Callable[..., Any]
    example: tuple[Any, ...]
    sizes: tuple[int, ...]
    params: Any = None


class Programs:
    """The functions of a game, by name, compiled when they are first needed. Safe for threads.

    Attributes:
      game: of single deals.
      match: the match of such deals, or None if there are none.
      state, seen: how states and observations are packed.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.match = Match(game) if game.max_match_deals else None
        state = jax.eval_shape(game.init, jax.ShapeDtypeStruct((2,), jnp.uint32))
        seen = jax.eval_shape(game.observe, state, jax.ShapeDtypeStruct((), jnp.int32))
        self.state, self.seen = Packing(state), Packing(seen)
        opening = jax.eval_shape(game.opening, state)
        self._row = np.zeros(self.state.num_words, np.uint32)
        key = np.zeros(2, np.uint32)
        totals, number = np.zeros(game.num_players, np.int32), np.int32(0)
        numbers = np.uint32(0), np.uint32(0)
        deck = jax.tree.map(lambda leaf: np.zeros(leaf.shape, leaf.dtype), opening)
        self._luck_example = (self._row, key, *numbers)
        self._functions: dict[str, _Function] = {
            "advance": _Function(self._advance, (self._row, np.int32(0)), SIZES),
            "begin": _Function(self._begin, (key,), (1,)),
            "restore": _Function(self._restore, tuple(deck), (1,)),
            "opening": _Function(lambda row: tuple(game.opening(self.state.unpack(row))),
                                 (self._row,), (1,)),
            "close": _Function(self._close, (self._row, totals, number, key), (1,)),
            "begin match": _Function(self._begin_match, (key,), (1,)),
        }  # fmt: skip
        self._compiled: dict[tuple[str, int], Any] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    # ---- What there is --------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names of all functions."""
        return list(self._functions)

    def add_agent(self, name: str, agent: Agent, params: Any) -> str:
        """Adds the choices of an agent; returns the name of the function."""
        function = f"choose {name}"
        with self._lock:
            if function not in self._functions:
                search = hasattr(agent, "worlds")
                sizes = SEARCH_SIZES if search else SIZES
                on_device = jax.tree.map(jnp.asarray, params)
                self._functions[function] = _Function(
                    self._choose(agent), self._luck_example, sizes, (on_device,)
                )
        return function

    def is_ready(self, name: str) -> bool:
        """Whether a function is compiled for a single table."""
        return (name, self._functions[name].sizes[0]) in self._compiled

    def size(self, name: str, waiting: int) -> int:
        """Returns for how many tables a function is best called, of the sizes that are compiled."""
        sizes = self._functions[name].sizes
        ready = [size for size in sizes if (name, size) in self._compiled] or [sizes[0]]
        return next((size for size in ready if size >= waiting), ready[-1])

    def wants(self, name: str, waiting: int) -> int | None:
        """Returns a larger size that so many tables would be worth compiling for, or None."""
        sizes = self._functions[name].sizes
        fit = [size for size in sizes if (name, size) not in self._compiled]
        return fit[0] if fit and waiting > self.size(name, waiting) else None

    # ---- Running --------------------------------------------------------------------------------

    def compile(self, name: str, size: int | None = None) -> None:
        """Compiles a function for a size, or for its first one; waits if another thread does."""
        function = self._functions[name]
        size = size or function.sizes[0]
        with self._lock:
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            if (name, size) in self._compiled:
                return
            axes = (None,) * (0 if function.params is None else 1) + (0,) * len(function.example)
            args = jax.tree.map(lambda leaf: np.stack([leaf] * size), function.example)
            given = (*function.params, *args) if function.params is not None else args
            self._compiled[name, size] = (
                xla.jit(jax.vmap(function.call, in_axes=axes)).lower(*given).compile()
            )

    def run(self, name: str, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Calls a function for some tables, in one batch of a compiled size.

        Args:
          name: of the function.
          rows: the arguments of each table, at most `size(name, len(rows))`.

        Returns:
          The results of each table, as numpy arrays.
        """
        function, size = self._functions[name], self.size(name, len(rows))
        self.compile(name, size)
        filled = [*rows, *[rows[-1]] * (size - len(rows))]
        args = jax.tree.map(lambda *parts: np.stack(parts), *filled)
        if function.params is not None:
            args = (*function.params, *args)
        found = jax.device_get(self._compiled[name, size](*args))
        leaves, form = jax.tree.flatten(found)
        return [jax.tree.unflatten(form, [leaf[i] for leaf in leaves]) for i in range(len(rows))]

    def look(self, found: Any) -> Look:
        """Returns the result of `advance` in Python's values."""
        state, seen, legal, player, over, points, returns = found
        return Look(state, seen, legal, int(player), bool(over), points.tolist(), returns.tolist())

    def closed(self, found: Any) -> Closed:
        """Returns the result of `close` in Python's values."""
        totals, over, winners, returns, following = found
        return Closed(totals.tolist(), bool(over), winners.tolist(), returns.tolist(), following)

    def opening_of(self, found: Any) -> dict[str, Any]:
        """Returns the result of `opening` as values of JSON."""
        deck, dealer, facts = found
        more = {name: np.asarray(value).tolist() for name, value in facts.items()}
        return {"deck": deck.tolist(), "dealer": int(dealer), "facts": more}

    def opening_row(self, opening: dict[str, Any]) -> tuple[Any, ...]:
        """Returns values of JSON as the arguments of `restore`."""
        facts = {name: np.asarray(value, np.int32) for name, value in opening["facts"].items()}
        return np.asarray(opening["deck"], np.int32), np.int32(opening["dealer"]), facts

    # ---- The functions themselves ---------------------------------------------------------------

    def _advance(self, row: jax.Array, action: jax.Array) -> Any:
        before = self.state.unpack(row)
        stepped = self.game.step(before, jnp.maximum(action, 0))
        state = jax.tree.map(lambda old, new: jnp.where(action < 0, old, new), before, stepped)
        players = jnp.arange(self.game.num_players, dtype=jnp.int32)
        seen = jax.vmap(lambda player: self.seen.pack(self.game.observe(state, player)))(players)
        return (
            self.state.pack(state), seen, self.game.legal_action_mask(state), state.current_player,
            state.terminated, self.game.points(state), self.game.returns(state),
        )  # fmt: skip

    def _begin(self, key: jax.Array) -> jax.Array:
        return self.state.pack(self.game.init(key))

    def _begin_match(self, key: jax.Array) -> jax.Array:
        return self.state.pack(self._the_match.init(key).deal)

    def _restore(self, deck: jax.Array, dealer: jax.Array, facts: Any) -> jax.Array:
        opening = Opening(deck, dealer, facts)
        return self.state.pack(self.game.init_from_deck(opening.deck, opening.dealer, **opening.facts))

    def _close(self, row: jax.Array, totals: jax.Array, number: jax.Array, key: jax.Array) -> Any:
        match = self._the_match
        standing = MatchState(
            deal=self.state.unpack(row),
            totals=totals,
            num_deals=number,
            winners=jnp.zeros(self.game.num_players, bool),
            key=jnp.stack(prng.key_words(key)),
            over=jnp.zeros((), bool),
        )
        after, following = match.close(standing)
        following_row = self.state.pack(following)
        return after.totals, after.over, after.winners, match.returns(after), following_row

    @property
    def _the_match(self) -> Match:
        if self.match is None:
            raise UserError(f"{self.game.id or self.game.name} has no matches")
        return self.match

    def _choose(self, agent: Agent) -> Callable[..., jax.Array]:
        """Returns what an agent does: of its parameters, a row, a key, the deal and the decision."""

        def choose(
            params: Any, row: jax.Array, key: jax.Array, number: jax.Array, done: jax.Array
        ) -> jax.Array:
            deal = self.state.unpack(row)
            words = prng.fold(prng.fold(prng.key_words(key), number), done)
            observation = self.game.observe(deal, deal.current_player)
            legal = self.game.legal_actions(deal)
            return agent.act(params, observation, legal, prng.wrap(words))

        return choose
