"""The values of all legal actions of some decisions, in two compiled programs.

The first program draws the worlds of every decision. In the second, a lane is a decision with one of
its actions. A decision with two legal cards then costs two lanes, even beside an announcement with a
hundred. All lanes of a decision have the same worlds and the same luck: they differ only in the action.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent
from jaxcards.agents.search import endgame
from jaxcards.agents.search.agent import SearchAgent
from jaxcards.agents.search.analysis import base_key, compare, draw_worlds, scores
from jaxcards.agents.search.belief import Belief
from jaxcards.agents.search.playing import play_on
from jaxcards.cards.actions import ActionSet
from jaxcards.game import Game
from jaxcards.xla import prng

_STATES = 2**13  # states of a deal side by side: a step of them stays in the caches of a core
_PLAYED = 2**10  # states that are played out side by side: few, so that progress is told often


class Decisions(NamedTuple):
    """Some decisions, each with all its legal actions, the most likely ones of the policy first.

    Attributes:
      mask: bool[n, num_actions], the legal actions.
      action: int32[n, most], their numbers, padded with the first one.
      legal: bool[n, most], False for padding.
      score: float32[n, most], the logarithm of the policy.
      returns: float32[n, worlds, most, num_players], the returns of each action in each world.
    """

    mask: np.ndarray
    action: np.ndarray
    legal: np.ndarray
    score: np.ndarray
    returns: np.ndarray


def decisions(
    search: SearchAgent,
    params: Any,
    states: Any,
    keys: np.ndarray,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Decisions:
    """Return the values of the legal actions of some decisions, from the player's observation.

    Args:
      search: its base policy plays out all seats, in the search's number of worlds, weighted by its
        belief.
      params: of the base policy.
      states: unfinished deals; every leaf has a leading axis of the decisions.
      keys: uint32[n, 2], a key for each decision.
      progress: called with the number of finished decisions, and the total; first with 0.
    """
    game = search.game
    mask = np.asarray(masks(game)(states))
    progress(0, len(mask))
    # A lane for each legal action, sorted by decision.
    row, action = np.nonzero(mask)
    base: Any = search.base
    # A belief draws several worlds for each one that it keeps.
    draws = search.worlds * (1 if search.belief is None else search.belief.draws)
    draw = _drawing(game, base, search.worlds, search.belief)
    play = _playing(game, base, search.endings)
    drawn = []
    for some, new in _chunks(len(mask), _STATES // draws):
        found = jax.device_get(draw(params, _rows(states, some), keys[some], new))
        drawn.append(_rows(found, new))
    log_probability, worlds = jax.tree.map(lambda *parts: np.concatenate(parts), *drawn)
    done = np.append(row[1:], len(mask))  # decisions that are complete after each lane
    returns = np.zeros((len(row), search.worlds, game.num_players), np.float32)
    for some, new in _chunks(len(row), _PLAYED // search.worlds):
        own = action[some].astype(np.int32), keys[row[some]], new
        # Keep the new rows: the others are padding of the last chunk.
        returns[some[new]] = jax.device_get(play(params, _rows(worlds, row[some]), *own))[new]
        progress(int(done[some[new][-1]]), len(mask))
    return _by_decision(mask, row, action, log_probability[row, action], returns)


def _chunks(number: int, most: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield chunks of rows, and a mask of the new rows among them: bool.

    A chunk that is not full repeats its first row: a program has one shape.

    Args:
      number: of rows.
      most: rows side by side, at least one.
    """
    for first in range(0, number, max(1, most)):
        some = np.arange(first, first + max(1, most))
        yield np.where(some < number, some, first), some < number


def _rows(tree: Any, rows: np.ndarray) -> Any:
    return jax.tree.map(lambda leaf: np.asarray(leaf)[rows], tree)


def analyses(search: SearchAgent, found: Decisions, players: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return the `Analysis` of each decision, and the choice of the search.

    Args:
      search: see `decisions`.
      found: the result of `decisions`.
      players: int32[n], who decides.
    """

    def one(found: Any, player: jax.Array, words: jax.Array) -> tuple[Any, jax.Array]:
        analysis = compare(found.action, found.legal, found.score, found.returns, player)
        legal = ActionSet(search.game.action_layout, list(words))
        return analysis, search.choice(analysis, legal)

    layout = search.game.action_layout
    words = [layout.constant(np.flatnonzero(row).tolist()) for row in found.mask]
    done = jax.jit(jax.vmap(one))(found, players, np.array(words, np.uint32))
    return jax.device_get(done)


def with_open_hands(game: Game, states: Any, cards: int) -> np.ndarray:
    """Return the values of actions in the actual deal, with best play of both sides afterwards.

    Args:
      game: of single deals.
      states: of a deal, in order; every leaf has a leading axis.
      cards: largest number of cards in each hand, 0 to `endgame.MOST_CARDS`; 0 for never.

    Returns:
      float32[n, num_actions], the return of the player to act. NaN if an action is not legal, the state
      has more cards, or everybody plays alone.
    """
    number = len(jax.tree.leaves(states)[0])
    found = np.full((number, game.num_actions), np.nan, np.float32)
    if not cards or not endgame.has_sides(game):
        return found
    # The number of decisions at the end is the same in all deals: the program has one shape.
    last = np.maximum(np.arange(number - cards * game.num_players, number), 0)
    own = jax.tree.map(lambda leaf: np.asarray(leaf)[last], states)
    legal, returns, solved = jax.device_get(_solver(game, cards)(own))
    found[last] = np.where(legal & solved[:, None], returns, np.nan)
    return found


@functools.lru_cache(maxsize=16)
def _solver(game: Game, cards: int) -> Any:
    """Compile states -> legal actions, the return of the player after each, whether it is known."""

    def one(state: Any) -> Any:
        found = endgame.solve(game, state, cards)
        return found.legal, jnp.take(found.returns, state.current_player, axis=1), found.solved

    return xla.jit(jax.vmap(one))


@functools.lru_cache(maxsize=16)
def masks(game: Game) -> Any:
    """Return a compiled function from states to their legal actions: bool[n, num_actions]."""
    return xla.jit(jax.vmap(game.legal_action_mask))


@functools.lru_cache(maxsize=16)
def _drawing(game: Game, base: Agent, worlds: int, belief: Belief | None) -> Any:
    """Compile decisions: (params, states, keys, wanted) -> scores of all actions, worlds."""

    def decision(params: Any, state: Any, key: jax.Array, wanted: jax.Array) -> Any:
        observation = game.observe(state, state.current_player)
        score = scores(base, params, observation, game.legal_actions(state), base_key(key))
        return score, draw_worlds(
            game, base, params, observation, key, worlds=worlds, belief=belief, wanted=wanted
        )

    return xla.jit(jax.vmap(decision, in_axes=(None, 0, 0, 0)))


@functools.lru_cache(maxsize=16)
def _playing(game: Game, base: Agent, endings: int) -> Any:
    """Compile lanes: (params, worlds of each, actions, keys, wanted) -> returns by world."""

    def lane(
        params: Any, worlds: Any, action: jax.Array, key: jax.Array, wanted: jax.Array
    ) -> jax.Array:
        found = play_on(
            game, base, params, worlds, action[None], key, endings=endings, played_out=wanted
        )
        return found[:, 0]

    return xla.jit(jax.vmap(lane, in_axes=(None, 0, 0, 0, 0)))


def _by_decision(
    mask: np.ndarray, row: np.ndarray, action: np.ndarray, score: np.ndarray, returns: np.ndarray
) -> Decisions:
    """Return lanes in rows of their decisions, the most likely action first."""
    number, most = len(mask), int(mask.sum(1).max())
    place = np.zeros((number, most), np.int64)
    legal = np.arange(most) < mask.sum(1)[:, None]
    for decision in range(number):
        (own,) = np.nonzero(row == decision)
        own = own[np.argsort(-score[own], kind="stable")]
        # Padding repeats the first lane of the decision.
        place[decision] = own[0]
        place[decision, : len(own)] = own
    return Decisions(
        mask=mask,
        action=action[place].astype(np.int32),
        legal=legal,
        score=np.where(legal, score[place], -np.inf).astype(np.float32),
        # From [decisions, actions, worlds, players], worlds come before actions.
        returns=np.swapaxes(returns[place], 1, 2),
    )


def keys_of(seed: int, number: int, count: int) -> np.ndarray:
    """Return the keys of the decisions of deal `number` of a record: uint32[count, 2]."""
    deal = prng.fold(prng.key_words(jnp.array([seed, number], jnp.uint32)), 0)
    places = jnp.arange(count, dtype=jnp.uint32)
    return np.asarray(jax.vmap(lambda place: jnp.stack(prng.fold(deal, place)))(places))
