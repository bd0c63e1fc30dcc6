"""Values by seat: read and write entries of tuples, packed words and vectors without a gather."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.arguments import check_range, describe
from jaxcards.errors import UserError
from jaxcards.xla.tracing import traced_once


def by_seat(values: Sequence[Any], seat: jax.Array) -> Any:
    """Return `values[seat]` of a tuple of pytrees of scalars, without a gather."""
    return _by_seat(tuple(values), seat)


@traced_once(static_argnums=())
def _by_seat(values: tuple[Any, ...], seat: jax.Array) -> Any:
    if len(values) == 1:
        return values[0]
    # A tree of selections by the bits of the seat: log2(n) deep instead of n.
    # half: the largest power of two below the number of values; this bit of the seat decides.
    half = 1 << ((len(values) - 1).bit_length() - 1)
    low, high = _by_seat(values[:half], seat & (half - 1)), _by_seat(values[half:], seat & (half - 1))
    return jax.tree.map(lambda a, b: jnp.where(seat >= half, b, a), low, high)


def dealt_after(dealer: jax.Array, blocks: Sequence[Any]) -> tuple[Any, ...]:
    """Return by seat the values dealt to four seats in turn, starting left of the dealer."""
    # A seat gets the block of its distance from the seat left of the dealer, modulo 4.
    return tuple(by_seat(blocks, (jnp.uint32(seat) - dealer - 1) & 3) for seat in range(4))


def dealt_in_turn(dealer: jax.Array, hands: Sequence[Any]) -> tuple[Any, ...]:
    """Return the hands dealt to four seats, starting left of the dealer; see `dealt_after`."""
    return tuple(by_seat(hands, (dealer.astype(jnp.uint32) + 1 + turn) & 3) for turn in range(4))


def vector(values: Sequence[Any]) -> jax.Array:
    """Return int32[n] of n scalars, one for each seat.

    Use selections, because XLA computes values that are fused into a concatenation one element at a
    time, without vectors.
    """
    index = jnp.arange(len(values), dtype=jnp.int32)
    entries = jnp.asarray(values[-1]).astype(jnp.int32)
    # From the last seat down: each earlier seat overrides the places up to its own.
    for seat in range(len(values) - 2, -1, -1):
        entries = jnp.where(index <= seat, jnp.asarray(values[seat]).astype(jnp.int32), entries)
    # A single value has passed no selection and is still a scalar.
    return jnp.broadcast_to(entries, (len(values),))


def by_team(first: jax.Array, second: jax.Array) -> jax.Array:
    """Return int32[4] of two teams that sit crosswise: seats 0 and 2 get the first value."""
    odd = jnp.arange(4, dtype=jnp.int32) & 1 == 1
    return jnp.where(odd, second.astype(jnp.int32), first.astype(jnp.int32))


def seat_after(seat: jax.Array, places: int | jax.Array, num_seats: int) -> jax.Array:
    """Return the seat `places` seats to the left of another, without a division.

    Args:
      seat: scalar of any integer type; the result has the same type.
      places: how far to go round the table, 0 to num_seats - 1.
      num_seats: static.
    """
    reached = seat + places
    # A power of two wraps by a mask.
    if num_seats & (num_seats - 1) == 0:
        return reached & (num_seats - 1)
    # Otherwise at most one subtraction is needed, because both numbers are below num_seats.
    return jnp.where(reached >= num_seats, jnp.subtract(reached, num_seats), reached)


def places_after(seat: Any, other: Any, num_seats: int) -> jax.Array:
    """Return the number of places from `seat` left to `other`: uint32, 0 to num_seats - 1."""
    seat, other = jnp.asarray(seat).astype(jnp.uint32), jnp.asarray(other).astype(jnp.uint32)
    if num_seats & (num_seats - 1) == 0:
        # uint32 wraps below 0 modulo 2**32, which is a multiple of this power of two.
        return (other - seat) & (num_seats - 1)
    return jnp.where(other >= seat, other - seat, other + num_seats - seat)


def named_seats(player: Any, num_seats: int) -> list[tuple[str, jax.Array]]:
    """Return names of the seats as a player sees them, with their numbers: uint32.

    "me" is first, and "left 1" plays after it.
    """
    seat = jnp.asarray(player).astype(jnp.uint32)
    others = [(f"left {n}", seat_after(seat, n, num_seats)) for n in range(1, num_seats)]
    return [("me", seat), *others]


def field(packed: jax.Array, index: int | jax.Array, bits: int) -> jax.Array:
    """Return entry `index` of a word with entries of `bits` bits, the first lowest: uint32.

    For a NumPy or Python word and a known index this is plain arithmetic, without JAX.
    """
    if isinstance(index, int):
        return (packed >> (index * bits)) & ((1 << bits) - 1)
    shift = jnp.uint32(index) * jnp.uint32(bits)
    return (packed >> shift) & jnp.uint32((1 << bits) - 1)


def list_of_totals(totals: Any, what: str, dtype: Any = jnp.int32) -> list[Any]:
    """Return totals as a list. Raise `UserError` unless they are a vector of integers of a dtype."""
    # An array needs exactly one axis; lists and tuples have no `ndim`.
    if getattr(totals, "ndim", 1) != 1 or not hasattr(totals, "__len__"):
        raise UserError(f"totals must be {what}, not {describe(totals)}")
    numbers, limits = [totals[index] for index in range(len(totals))], jnp.iinfo(dtype)
    for number in numbers:
        check_range("a total", number, limits.max + 1, lowest=limits.min)
    return numbers


def totals_before(totals: Any, number: int, dtype: Any) -> tuple[jax.Array, ...]:
    """Return the match totals before a deal as scalars of a state.

    Args:
      totals: a number for each side or player; None for zeros.
      number: how many there must be.
      dtype: of each.

    Raises:
      UserError: if there are more or fewer, or one is not an integer of this dtype.
    """
    totals = (0,) * number if totals is None else totals
    found = list_of_totals(totals, f"{number} numbers", dtype)
    if len(found) != number:
        raise UserError(f"totals must be {number} numbers, not {len(found)}")
    return tuple(jnp.asarray(total, dtype) for total in found)
