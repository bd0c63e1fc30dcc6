"""Many deals of one game as arrays, and their replay: one compiled program for a batch."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import loops
from jaxcards.cards.actions import IDLE
from jaxcards.cards.opening import Opening
from jaxcards.game import Game
from jaxcards.records.record import DealRecord
from jaxcards.xla.pytrees import pytree

UNFINISHED = -(2**31)
"""Placeholder for the points of an unfinished deal."""


@pytree
@dataclasses.dataclass(frozen=True)
class DealArrays:
    """Deals of one game with the same rules, side by side; every array has a leading axis of n deals.

    Attributes:
      deck: uint8[n, num_cards], as `Game.init_from_deck` takes it.
      dealer: uint8[n].
      facts: the other arguments of `init_from_deck` by name: int32[n] or int32[n, size].
      actions: uint8[n, max_steps] (uint16 if a game has at least 255 actions); `no_action` follows the
        last one.
      points: int32[n, num_players]; `UNFINISHED` for unfinished deals.
    """

    deck: Any
    dealer: Any
    facts: Mapping[str, Any]
    actions: Any
    points: Any

    def __len__(self) -> int:
        return len(self.dealer)

    def __getitem__(self, index: Any) -> "DealArrays":
        """Return some of the deals."""
        return jax.tree.map(lambda array: array[index], self)


def action_dtype(game: Game) -> Any:
    """Return the smallest type for the actions of a game and `no_action`."""
    return np.uint8 if game.num_actions < 255 else np.uint16


def no_action(dtype: Any) -> int:
    """Return the value that pads arrays after the last action: the largest number of the type."""
    return int(np.iinfo(dtype).max)


def to_arrays(game: Game, records: Sequence[DealRecord]) -> DealArrays:
    """Return records of a game as arrays. Names, times and notes are left out.

    Args:
      game: of single deals.
      records: deals of this game and its rules, which fit it.
    """
    number, dtype = len(records), action_dtype(game)
    actions = np.full((number, game.max_steps), no_action(dtype), dtype)
    points = np.full((number, game.num_players), UNFINISHED, np.int32)
    for row, record in enumerate(records):
        actions[row, : len(record.actions)] = record.actions
        if record.points is not None:
            points[row] = record.points
    facts = {
        name: np.array([record.facts[name] for record in records], np.int32).reshape(
            (number,) if fact.size is None else (number, fact.size)
        )
        for name, fact in game.opening_facts.items()
    }
    return DealArrays(
        deck=np.array([record.deck for record in records], np.uint8).reshape(number, -1),
        dealer=np.array([record.dealer for record in records], np.uint8),
        facts=facts,
        actions=actions,
        points=points,
    )


def from_arrays(id: str, rules: Mapping[str, Any], arrays: DealArrays, **more: Any) -> list[DealRecord]:
    """Return a record of each deal.

    Args:
      id, rules: of the game; see `record.id_and_rules`.
      arrays: the deals.
      more: further attributes of all records, such as `players`.
    """
    none = no_action(arrays.actions.dtype)
    decks, dealers, rows = arrays.deck.tolist(), arrays.dealer.tolist(), arrays.actions.tolist()
    # Padding follows the last action, so the count is the length.
    lengths = (arrays.actions != none).sum(axis=1).tolist()
    facts = {name: array.tolist() for name, array in arrays.facts.items()}
    found = []
    for i, points in enumerate(arrays.points.tolist()):
        own = {name: _value(column[i]) for name, column in facts.items()}
        # The placeholder fills the whole row of a deal, so that one entry tells.
        result = None if points[0] == UNFINISHED else tuple(points)
        found.append(
            DealRecord(
                game=id,
                rules=rules,
                deck=tuple(decks[i]),
                dealer=dealers[i],
                facts=own,
                actions=tuple(rows[i][: lengths[i]]),
                points=result,
                **more,
            )
        )
    return found


def _value(number: Any) -> Any:
    return tuple(number) if isinstance(number, list) else number


def opening_of(arrays: DealArrays) -> Opening:
    """Return the arguments of `Game.init_from_deck` for the deals; a batch gives a batch."""
    as_int32 = jax.tree.map(lambda array: jnp.asarray(array).astype(jnp.int32), dict(arrays.facts))
    return Opening(jnp.asarray(arrays.deck), jnp.asarray(arrays.dealer).astype(jnp.int32), as_int32)


def start_of(game: Game, opening: Opening) -> Any:
    """Return the first state of a deal. Batch it with `jax.vmap`."""
    return game.init_from_deck(opening.deck, opening.dealer, **opening.facts)


def replay_deal(game: Game, opening: Opening, actions: jax.Array) -> Any:
    """Return the last state of a recorded deal. A pure function of one deal: batch it.

    Actions are trusted, as in `Game.step`; see `verify`.

    Args:
      game: of single deals; static.
      opening: the facts that determine the deal.
      actions: as a row of `DealArrays.actions`.
    """
    return loops.replay(game, start_of(game, opening), to_play(actions))[0]


def to_play(actions: jax.Array) -> jax.Array:
    """Return a row of `DealArrays.actions` for `loops.replay`: uint32, `IDLE` behind the last one."""
    return jnp.where(actions == no_action(actions.dtype), jnp.uint32(IDLE), actions.astype(jnp.uint32))


def replay_points(game: Game, arrays: DealArrays) -> jax.Array:
    """Return the replayed points of deals: int32[n, num_players].

    Compile it, in parts that fit the cache (`throughput.IN_CACHE`).
    """
    opening = opening_of(arrays)
    # Time comes first, so that a step reads the actions of all deals from one piece of memory.
    actions = jnp.swapaxes(jnp.asarray(arrays.actions), 0, 1)
    opening = opening._replace(deck=jnp.swapaxes(opening.deck, 0, 1))
    # The deck now has the deals on its last axis, all other parts on the first.
    axes: Any = Opening(1, 0, {name: 0 for name in opening.facts})  # type: ignore[arg-type, misc]
    return jax.vmap(
        lambda opening, actions: game.points(replay_deal(game, opening, actions)), in_axes=(axes, 1)
    )(opening, actions)
