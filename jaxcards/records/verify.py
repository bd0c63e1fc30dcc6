"""Verification of records by a replay: every action must be legal, and the result must agree."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops, xla
from jaxcards.cards.actions import IDLE
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.records.arrays import (
    DealArrays,
    opening_of,
    replay_deal,
    start_of,
    to_arrays,
    to_play,
)
from jaxcards.records.record import DealRecord, MatchRecord, Record, checked, deals_of

_SIZES = (16, 256, 4096)  # deals side by side; a program is compiled for each size on first use


class Found(NamedTuple):
    """The results of a replay; every entry has a leading axis of the deals.

    Attributes:
      wrong: int32, the number of the first action that is not legal; -1 if all are. The fields below
        are undefined after a wrong action.
      player: int32, the player of that action.
      over: bool, the deal is over after its last action.
      points: int32[num_players], of the last state.
      dealer, facts: of the deal that follows in a match, as far as they are determined.
      match_over, winners: bool, bool[num_players]: whether this deal ends its match, and who has won.
    """

    wrong: Any
    player: Any
    over: Any
    points: Any
    dealer: Any
    facts: Any
    match_over: Any
    winners: Any


def check(record: Record) -> Game:
    """Return the game of single deals of a record that replays to its result.

    Raises:
      UserError: names the part that does not fit the game, the illegal action, or the wrong result.
    """
    (problem,) = problems([record])
    if problem is not None:
        raise UserError(problem)
    return checked(record)


def problems(records: Sequence[Record]) -> list[str | None]:
    """Return for each record its error, or None if it replays to its result.

    Deals of the same game and rules are replayed side by side.
    """
    found: list[str | None] = [None] * len(records)
    by_game: dict[Game, list[int]] = {}
    for number, record in enumerate(records):
        try:
            by_game.setdefault(checked(record), []).append(number)
        except UserError as error:
            found[number] = str(error)
    for game, numbers in by_game.items():
        # All deals of a game in one batch; each record takes its rows back below.
        flat = [deal for number in numbers for deal in deals_of(records[number])]
        replayed = replay_rows(game, to_arrays(game, flat), *_standings(game, records, numbers))
        first = 0
        for number in numbers:
            count = len(deals_of(records[number]))
            rows = jax.tree.map(lambda leaf, a=first, b=first + count: leaf[a:b], replayed)
            found[number] = _problem(game, records[number], rows)
            first += count
    return found


def with_points(deals: Sequence[DealRecord]) -> list[DealRecord]:
    """Return deals with their replayed points, for formats that lack points.

    Deals that do not fit their game, do not replay or are not over stay without points.
    """
    found = list(deals)
    by_game: dict[Game, list[int]] = {}
    for number, deal in enumerate(deals):
        try:
            by_game.setdefault(checked(deal), []).append(number)
        except UserError:
            continue  # the check of the record reports the reason
    for game, numbers in by_game.items():
        own = [deals[number] for number in numbers]
        replayed = replay_rows(game, to_arrays(game, own), *_standings(game, own, range(len(own))))
        for row, number in enumerate(numbers):
            if replayed.over[row] and replayed.wrong[row] < 0:
                points = tuple(replayed.points[row].tolist())
                found[number] = dataclasses.replace(deals[number], points=points)
    return found


def _standings(
    game: Game, records: Sequence[Record], numbers: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the match totals with each deal, and the number of deals so far."""
    totals, counts = [], []
    for number in numbers:
        so_far = np.zeros(game.num_players, np.int64)
        for place, deal in enumerate(deals_of(records[number])):
            # Missing points count 0.
            so_far = so_far + np.array(deal.points or (0,) * game.num_players, np.int64)
            # Damaged records may have points that overflow.
            totals.append(np.clip(so_far, -(2**31), 2**31 - 1).astype(np.int32))
            counts.append(place + 1)
    return np.array(totals, np.int32).reshape(-1, game.num_players), np.array(counts, np.int32)


def replay_rows(game: Game, arrays: DealArrays, totals: np.ndarray, counts: np.ndarray) -> Found:
    """Replay deals in programs of a few sizes, and return NumPy arrays.

    Args:
      game: of single deals.
      arrays: the deals.
      totals: int32[n, num_players], of their matches, with the deal.
      counts: int32[n], the deals of their matches so far, with this one.
    """
    parts = []
    for first in range(0, len(arrays), _SIZES[-1]):
        rows = slice(first, first + _SIZES[-1])
        given = (arrays[rows], totals[rows], counts[rows])
        number = len(given[2])
        # The smallest program with room for them.
        size = next(size for size in _SIZES if size >= number)
        filled = jax.tree.map(lambda array, size=size: _filled(array, size), given)
        done = jax.device_get(_compiled(game)(*filled))
        parts.append(jax.tree.map(lambda leaf, number=number: leaf[:number], done))
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)


def _filled(array: np.ndarray, size: int) -> np.ndarray:
    """Return an array of `size` rows, padded with copies of the first one."""
    more = np.broadcast_to(array[:1], (size - len(array), *array.shape[1:]))
    return np.concatenate([array, more])


@functools.lru_cache(maxsize=16)
def _compiled(game: Game) -> Any:
    def one(opening: Any, actions: jax.Array, totals: jax.Array, count: jax.Array) -> Found:
        state, wrong, player = _replay_checked(game, opening, actions)
        return Found(
            wrong,
            player,
            state.terminated,
            game.points(state),
            *_following(game, state, totals),
            *_ending(game, state, totals, count),
        )

    def all_(arrays: DealArrays, totals: jax.Array, counts: jax.Array) -> Found:
        return jax.vmap(one)(opening_of(arrays), jnp.asarray(arrays.actions), totals, counts)

    return xla.jit(all_)


def _replay_checked(game: Game, opening: Any, actions: jax.Array) -> tuple[Any, jax.Array, jax.Array]:
    """Return the last state, the number of the first wrong action, or -1, and its player."""

    def emit(state: Any, action: jax.Array, after: Any) -> tuple[jax.Array, jax.Array]:
        del after  # undefined after a wrong action
        # After the end every action is in the legal set, so that `terminated` must refuse it.
        legal = game.legal_actions(state).contains(action) & ~state.terminated
        return (action != IDLE) & ~legal, state.current_player

    final, (wrong, players) = loops.replay(game, start_of(game, opening), to_play(actions), emit)
    # The first wrong action.
    first = jnp.argmax(wrong)
    number = jnp.where(wrong.any(), first.astype(jnp.int32), -1)
    return final, number, jnp.where(number < 0, 0, players[first])


def _following(game: Game, state: Any, totals: jax.Array) -> tuple[Any, Any]:
    """Return the dealer and the facts of the deal after a finished one, except those that are drawn."""
    # The game does not say which deal follows.
    if type(game).next_deal is Game.next_deal or not game.max_match_deals:
        return (), {}
    # Any key will do: facts that are drawn are left out.
    after = game.opening(game.next_deal(jax.random.key(0), state, totals))
    drawn = game.opening_facts
    return after.dealer, {n: value for n, value in after.facts.items() if not drawn[n].drawn}


def _ending(game: Game, state: Any, totals: jax.Array, count: jax.Array) -> tuple[Any, Any]:
    if not game.max_match_deals:
        return jnp.zeros((), bool), jnp.zeros(game.num_players, bool)
    return game.match_over(state, totals, count)


def _problem(game: Game, record: Record, rows: Found) -> str | None:
    match = isinstance(record, MatchRecord)
    for number, deal in enumerate(deals_of(record)):
        row = jax.tree.map(lambda leaf, i=number: leaf[i], rows)
        said = _deal_problem(game, deal, row)
        if said is None and match:
            said = _match_problem(game, record, number, row)  # type: ignore[arg-type]
        if said is not None:
            return f"deal {number} of the match: {said}" if match else said
    return None


def _deal_problem(game: Game, deal: DealRecord, row: Found) -> str | None:
    wrong = int(row.wrong)
    if wrong >= 0:
        action = deal.actions[wrong]
        name = game.action_to_string(action)
        said = f"action {wrong}, {name!r} of player {int(row.player)}, is not legal"
        return said + _why(game, deal, wrong)
    if deal.points is None:
        return "the deal is over, and points are missing" if row.over else None
    if not row.over:
        return f"the deal is not over after {len(deal.actions)} actions, but has points"
    points = tuple(row.points.tolist())
    if points != deal.points:
        return f"the points are {list(deal.points)}, but it replays to {list(points)}"
    return None


def _why(game: Game, deal: DealRecord, number: int) -> str:
    """Return the legal actions at a wrong one, as the end of a sentence."""
    # The states after a wrong action are undefined: replay only the actions before it.
    until = dataclasses.replace(deal, actions=deal.actions[:number], points=None)
    over, mask = jax.device_get(_last_moment(game)(to_arrays(game, [until])))
    if over[0]:
        return ": the deal is over"
    legal = np.flatnonzero(mask[0]).tolist()
    return f"; legal are {', '.join(game.action_to_string(action) for action in legal)}"


@functools.lru_cache(maxsize=16)
def _last_moment(game: Game) -> Any:
    def last(opening: Any, actions: jax.Array) -> tuple[jax.Array, jax.Array]:
        state = replay_deal(game, opening, actions)
        return state.terminated, game.legal_action_mask(state)

    return xla.jit(lambda arrays: jax.vmap(last)(opening_of(arrays), jnp.asarray(arrays.actions)))


def _match_problem(game: Game, record: MatchRecord, number: int, row: Found) -> str | None:
    """Return the error in the position of a deal in its match."""
    deal, last = record.deals[number], number == len(record.deals) - 1
    # A match begins with the default facts, except those that are drawn.
    if number == 0:
        for name, fact in game.opening_facts.items():
            expected = fact.default if fact.size is None else (fact.default,) * fact.size
            if not fact.drawn and deal.facts[name] != expected:
                return f"{name} must be {_listed(expected)} at the beginning of a match"
    # Only the last deal of a match without winners may be unfinished.
    if deal.points is None:
        return None if last and record.winners is None else "a deal of a match must be finished"
    over = bool(row.match_over)
    if last:
        return _end_problem(record, over, np.flatnonzero(row.winners).tolist())
    if over:
        return "the match is over after it, but another deal follows"
    following = record.deals[number + 1]
    # The game leaves open which deal follows.
    if type(game).next_deal is Game.next_deal:
        return None
    if following.dealer != int(row.dealer):
        return f"player {int(row.dealer)} deals next, not {following.dealer}"
    for name, value in row.facts.items():
        expected = tuple(value.tolist()) if np.ndim(value) else int(value)
        if following.facts[name] != expected:
            found = _listed(following.facts[name])
            return f"{name} of the next deal must be {_listed(expected)}, not {found}"
    return None


def _end_problem(record: MatchRecord, over: bool, winners: list[int]) -> str | None:
    if record.winners is None:
        return "the match is over after it, but winners are missing" if over else None
    if not over:
        return "the match is not over after it, but has winners"
    if sorted(record.winners) != winners:
        return f"the winners are {list(record.winners)}, but it replays to {winners}"
    return None


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
