"""A memory of turns on the device, and which of them are learned from again."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Turns(NamedTuple):
    """Turns to learn from; leaves have one axis more than is said here.

    Attributes:
      features: uint32[words], what the player saw, as bits.
      action: int32, what it chose, under the names of the features.
      gain: float32, what it received until the later turn; see `turns.Outlook`.
      later_features: uint32[words], what it saw then.
      later_legal: uint32[words], what was legal then.
      goes_on: bool, whether there was a later turn.
    """

    features: jax.Array
    action: jax.Array
    gain: jax.Array
    later_features: jax.Array
    later_legal: jax.Array
    goes_on: jax.Array


class Replay(NamedTuple):
    """The newest turns, in a ring.

    Attributes:
      turns: with an axis of `capacity` in front.
      priority: float32[capacity], how likely each is drawn, up to a factor; 0 where there is none yet.
      written: uint32, how many turns were ever written.
    """

    turns: Turns
    priority: jax.Array
    written: jax.Array


def empty(capacity: int, num_words: int, num_legal_words: int) -> Replay:
    """Return a memory without turns."""
    turns = Turns(
        features=jnp.zeros((capacity, num_words), jnp.uint32),
        action=jnp.zeros(capacity, jnp.int32),
        gain=jnp.zeros(capacity, jnp.float32),
        later_features=jnp.zeros((capacity, num_words), jnp.uint32),
        later_legal=jnp.zeros((capacity, num_legal_words), jnp.uint32),
        goes_on=jnp.zeros(capacity, bool),
    )
    return Replay(turns, jnp.zeros(capacity, jnp.float32), jnp.uint32(0))


def write(replay: Replay, turns: Turns, which: jax.Array) -> Replay:
    """Put turns over the oldest ones; new turns are as likely as the likeliest so far.

    Args:
      replay: the memory.
      turns: leaves with an axis [rows]. If more are written than there is room for, the last stay.
      which: bool[rows], the rows to write.
    """
    capacity = replay.priority.shape[0]
    number = jnp.cumsum(which) - 1
    total = which.sum().astype(jnp.uint32)
    fits = which & (number + capacity >= total)
    place = (replay.written + number.astype(jnp.uint32)) % capacity
    place = jnp.where(fits, place, capacity).astype(jnp.int32)  # beyond the end: dropped

    def put(old: jax.Array, new: jax.Array) -> jax.Array:
        return old.at[place].set(new, mode="drop")

    priority = jnp.where(replay.priority.any(), replay.priority.max(), 1.0)
    return Replay(
        jax.tree.map(put, replay.turns, turns),
        put(replay.priority, jnp.full(which.shape, priority)),
        replay.written + total,
    )


def draw(replay: Replay, uniform: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Draw turns with chances in proportion to their priorities, with replacement.

    Args:
      replay: a memory with a turn or more.
      uniform: float32[batch] in [0, 1).

    Returns:
      Their places, int32[batch], and their chances, float32[batch].
    """
    running = jnp.cumsum(replay.priority)
    place = jnp.searchsorted(running, uniform * running[-1], side="right")
    # Rounding may lead to a place without a turn, at the end.
    size = jnp.minimum(replay.written, replay.priority.shape[0]).astype(jnp.int32)
    place = jnp.minimum(place, size - 1).astype(jnp.int32)
    return place, replay.priority[place] / running[-1]


def taken(replay: Replay, place: jax.Array) -> Turns:
    """Return the turns at some places."""
    found: Any = jax.tree.map(lambda x: x[place], replay.turns)
    return found
