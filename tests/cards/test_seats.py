"""Values by seat, and going round the table without a division."""

import jax.numpy as jnp
import pytest

from jaxcards.cards.seats import dealt_after, places_after, seat_after


@pytest.mark.parametrize("num_seats", range(2, 8))
@pytest.mark.parametrize("dtype", [jnp.int32, jnp.uint32, jnp.uint8])
def test_places_round_the_table(num_seats, dtype):
    for seat in range(num_seats):
        for places in range(num_seats):
            reached = seat_after(dtype(seat), places, num_seats)
            assert reached.dtype == dtype
            assert int(reached) == (seat + places) % num_seats
            assert int(seat_after(dtype(seat), dtype(places), num_seats)) == int(reached)
            assert int(places_after(dtype(seat), reached, num_seats)) == places


def test_who_gets_what_is_dealt_in_turn():
    for dealer in range(4):
        found = dealt_after(jnp.uint32(dealer), [jnp.int32(10 + place) for place in range(4)])
        assert [int(found[(dealer + 1 + place) % 4]) for place in range(4)] == [10, 11, 12, 13]
