"""The compiled functions of one game: each takes the tables that need it side by side.

A table is a row of words (`packing`).
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agent import Agent
from jaxcards.cards.opening import Opening
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import Match, MatchState
from jaxcards.serve.functions import Functions
from jaxcards.serve.packing import packings
from jaxcards.view.look import seen_by
from jaxcards.xla import prng

LOOK = -1
"""An action that changes nothing."""

SIZES = (4, 32)
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


class Programs(Functions):
    """The functions of a game, by name, compiled when they are first needed. Safe for threads.

    Attributes:
      game: of single deals.
      match: the match of such deals, or None if there are none.
      state, seen: how states and observations are packed.
      seen_one: whether a view has been made.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.match = Match(game) if game.max_match_deals else None
        self.state, self.seen = packings(game)
        state = jax.eval_shape(game.init, jax.ShapeDtypeStruct((2,), jnp.uint32))
        opening = jax.eval_shape(game.opening, state)
        self.seen_one = False
        self._row = np.zeros(self.state.num_words, np.uint32)
        key = np.zeros(2, np.uint32)
        totals, number = np.zeros(game.num_players, np.int32), np.int32(0)
        numbers = np.uint32(0), np.uint32(0)
        deck = jax.tree.map(lambda leaf: np.zeros(leaf.shape, leaf.dtype), opening)
        self._luck_example = (self._row, key, *numbers)
        self.add("advance", self._advance, (self._row, np.int32(0)), SIZES)
        self.add("begin", self._begin, (key,), (1,))
        self.add("restore", self._restore, tuple(deck), (1,))
        self.add("opening", self._opening, (self._row,), (1,))
        self.add("close", self._close, (self._row, totals, number, key), (1,))
        self.add("begin match", self._begin_match, (key,), (1,))
        self.add("luck", self._luck, (key, *numbers), SIZES)

    def add_agent(self, name: str, agent: Agent, params: Any) -> str:
        """Add the choices of an agent; return the name of the function."""
        function = f"choose {name}"
        self.add(function, self._choose(agent), self._luck_example, SIZES, (params,))
        return function

    def see_one(self, begin: str) -> None:
        """Make a view of a deal, unless one was made: whatever compiles for it has compiled then.

        Args:
          begin: "begin" or "begin match".
        """
        if self.seen_one:
            return
        (row,) = self.run(begin, [(np.zeros(2, np.uint32),)])
        look = self.look(self.run("advance", [(row, np.int32(LOOK))])[0])
        observation, points = self.seen.read(look.seen[look.player]), np.asarray(look.points)
        seen_by(self.game, look.player, observation, look.legal, look.player, look.over, points)
        self.seen_one = True

    def begin_at(self, key: np.ndarray, totals: Sequence[int], num_deals: int) -> np.ndarray:
        """Return the first deal of a match at a standing, as words.

        Args:
          key: uint32[2], decides the cards of the match.
          totals, num_deals: the standing; see `Match.init`.

        Raises:
          UserError: a standing that no match can have.
        """
        begun = self._the_match.init(jnp.asarray(key), totals=totals or None, num_deals=num_deals)
        return np.asarray(self.state.pack(begun.deal))

    # ---- Results in Python's values -------------------------------------------------------------

    def look(self, found: Any) -> Look:
        """Return the result of `advance` in Python's values."""
        state, seen, legal, player, over, points, returns = found
        return Look(state, seen, legal, int(player), bool(over), points.tolist(), returns.tolist())

    def closed(self, found: Any) -> Closed:
        """Return the result of `close` in Python's values."""
        totals, over, winners, returns, following = found
        return Closed(totals.tolist(), bool(over), winners.tolist(), returns.tolist(), following)

    def opening_of(self, found: Any) -> dict[str, Any]:
        """Return the result of `opening` as values of JSON."""
        deck, dealer, facts = found
        more = {name: np.asarray(value).tolist() for name, value in facts.items()}
        return {"deck": deck.tolist(), "dealer": int(dealer), "facts": more}

    def opening_row(self, opening: dict[str, Any]) -> tuple[Any, ...]:
        """Return values of JSON as the arguments of `restore`."""
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

    def _opening(self, row: jax.Array) -> Any:
        return tuple(self.game.opening(self.state.unpack(row)))

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

    def _luck(self, key: jax.Array, number: jax.Array, done: jax.Array) -> jax.Array:
        """Return the key of a decision as words: of the luck of a table, the deal and the place."""
        return jnp.stack(prng.fold(prng.fold(prng.key_words(key), number), done))

    def _choose(self, agent: Agent) -> Callable[..., jax.Array]:
        """Return what an agent does: of its parameters, a row, a key, the deal and the decision."""

        def choose(
            params: Any, row: jax.Array, key: jax.Array, number: jax.Array, done: jax.Array
        ) -> jax.Array:
            deal = self.state.unpack(row)
            words = self._luck(key, number, done)
            observation = self.game.observe(deal, deal.current_player)
            legal = self.game.legal_actions(deal)
            return agent.act(params, observation, legal, prng.wrap((words[0], words[1])))

        return choose
