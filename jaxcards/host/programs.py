"""The compiled functions of one game; each handles many tables side by side.

A table is a row of words (`rows`).
"""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.opening import Opening
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.host.rows import Functions, Packing
from jaxcards.match import Match, MatchState
from jaxcards.rollouts import deal_keys
from jaxcards.view.look import seen_by
from jaxcards.view.structure import View
from jaxcards.xla import prng

LOOK = np.int32(-1)
"""An action that changes nothing."""


@dataclasses.dataclass(frozen=True)
class Look:
    """A deal after an action, on the host.

    Attributes:
      state: uint32[...], the state as words.
      seen: uint32[num_players, ...], the observation of each player as words.
      legal: bool[num_actions], all True after the end.
      words: uint32[...], the same actions as words of an `ActionSet`.
      player: the player to act.
      over: whether the deal is over.
      points: of each player, as `Game.points`.
      returns: of each player, as `Game.returns`.
    """

    state: np.ndarray
    seen: np.ndarray
    legal: np.ndarray
    words: np.ndarray
    player: int
    over: bool
    points: list[int]
    returns: list[float]

    @property
    def asked(self) -> tuple[np.ndarray, np.ndarray]:
        """The observation and the legal actions of the player to act, as words."""
        return self.seen[self.player], self.words


@dataclasses.dataclass(frozen=True)
class Closed:
    """A match after a deal.

    Attributes:
      totals: of each player.
      over: whether the match is over.
      winners: whether each player has won the match.
      returns: of each player, of the whole match.
      following: the next deal as words; undefined once the match is over.
    """

    totals: list[int]
    over: bool
    winners: list[bool]
    returns: list[float]
    following: np.ndarray


class Programs(Functions):
    """The functions of a game, by name, compiled when first used. Thread-safe.

    Attributes:
      game: of single deals.
      match: the match of such deals, or None if the game has no matches.
      state, seen: the packings of states and observations.
      seen_one: whether a view has been made.
    """

    def __init__(self, game: Game, sizes: tuple[int, ...] = (1,)) -> None:
        """Initialise from a game and the sizes of batches of moves."""
        super().__init__()
        self.game, self._sizes = game, sizes
        self.match = Match(game) if game.max_match_deals else None
        self.seen_one = False
        key = np.zeros(2, np.uint32)
        # The forms of state, opening and observation; nothing is computed.
        state = jax.eval_shape(game.init, key)
        opening = jax.eval_shape(game.opening, state)
        seen = jax.eval_shape(game.observe, state, np.int32(0))
        self.state, self.seen = Packing(state), Packing(seen)
        # Examples of the arguments, for the compiler.
        row = np.zeros(self.state.num_words, np.uint32)
        totals, number = np.zeros(game.num_players, np.int32), np.int32(0)
        deck = jax.tree.map(lambda leaf: np.zeros(leaf.shape, leaf.dtype), opening)
        # Moves are played for several tables at once; the functions below serve one table.
        self.add("advance", self._advance, (row, number), sizes)
        self.add("begin", self._begin, (key,), (1,))
        self.add("restore", self._restore, tuple(deck), (1,))
        self.add("opening", self._opening, (row,), (1,))
        self.add("close", self._close, (row, totals, number, key), (1,))
        self.add("begin match", self._begin_match, (key,), (1,))

    def add_agent(self, name: str, agent: Agent, params: Any) -> str:
        """Add a function for the choices of an agent and return its name."""
        words = np.zeros(len(self.game.action_layout.offsets), np.uint32)
        seen, luck = np.zeros(self.seen.num_words, np.uint32), np.zeros(2, np.uint32)
        # The last two are numbers to fold into the key; see `choosing`.
        example = seen, words, luck, np.uint32(0), np.uint32(0)
        self.add(f"choose {name}", self.choosing(agent), example, self._sizes, (params,))
        return f"choose {name}"

    def one(self, name: str, *row: Any) -> Any:
        """Call a function for a single table."""
        return self.run(name, [row])[0]

    def see_one(self, begin: str) -> None:
        """Make a view of a deal, unless one exists, so that all code for views is compiled.

        Args:
          begin: "begin" or "begin match".
        """
        if self.seen_one:
            return
        row = self.one(begin, np.zeros(2, np.uint32))
        look = self.look(self.one("advance", row, LOOK))
        self.view(look, look.player)
        self.seen_one = True

    def begin_at(self, key: np.ndarray, totals: Sequence[int], num_deals: int) -> np.ndarray:
        """Return the first deal of a match at a given score, as words.

        Args:
          key: uint32[2], decides the cards of the match.
          totals, num_deals: the score; see `Match.init`.

        Raises:
          UserError: if a match cannot reach this score.
        """
        begun = self._the_match.init(jnp.asarray(key), totals=totals or None, num_deals=num_deals)
        return np.asarray(self.state.pack(begun.deal))

    # ---- Results as Python values ----------------------------------------------------------------

    def look(self, result: Any) -> Look:
        """Return the result of `advance` as Python values."""
        state, seen, legal, words, player, over, points, returns = result
        more = int(player), bool(over), points.tolist(), returns.tolist()
        return Look(state, seen, legal, words, *more)

    def closed(self, result: Any) -> Closed:
        """Return the result of `close` as Python values."""
        totals, over, winners, returns, following = result
        return Closed(totals.tolist(), bool(over), winners.tolist(), returns.tolist(), following)

    def opening_of(self, result: Any) -> dict[str, Any]:
        """Return the result of `opening` as JSON values."""
        deck, dealer, facts = result
        more = {name: np.asarray(value).tolist() for name, value in facts.items()}
        return {"deck": deck.tolist(), "dealer": int(dealer), "facts": more}

    def opening_row(self, opening: dict[str, Any]) -> tuple[Any, ...]:
        """Return JSON values as the arguments of `restore`."""
        facts = {name: np.asarray(value, np.int32) for name, value in opening["facts"].items()}
        return np.asarray(opening["deck"], np.int32), np.int32(opening["dealer"]), facts

    def view(self, look: Look, player: int | None) -> View:
        """Return the view of a player, which shows only what this player sees; see `Game.view`."""
        if player is None:
            return self.game.view(self.state.read(look.state), None)
        seen, points = self.seen.read(look.seen[player]), np.asarray(look.points)
        return seen_by(self.game, player, seen, look.legal, look.player, look.over, points)

    # ---- The functions themselves ---------------------------------------------------------------

    def _advance(self, row: jax.Array, action: jax.Array) -> Any:
        before = self.state.unpack(row)
        # `LOOK` is negative: it steps with action 0, and the result is dropped.
        stepped = self.game.step(before, jnp.maximum(action, 0))
        state = jax.tree.map(lambda old, new: jnp.where(action < 0, old, new), before, stepped)
        players = jnp.arange(self.game.num_players, dtype=jnp.int32)
        seen = jax.vmap(lambda player: self.seen.pack(self.game.observe(state, player)))(players)
        legal = self.game.legal_actions(state)
        # In the order of `look`.
        return (
            self.state.pack(state), seen, legal.mask(), jnp.stack(legal.words), state.current_player,
            state.terminated, self.game.points(state), self.game.returns(state),
        )  # fmt: skip

    def _begin(self, key: jax.Array) -> jax.Array:
        return self.state.pack(self.game.init(key))

    def _begin_match(self, key: jax.Array) -> jax.Array:
        # A row has the deal only; the caller keeps totals and key, and passes them to `close`.
        return self.state.pack(self._the_match.init(key).deal)

    def _opening(self, row: jax.Array) -> Any:
        return tuple(self.game.opening(self.state.unpack(row)))

    def _restore(self, deck: jax.Array, dealer: jax.Array, facts: Any) -> jax.Array:
        opening = Opening(deck, dealer, facts)
        return self.state.pack(self.game.init_from_deck(opening.deck, opening.dealer, **opening.facts))

    def _close(self, row: jax.Array, totals: jax.Array, number: jax.Array, key: jax.Array) -> Any:
        match = self._the_match
        # The match while its deal is not added up: winners and `over` are results of `close`.
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

    def choosing(self, agent: Agent) -> Callable[..., jax.Array]:
        """Return the choice of an agent; traceable.

        The arguments of the choice are the parameters of the agent, `Look.asked`, a key as uint32[2],
        and numbers. Each number is folded into the key in turn.
        """

        def choose(
            params: Any, seen: jax.Array, words: jax.Array, luck: jax.Array, *numbers: jax.Array
        ) -> jax.Array:
            key = functools.reduce(prng.fold, numbers, prng.key_words(luck))
            legal = ActionSet(self.game.action_layout, list(words))
            return agent.act(params, self.seen.unpack(seen), legal, prng.wrap(key))

        return choose


@functools.lru_cache(maxsize=8)
def programs_of(game: Game) -> Programs:
    """Return the functions of a game for one table at a time. Equal games share them."""
    return Programs(game)


@functools.lru_cache(maxsize=32)
def compiled_choice(game: Game, agent: Any) -> Any:
    """Return `Programs.choosing` of an agent, compiled for one table at a time."""
    return xla.jit(programs_of(game).choosing(agent))


def deal_key(seed: int, number: int) -> np.ndarray:
    """Return the key of a deal for a seed: uint32[2]; see `rollouts.deal_keys`."""
    return np.asarray(_deal_keys(np.uint32(seed), np.array([number], np.uint32))[0])


_deal_keys = jax.jit(deal_keys)  # faster than operation by operation
