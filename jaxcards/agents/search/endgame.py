"""The value of an ending with all hands open and best play of both sides.

The value is exact if a deal has two sides. `Game.returns` itself values the end of a line, so the value
includes all that the score counts: melds, the last trick, a match, a contract made or failed. Each side
maximises the sum of its members' returns less that of the others:

* Jass, Belote and Spades with partners: own score less that of the other side.
* Euchre: the makers against the defenders, also for a lone hand and for two defenders of one maker.
  If everyone plays alone (`dummy_cutthroat`), the others still act as one side: they want the maker
  to win few tricks, even if that brings them nothing more.
* Sheepshead: the picker and the partner, as the cards name it, against the rest, for chips.

A deal in which everyone plays alone lacks such a value: Hearts, Rikiki, Differenzler, and the leaster
of Sheepshead. `is_solvable` is then False, and a search plays such deals out.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.agents.search.tree import Endings, Leaves, Walk
from jaxcards.agents.search.varying import structure
from jaxcards.cards.seats import by_seat
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.xla import pooled

MOST_CARDS = 5
"""Largest number of cards per hand for solving endings; with five, each takes part of a second."""

# Endings to solve side by side: their stacks stay in the cache of a core. Then the number of turns
# before finished lanes take new endings. Both were measured with benchmarks/endings.py.
_LANES = 128
_TURNS = 16


class Solution(NamedTuple):
    """The values of the actions of a state.

    Attributes:
      legal: bool[num_actions], the legal actions.
      returns: float32[num_actions, num_players], `Game.returns` after each legal action and best play
        of both sides; undefined for other actions.
      solved: bool, whether the state could be solved; if False, `returns` is undefined.
    """

    legal: jax.Array
    returns: jax.Array
    solved: jax.Array


def check(game: Game, cards: int) -> None:
    """Raise `UserError` for a game without sides, or a number of cards that is out of range."""
    if not 1 <= cards <= MOST_CARDS:
        raise UserError(f"endings of 1 to {MOST_CARDS} cards in each hand are solved, not of {cards}")
    if not has_sides(game):
        raise UserError(
            f"endings of {game.id or game.name} cannot be solved: all play alone, but only a deal "
            "with two sides has a value"
        )


def check_endings(endings: int) -> None:
    """Raise `UserError` for a number of cards outside the range for endings; 0 is allowed."""
    if not 0 <= endings <= MOST_CARDS:
        raise UserError(f"endings must be from 0 to {MOST_CARDS} cards in each hand, not {endings}")


@functools.lru_cache(maxsize=64)
def has_sides(game: Game) -> bool:
    """Return whether deals of a game may have two sides."""
    found = []
    # Trace without computing: only the structure of the result matters.
    jax.eval_shape(lambda key: found.append(game.sides_of(game.init(key))), jax.random.key(0))
    return found[0] is not None


def is_solvable(game: Game, state: Any, cards: int) -> jax.Array:
    """Return whether `solve` values a state: bool.

    True while two sides play cards and each hand has at most `cards` cards to play.

    Args:
      game: the game of single deals.
      state: any state.
      cards: static, see `solve`.

    Raises:
      UserError: see `check`.
    """
    check(game, cards)
    sides = game.sides_of(state)
    assert sides is not None
    most: jax.Array = game.cards_to_play(state).max()
    # `sides_of` is -1 for all players of a deal in which everyone plays alone.
    two: jax.Array = sides[0] >= 0
    return two & (most <= cards) & ~state.terminated


def solve(game: Game, state: Any, cards: int) -> Solution:
    """Return the value of every legal action of a state. Batch it with `jax.vmap`.

    Args:
      game: the game of single deals.
      state: any state; `Solution.solved` tells whether its actions could be valued.
      cards: static, 1 to `MOST_CARDS`: the largest number of cards in each hand. Each more takes some
        twenty to seventy times as long.

    Raises:
      UserError: see `check`.
    """
    check(game, cards)
    mask = game.legal_actions(state).mask()
    solved = is_solvable(game, state, cards)
    # Legal actions first; their number is at most `cards`.
    action = jnp.argsort(~mask, stable=True)[:cards].astype(jnp.int32)
    wanted = mask[action] & solved
    # An illegal action may never reach the end.
    action = jnp.where(wanted, action, action[0])
    # Play each action, and solve the state that follows.
    after = jax.vmap(game.step, in_axes=(None, 0))(state, action)
    found = best_play(game, after, wanted, cards)
    returns = jnp.zeros((game.num_actions, game.num_players), jnp.float32)
    # Unwanted entries repeat the first action, and add nothing to its value.
    returns = returns.at[action].add(jnp.where(wanted[:, None], found, 0))
    return Solution(mask, returns, solved)


def best_play(game: Game, states: Any, wanted: jax.Array, cards: int) -> jax.Array:
    """Return the values of states: float32[n, num_players], the returns after best play.

    A batch, also one of `jax.vmap`, is one queue of endings for a fixed number of lanes. Unwanted
    endings cost nothing, and a long one holds up only its own lane.

    Args:
      game: the game of single deals.
      states: leaves have a leading axis; each may be over, or be solvable (see `is_solvable`).
      wanted: bool[n]; the returns of other states are undefined.
      cards: static, the largest number of cards in each hand, also above `MOST_CARDS`.
    """
    found: jax.Array = queue(game, cards)((), (jax.tree.leaves(states), wanted))
    return found


@functools.lru_cache(maxsize=64)
def queue(game: Game, cards: int) -> pooled.Function:
    """Return a pooled function from the leaves of states and flags of wanted rows to returns."""
    return pooled.pooled(lambda _, rows: _in_turn(game, cards, *rows))


class _Lanes(NamedTuple):
    """The lanes, and their results.

    Attributes:
      walk: positions of the lanes.
      fixed: the leaves of their states that stay.
      ours: for each player bool[lanes], on the side that maximises.
      number: int32[lanes], the number of the ending, `n` for none.
      begun: int32, the number of started endings.
      returns: float32[n + 1, num_players], the results; the last row is for idle lanes.
    """

    walk: Walk
    fixed: Leaves
    ours: Leaves
    number: jax.Array
    begun: jax.Array
    returns: jax.Array


def _in_turn(game: Game, cards: int, leaves: Any, wanted: jax.Array) -> jax.Array:
    """Solve a queue of endings with a fixed number of lanes; see `best_play`."""
    n = wanted.shape[0]
    states = jax.tree.unflatten(structure(game), leaves)
    # A dummy is a hand of its own, so there may be more hands than players.
    hands = jax.eval_shape(jax.vmap(game.cards_to_play), states).shape[1]
    # The last card of a hand is forced, so each hand has at most `cards - 1` choices.
    endings = Endings(game, max(1, hands * (cards - 1)))
    all_now, all_fixed = endings.split(states)
    all_ours = _side_of_mover(game, states)
    # The wanted endings first, in their order: this is the queue.
    order = jnp.argsort(~wanted, stable=True)
    total = wanted.sum(dtype=jnp.int32)
    lanes = min(_LANES, n)

    def load(free: jax.Array, begun: jax.Array, before: _Lanes | None) -> _Lanes:
        """Give the next endings to free lanes."""
        # Free lanes take consecutive places of the queue.
        place = begun + jnp.cumsum(free, dtype=jnp.int32) - 1
        gets = free & (place < total)
        row = order[jnp.minimum(place, n - 1)]
        # Read a state for every lane, and keep those that take a new ending.
        now, fixed, ours = jax.tree.map(lambda x: x[row], (all_now, all_fixed, all_ours))
        walk, number = endings.start(now, fixed, ours), jnp.where(gets, row, n)
        if before is None:
            returns = jnp.zeros((n + 1, game.num_players), jnp.float32)
        else:
            pick = functools.partial(_pick, gets)
            walk, fixed, ours = jax.tree.map(
                pick, (walk, fixed, ours), (before.walk, before.fixed, before.ours)
            )
            number, returns = jnp.where(free, number, before.number), before.returns
        # A free lane starts with its new ending; without one it is done.
        walk = walk._replace(done=jnp.where(free, ~gets, walk.done))
        return _Lanes(walk, fixed, ours, number, begun + gets.sum(dtype=jnp.int32), returns)

    def once(state: _Lanes) -> _Lanes:
        def turn(_: Any, walk: Walk) -> Walk:
            return endings.turn(walk, state.fixed, state.ours)

        walk = jax.lax.fori_loop(0, _TURNS, turn, state.walk)
        # Store the results of finished lanes; row n collects those of all others.
        number = jnp.where(walk.done, state.number, n)
        returns = state.returns.at[number].set(endings.returns(walk.value, state.ours))
        return load(walk.done, state.begun, state._replace(walk=walk, returns=returns))

    first = load(jnp.ones(lanes, bool), jnp.int32(0), None)
    # A lane stays done only if the queue is empty.
    last = jax.lax.while_loop(lambda state: ~state.walk.done.all(), once, first)
    return last.returns[:n]


def _side_of_mover(game: Game, states: Any) -> Leaves:
    """Return for each player whether it is on the side of the player to act: bool[n] each."""
    sides: jax.Array = jax.vmap(game.sides_of)(states)  # type: ignore[assignment]
    each = [sides[:, player] for player in range(game.num_players)]
    mover = by_seat(each, states.current_player)
    return tuple(side == mover for side in each)


def _pick(where: jax.Array, yes: jax.Array, no: jax.Array) -> jax.Array:
    """Return `yes` in some lanes, which are the last axis of both; else `no`."""
    return jnp.where(where, yes, no)
