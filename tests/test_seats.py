"""Going round the table without a division."""

import jax.numpy as jnp
import pytest

from jaxcards.seats import places_after, seat_after


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
