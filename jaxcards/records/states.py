"""Every state of a record."""

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops, xla
from jaxcards.game import Game
from jaxcards.match import Match, MatchState
from jaxcards.records import verify
from jaxcards.records.arrays import opening_of, start_of, to_arrays, to_play
from jaxcards.records.record import DealRecord, MatchRecord, Record, deals_of


@dataclasses.dataclass(frozen=True)
class Replay:
    """A record with all its states.

    Attributes:
      game: the game that was played: the game of a deal, or the `Match` of a match.
      actions: int32[n], all actions in order.
      states: states before each action, and the last one: every leaf has a leading axis of n + 1. In a
        match, the state after the last action of a deal has the next deal on the table. Its key for
        further deals is undefined.
    """

    game: Game
    actions: np.ndarray
    states: Any

    def __len__(self) -> int:
        return len(self.actions)

    def state(self, number: int) -> Any:
        """Return the state before action `number`; number `len(self)` is the last state."""
        return jax.tree.map(lambda leaf: leaf[number], self.states)


def replay(record: Record) -> Replay:
    """Return every state of a deal or a match, bit for bit as in the original play.

    Raises:
      UserError: if the record does not fit its game, or does not replay to its result.
    """
    game = verify.check(record)
    actions = np.concatenate([np.array(deal.actions, np.int32) for deal in deals_of(record)])
    if isinstance(record, DealRecord):
        return Replay(game, actions, _states_of_deal(game, record))
    return Replay(Match(game), actions, _states_of_match(game, record))


def _states_of_deal(game: Game, record: DealRecord) -> Any:
    states = _compiled(game)(to_arrays(game, [record]))
    # The program has a step for each action of the longest deal: cut off those after the last action.
    return jax.tree.map(lambda leaf: np.asarray(leaf)[: len(record.actions) + 1], states)


@functools.lru_cache(maxsize=16)
def _compiled(game: Game) -> Any:
    def states(arrays: Any) -> Any:
        # A batch of one deal, whose axis is removed again.
        (first,) = jax.vmap(lambda opening: (start_of(game, opening),))(opening_of(arrays))
        start = jax.tree.map(lambda leaf: leaf[0], first)
        actions = to_play(jnp.asarray(arrays.actions)[0])
        _, later = loops.replay(game, start, actions, lambda state, action, after: after)
        # The start, then the state after each action.
        return jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), start, later)

    return xla.jit(states)


def _states_of_match(game: Game, record: MatchRecord) -> Any:
    """Return the states of a match, deal by deal: those of a deal, with the score around it."""
    match, parts = Match(game), []
    standing: Any = None
    for deal in record.deals:
        states = _states_of_deal(game, deal)
        if standing is None:
            first = jax.tree.map(lambda leaf: leaf[0], states)
            # A key of zeros: no further deal is drawn from it.
            standing = match._start(first, jnp.zeros(2, jnp.uint32))
        # The last state of a deal is the first one of the next, where the deal is added to the totals.
        parts.append(_around(standing, states, slice(0, len(deal.actions))))
        standing = _around(standing, states, slice(-1, None))
        standing = jax.tree.map(lambda leaf: leaf[0], standing)
        # A finished deal is added to the totals, and the next one comes to the table.
        if deal.points is not None:
            standing = jax.device_get(_closed(game)(standing))
    # The state after the last action of the match: the slices above leave it out.
    parts.append(jax.tree.map(lambda leaf: np.asarray(leaf)[None], standing))
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)


def _around(standing: MatchState, states: Any, some: slice) -> MatchState:
    """Return some states of a deal on the table of a match with this score."""
    deal = jax.tree.map(lambda leaf: leaf[some], states)
    number = len(jax.tree.leaves(deal)[0])
    # The score is the same in all states of a deal: repeat it as a view, without a copy.
    repeated = jax.tree.map(
        lambda leaf: np.broadcast_to(np.asarray(leaf), (number, *np.shape(leaf))),
        dataclasses.replace(standing, deal=None),
    )
    return dataclasses.replace(repeated, deal=deal)


@functools.lru_cache(maxsize=16)
def _closed(game: Game) -> Any:
    match = Match(game)
    return xla.jit(lambda standing: match.close(standing)[0])
