"""A replay buffer of turns on the device, with priorities."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Turns(NamedTuple):
    """Turns to learn from; leaves have one more axis than listed here.

    Attributes:
      features: uint32[words], the player's features, as bits.
      action: int32, the chosen action, under the names of the features.
      gain: float32, the rewards until the later turn; see `turns.Outlook`.
      later_features: uint32[words], the features at the later turn.
      later_legal: uint32[words], the legal actions at the later turn.
      goes_on: bool, whether there was a later turn.
    """

    features: jax.Array
    action: jax.Array
    gain: jax.Array
    later_features: jax.Array
    later_legal: jax.Array
    goes_on: jax.Array


class Replay(NamedTuple):
    """A ring buffer of the newest turns.

    Attributes:
      turns: with an axis of `capacity` in front.
      priority: float32[capacity], unnormalised probability of each turn; 0 in empty places.
      written: uint32, the number of turns ever written, less a multiple of the capacity.
    """

    turns: Turns
    priority: jax.Array
    written: jax.Array


def empty(capacity: int, num_words: int, num_legal_words: int) -> Replay:
    """Return an empty buffer."""
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
    """Overwrite the oldest turns; new turns get the highest priority so far.

    Args:
      replay: the buffer.
      turns: leaves with an axis [rows]. If more are written than there is room for, the last stay.
      which: bool[rows], the rows to write.
    """
    capacity = replay.priority.shape[0]
    # number: the place of each row among those to write; if too many, only the last ones fit.
    number = jnp.cumsum(which) - 1
    total = which.sum().astype(jnp.uint32)
    fits = which & (number + capacity >= total)
    place = (replay.written + number.astype(jnp.uint32)) % capacity
    place = jnp.where(fits, place, capacity).astype(jnp.int32)  # an index beyond the end is dropped

    def put(old: jax.Array, new: jax.Array) -> jax.Array:
        return old.at[place].set(new, mode="drop")

    # The highest priority, so that every new turn is soon drawn.
    priority = jnp.where(replay.priority.any(), replay.priority.max(), 1.0)
    written = replay.written + total
    # From the second time round the number starts again at the capacity, long before it overflows.
    written = jnp.where(written < 2 * capacity, written, capacity + written % capacity)
    return Replay(
        jax.tree.map(put, replay.turns, turns),
        put(replay.priority, jnp.full(which.shape, priority)),
        written,
    )


def draw(replay: Replay, uniform: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Draw turns with probabilities proportional to their priorities, with replacement.

    Args:
      replay: a buffer with at least one turn.
      uniform: float32[batch] in [0, 1).

    Returns:
      Their places, int32[batch], and their probabilities, float32[batch].
    """
    # Draw by inverting the distribution function.
    running = jnp.cumsum(replay.priority)
    # From the right: a turn of priority 0 has the running sum of the one before it, and is passed over.
    place = jnp.searchsorted(running, uniform * running[-1], side="right")
    # Rounding may select an empty place at the end.
    size = jnp.minimum(replay.written, replay.priority.shape[0]).astype(jnp.int32)
    place = jnp.minimum(place, size - 1).astype(jnp.int32)
    return place, replay.priority[place] / running[-1]


def taken(replay: Replay, place: jax.Array) -> Turns:
    """Return the turns at some places."""
    found: Any = jax.tree.map(lambda x: x[place], replay.turns)
    return found
