"""Seats, agents and sides: who sits where, who decides for whom, and who bids (docs/euchre.md, 4)."""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import seat_after
from jaxcards.games.euchre.rules import EuchreRules
from jaxcards.xla.lookup import lookup


@dataclasses.dataclass(frozen=True)
class Seating:
    """The table of a mode. A seat is a hand that plays; an agent decides for it."""

    agents: tuple[int, ...]  # for each seat, the agent that decides for it
    bidders: tuple[int, ...]  # seats that bid and deal, clockwise
    partners: tuple[int | None, ...]  # for each seat, its partner's seat, or None
    teams: tuple[int, ...] | None  # the side of each agent; None where everyone plays alone
    dummy_seat: int | None = None  # the seat whose hand lies open, or None
    pool: bool = False  # five open cards lie beside the hands

    @property
    def num_seats(self) -> int:
        return len(self.agents)

    @property
    def num_agents(self) -> int:
        return max(self.agents) + 1

    @property
    def everyone(self) -> int:
        return (1 << self.num_seats) - 1

    @property
    def num_dealt(self) -> int:
        """Number of cards that are dealt before one is turned up."""
        return 5 * (self.num_seats + self.pool)

    @property
    def bidder_bits(self) -> int:
        return sum(1 << seat for seat in self.bidders)

    def next_bidder(self, seat: jax.Array) -> jax.Array:
        """Return the first seat to the left of a seat that bids: uint32."""
        return self.following(seat, jnp.uint32(self.bidder_bits), self.num_seats - len(self.bidders))

    def seat_of(self, agent: jax.Array) -> jax.Array:
        """Return the seat that an agent sits at: uint32."""
        seat = jnp.asarray(agent).astype(jnp.uint32)
        return jnp.where(seat == 2, 3, seat) if self.dummy_seat is not None else seat

    def agent_of(self, seat: jax.Array) -> jax.Array:
        """Return the agent that decides for a seat: int32."""
        if self.dummy_seat is not None:
            # Seats 0, 1, 2, 3 are played by agents 0, 1, 0, 2.
            seat = jnp.where(seat == 2, 0, seat - (seat == 3).astype(seat.dtype))
        return seat.astype(jnp.int32)

    def partner_bit(self, seat: jax.Array) -> jax.Array:
        """Return the partner of a seat as a bit, 0 if it has none: uint32."""
        return lookup([0 if seat is None else 1 << seat for seat in self.partners], seat)

    def following(self, seat: jax.Array, seats: jax.Array, most_out: int) -> jax.Array:
        """Return the first of some seats, given as bits, to the left of a seat: uint32.

        `most_out` is static, the largest number of seats that are not among them.
        """
        found = seat_after(seat, 1, self.num_seats)
        # Pass over seats that are not among them.
        for _ in range(most_out):
            found = jnp.where((seats >> found) & 1 == 1, found, seat_after(found, 1, self.num_seats))
        return found


_ACROSS = (2, 3, 0, 1)

SEATINGS = {
    "partners4": Seating((0, 1, 2, 3), (0, 1, 2, 3), _ACROSS, (0, 1, 0, 1)),
    # Seat 0 plays against the two others.
    "dummy_pool": Seating((0, 1, 2), (0, 1, 2), (None, 2, 1), (0, 1, 1), pool=True),
    "dummy_cutthroat": Seating((0, 1, 2), (0, 1, 2), (None, None, None), None, pool=True),
    "dummy_partner": Seating((0, 1, 0, 2), (0, 1, 3), _ACROSS, (0, 1, 1), dummy_seat=2),
    "cutthroat": Seating((0, 1, 2), (0, 1, 2), (None, None, None), None),
}


def seating_of(rules: EuchreRules) -> Seating:
    return SEATINGS[rules.mode]
